// The wire of Protocol Buffers: the examples of its documentation, and what is no message.
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtoError, ProtoReader, ProtoWriter } from '../../src/lib/protobuf.js'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
function readerAt(hex: string): ProtoReader {
  const reader = new ProtoReader(bytes(hex))
  expect(reader.next()).toBe(true)
  return reader
}
const written = (write: (writer: ProtoWriter) => void): string => {
  const writer = new ProtoWriter()
  write(writer)
  return writer.finish().toString('hex')
}
const passes = (hex: string) => () => {
  const reader = new ProtoReader(bytes(hex))
  while (reader.next()) reader.skip()
}

describe('the examples of the documentation', () => {
  it('150 is 96 01, and -2 has ten bytes', () => {
    expect(readerAt('08 96 01').int64()).toBe(150n)
    expect(readerAt('08 feffffffffffffffff01').int64()).toBe(-2n)
    expect(written((writer) => writer.int64(1, 150n))).toBe('089601')
    expect(written((writer) => writer.int64(1, -2n))).toBe('08feffffffffffffffff01')
  })

  it('"testing" is 12 07 and its letters', () => {
    expect(readerAt('12 07 74657374696e67').text()).toBe('testing')
    expect(written((writer) => writer.text(2, 'testing'))).toBe('120774657374696e67')
  })

  it('zigzag: 0, -1, 1, -2, 2147483647, -2147483648', () => {
    const table: [bigint, string][] = [
      [0n, '0800'],
      [-1n, '0801'],
      [1n, '0802'],
      [-2n, '0803'],
      [2147483647n, '08feffffff0f'],
      [-2147483648n, '08ffffffff0f'],
    ]
    for (const [value, hex] of table) {
      expect(readerAt(hex).sint64(), hex).toBe(value)
      expect(written((writer) => writer.sint64(1, value))).toBe(hex)
    }
  })

  it('a message in field 3 is 1a and its length', () => {
    const reader = readerAt('1a 03 089601 10 01')
    const outer = reader.enter()
    expect(reader.next()).toBe(true)
    expect(reader.int64()).toBe(150n)
    expect(reader.next()).toBe(false)
    reader.leave(outer)
    expect([reader.next(), reader.field, reader.int64()]).toEqual([true, 2, 1n])
    expect(written((writer) => writer.message(3, () => writer.int64(1, 150n)))).toBe('1a03089601')
  })
})

const own = loadSync('bcl.proto', { includeDirs: ['test/support/grpc'], longs: String })
const decimals = own['bcl.Decimal'] as MessageTypeDefinition<object, Record<string, string>>
const times = own['bcl.TimeSpan'] as MessageTypeDefinition<object, Record<string, string>>

describe('the usual library', () => {
  it('reads every number as it was written, and is read', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.nat(2 ** 31), (long, short) => {
        const writer = new ProtoWriter()
        writer.int64(1, long)
        writer.uint32(2, short)
        const told = decimals.deserialize(writer.finish())
        expect([String(told.lo), told.hi]).toEqual([String(long), short])
        const reader = new ProtoReader(decimals.serialize({ lo: String(long), hi: short }))
        const read = { lo: 0n, hi: 0 }
        while (reader.next()) {
          if (reader.field === 1) read.lo = reader.uint64()
          else read.hi = reader.low32()
        }
        expect(read).toEqual({ lo: long, hi: short })
      }),
    )
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => {
        const writer = new ProtoWriter()
        writer.sint64(1, value)
        expect(String(times.deserialize(writer.finish()).value)).toBe(String(value))
      }),
    )
  })

  it('reads texts and messages of every length', () => {
    const echo = loadSync('IPOS.proto', { includeDirs: ['test/support/grpc'], keepCase: true })
    const type = echo['fiskaltrust.ifPOS.v1.EchoRequest'] as MessageTypeDefinition<
      object,
      { Message: string }
    >
    for (const length of [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152]) {
      const text = 'ü🌍x'.repeat(length / 4).padEnd(length, 'y')
      const writer = new ProtoWriter()
      writer.text(1, text)
      expect(type.deserialize(writer.finish()).Message === text, String(length)).toBe(true)
      const reader = new ProtoReader(writer.finish())
      expect(reader.next() && reader.text() === text).toBe(true)
    }
  })
})

describe('bytes that are no message', () => {
  it.each([
    ['a number without an end', '08 ff'],
    ['a number of eleven bytes', '08 ffffffffffffffffffffff01'],
    ['a text without its end', '12 07 7465'],
    ['a length beyond 32 bits', '12 ffffffffff0f 00'],
    ['field number 0', '00 01'],
    ['a field number of more than 29 bits', 'f8ffffff1f 01'],
    ['a tag of 64 bits', '88808080808001 01'],
    ['kind 6', '0e 01'],
    ['kind 7', '0f 01'],
    ['the end of a group that never began', '0c'],
    ['a group without an end', '0b 0801'],
    ['a group that ends as another one', '0b 14'],
    ['groups in groups', `${'0b'.repeat(40)}${'0c'.repeat(40)}`],
    ['four bytes of which two are missing', '0d 0000'],
    ['eight bytes of which one is missing', '09 00000000000000'],
  ])('%s', (_name, hex) => {
    expect(passes(hex)).toThrow(ProtoError)
  })

  it('a text that is no UTF-8, a number that is a text, a text that is a number', () => {
    expect(() => readerAt('12 01 ff').text()).toThrow('no UTF-8')
    expect(() => readerAt('12 01 31').int64()).toThrow('field 2 is a length, not a number')
    expect(() => readerAt('08 01').text()).toThrow('field 1 is a number, not a length')
    expect(() => readerAt('0d 00000000').enter()).toThrow('four bytes')
  })

  it('unknown fields of every kind are passed by', () => {
    expect(passes('0801 0900000000000000ff 1203616263 1b08961c1b1c1c 2500000000')).not.toThrow()
  })

  it('any bytes end soon, in a message or in an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (some) => {
        const reader = new ProtoReader(Buffer.from(some))
        try {
          while (reader.next()) reader.skip()
        } catch (error) {
          expect(error).toBeInstanceOf(ProtoError)
        }
      }),
    )
  })
})
