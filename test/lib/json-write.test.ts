import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/lib/decimal.js'
import { JsonNumber, parseJson } from '../../src/lib/json.js'
import { writeJson, writeJsonInSlices } from '../../src/lib/json-write.js'

describe('writeJson', () => {
  it('writes 64-bit words and decimals as exact numbers', () => {
    const value = {
      word: 4707387510509010945n,
      price: Decimal.of('12.50'),
      raw: new JsonNumber('1.0e5'),
    }
    expect(writeJson(value)).toBe('{"word":4707387510509010945,"price":12.50,"raw":1.0e5}')
  })

  it('writes dates in UTC without idle zeros', () => {
    expect(writeJson(new Date('2025-01-05T07:00:00.500Z'))).toBe('"2025-01-05T07:00:00.5Z"')
    expect(writeJson(new Date('2025-01-05T07:00:00Z'))).toBe('"2025-01-05T07:00:00Z"')
  })

  it('keeps null members and leaves undefined ones out', () => {
    expect(writeJson({ a: null, b: undefined, c: [] })).toBe('{"a":null,"c":[]}')
  })

  it('gives a parsed document back with its order, doubled names and numbers', () => {
    const text = '{"b":1.10,"a":[true,false,null,-0,1E+2],"b":"\\u2028\\"\\\\"}'
    expect(writeJson(parseJson(text))).toBe(text.replace('\\u2028', '\u2028'))
  })

  it('writes what JSON.stringify writes where both can', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeJson(value)).toBe(JSON.stringify(value))
      }),
    )
  })

  it('gives the same text in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 40 }), async (list) => {
        const value = parseJson(JSON.stringify({ list, few: list.slice(0, 3), text: '"' }))
        expect(await writeJsonInSlices(value)).toBe(writeJson(value))
      }),
      { numRuns: 50 },
    )
    await expect(writeJsonInSlices([1, [undefined]])).rejects.toThrow(TypeError)
  })

  it('refuses what has no JSON form', () => {
    for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1, Symbol('x')]) {
      expect(() => writeJson({ value: [value] })).toThrow(TypeError)
    }
  })
})
