// Words of 64 bits in the pages of the portal: read, typed, drawn and sent without losing a digit.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson, typedJson, writeJson } from '../../../portal/src/api/json.js'
import {
  amountText,
  type Int64,
  int64In,
  numberIn,
  share,
  thousandsOf,
} from '../../../portal/src/api/numbers.js'

const word = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const count = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })

describe('integers of 64 bits', () => {
  it('are read with all their digits, wherever they stand', () => {
    fc.assert(
      fc.property(fc.array(word), fc.string(), (words, text) => {
        const sent = `{"words":[${words.join()}],"text":${JSON.stringify(text)}}`
        const read = readJson(sent) as { words: (number | string)[]; text: string }
        expect(read.words.map(String)).toEqual(words.map(String))
        expect(read.text).toBe(text)
      }),
    )
  })
  it('that were typed are sent as they were typed', () => {
    fc.assert(
      fc.property(fc.array(word), fc.string(), (words, text) => {
        const typed = `{"words":[${words.join()}],"text":${JSON.stringify(text)}}`
        expect(writeJson(typedJson(typed))).toBe(typed)
        expect(writeJson({ words, text })).toBe(typed)
      }),
    )
    expect(writeJson({ to: 2n ** 62n }, 2)).toBe('{\n  "to": 4611686018427387904\n}')
    expect(() => typedJson('{')).toThrow(SyntaxError)
  })
  it('of an address or a field are exact, or go as they are and are refused', () => {
    fc.assert(
      fc.property(word, (one) => {
        expect(int64In(` ${one} `)).toBe(one)
      }),
    )
    for (const text of ['', 'x', '1.5', '1e3', '0x10']) expect(int64In(text)).toBe(text)
  })
  it('are drawn in their share of the whole', () => {
    fc.assert(
      fc.property(count, count, (one, other) => {
        const [part, whole] = one < other ? [one, other] : [other, one]
        const drawn = share(part, whole)
        expect(drawn).toBeGreaterThanOrEqual(0)
        expect(drawn).toBeLessThanOrEqual(1)
        if (whole > 0n) {
          expect(BigInt(Math.floor(drawn * 1e6)) * whole <= part * 1_000_000n).toBe(true)
        }
      }),
    )
    expect([share(1n, 4n), share(0n, 0n), share(5n, 5n)]).toEqual([0.25, 0, 1])
  })
  it('are told in thousands', () => {
    const told = [0n, 999n, 1000n, 1_234_567n, 2n ** 63n - 1n].map((one) => thousandsOf(one, 5))
    expect(told.map(({ value, power }) => `${value} ${power}`)).toEqual([
      ...['0 0', '999 0', '1 1', '1.234 2', '9223372.036 4'],
    ])
  })
})

describe('the type of them', () => {
  const seq = int64In('7')
  it('is no number to the compiler: nothing computes with it by chance', () => {
    const faults = [
      // @ts-expect-error it may be text
      () => seq - 1,
      // @ts-expect-error
      () => seq * 2,
      // @ts-expect-error
      () => Math.max(0, seq),
      // @ts-expect-error
      (): number => seq,
      // @ts-expect-error a number may be rounded already
      (): Int64 => 7,
    ]
    expect(faults).toHaveLength(5)
    expect(BigInt(seq) + 1n).toBe(8n)
  })
})

describe('numbers that were typed', () => {
  it('are exact, or none', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 }), (one) => {
        expect(numberIn(String(one))).toBe(one)
      }),
    )
    expect(['1.5', ' 7 ', '007'].map(numberIn)).toEqual([1.5, 7, 7])
    for (const text of ['', 'x', '1e3', '0x10', String(2n ** 62n)]) expect(numberIn(text)).toBeNaN()
  })
  it('of money keep every digit', () => {
    expect(amountText('12345678901234567.891', 'en')).toBe('12,345,678,901,234,567.891')
    expect(amountText('7', 'de')).toBe('7,00')
  })
})
