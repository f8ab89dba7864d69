import fc from 'fast-check'
import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'
import { CsvReader } from '../../src/lib/csv-records.js'

function read(pieces: readonly string[], separator = ';'): string[][] {
  const reader = new CsvReader(separator)
  const records = [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()]
  return records.map(({ cells }) => cells)
}

describe('records of a table', () => {
  it.each([
    ['all three line ends, mixed', 'a;b\r\nc;d\ne;f\rg;h', ['a b', 'c d', 'e f', 'g h']],
    ['an empty last line', 'a;b\r\n', ['a b']],
    ['quotes with separators and line breaks', '"a;1\r\n2";b', ['a;1\r\n2 b']],
    ['doubled quotes', '"a ""b""";c', ['a "b" c']],
    ['a quote inside a plain value', 'a"b;c', ['a"b c']],
    ['empty values', ';;', ['  ']],
    ['a value in quotes that is empty', '"";a', [' a']],
  ])('are read with %s', (_name, text, expected) => {
    expect(read([text]).map((cells) => cells.join(' '))).toEqual(expected)
  })

  it('are the same wherever the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1 }),
        fc.array(fc.nat(200)),
        (rows, cuts) => {
          const text = papaparse.unparse(rows, { delimiter: ';', newline: '\r\n', quotes: true })
          const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
          const pieces = places.slice(1).map((end, at) => text.slice(places[at], end))
          expect(read(pieces)).toEqual(rows)
        },
      ),
    )
  })

  it('keep a thousand values of a record, and count the others', () => {
    const reader = new CsvReader(';')
    const [record] = [...reader.push(`${';'.repeat(5_000)}\n`)]
    expect([record?.cells.length, record?.count]).toEqual([1_000, 5_001])
  })
})
