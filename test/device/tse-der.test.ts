// Elements as our writer makes them, read by a library for ASN.1.
import * as asn1js from 'asn1js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { element, elementLength, integer, text } from '../../src/device/tse/der.js'

function read(bytes: Buffer) {
  const { offset, result } = asn1js.fromBER(bytes)
  expect(offset, result.error).toBe(bytes.length)
  return result
}

const octets = fc
  .oneof(
    fc.integer({ min: 0, max: 300 }),
    fc.constantFrom(127, 128, 255, 256, 65_535, 65_536, 70_000),
  )
  .map((length) => Buffer.alloc(length, length % 251))

describe('elements of log messages', () => {
  it('have the length that they say, of whatever length they are', () => {
    fc.assert(
      fc.property(octets, octets, (first, second) => {
        const bytes = element(0x04, first, second)
        expect(bytes.length).toBe(elementLength(first.length + second.length))
        const found = read(bytes) as asn1js.OctetString
        expect(Buffer.from(found.getValue())).toEqual(Buffer.concat([first, second]))
      }),
    )
  })

  it('carry whole numbers as short as they can be', () => {
    const corners = [
      0,
      1,
      127,
      128,
      255,
      256,
      32_767,
      32_768,
      2 ** 31,
      2 ** 32 - 1,
      2 ** 32,
      2 ** 40,
    ]
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...corners), fc.maxSafeNat()), (value) => {
        const bytes = integer(0x02, value)
        expect((read(bytes) as asn1js.Integer).toBigInt()).toBe(BigInt(value))
        expect(bytes.length).toBe(asn1js.Integer.fromBigInt(value).toBER().byteLength)
      }),
    )
  })

  it('carry texts', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9 '()+,\-./:=?]{0,200}$/), (value) => {
        const found = read(text(0x13, value)) as asn1js.PrintableString
        expect(found.getValue()).toBe(value)
      }),
    )
  })
})
