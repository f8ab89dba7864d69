import fc from 'fast-check'
import { expect, it } from 'vitest'
import { highHalf, lowHalf, putInt64BE, putInt64LE } from '../../src/lib/ticks.js'

const word = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

it('64 bits are the bytes and halves that a Buffer makes of them', () => {
  fc.assert(
    fc.property(word, fc.nat(3), (value, at) => {
      const [own, its] = [Buffer.alloc(24, 7), Buffer.alloc(24, 7)]
      putInt64BE(own, value, at)
      putInt64LE(own, value, at + 10)
      its.writeBigInt64BE(value, at)
      its.writeBigInt64LE(value, at + 10)
      expect(own.equals(its)).toBe(true)
      const halves = BigInt(highHalf(value)) * 2n ** 32n + BigInt(lowHalf(value))
      expect(halves).toBe(BigInt.asUintN(64, value))
    }),
  )
})

it.each([2n ** 63n, -(2n ** 63n) - 1n, 2n ** 70n])('%s has too many bits', (value) => {
  expect(() => putInt64BE(Buffer.alloc(8), value, 0)).toThrow(RangeError)
  expect(() => putInt64LE(Buffer.alloc(8), value, 0)).toThrow(RangeError)
})
