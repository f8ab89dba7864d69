import fc from 'fast-check'
import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'
import { CSV_START, type CsvForm, csvCells, csvLines, EXACT } from '../../src/lib/csv.js'

/** As decision 0014 has it: what a spreadsheet runs, and neither numbers nor hashes. */
const FORMULA = /^(?![+-]?\d+(?:[.,]\d+)?$|[+-][\w+/-]{42}=?$)[=+\-@\t\r\n]/

describe('csvLines', () => {
  it('ends every line with CRLF and writes nothing for no rows', () => {
    expect(
      csvLines([
        ['a', 'b'],
        ['c', ''],
      ]),
    ).toBe('a;b\r\nc;\r\n')
    expect(csvLines([])).toBe('')
    expect(CSV_START).toBe('\uFEFF')
  })

  it('quotes what holds a separator, a quote or a line end, quotes doubled', () => {
    expect(csvLines([['a;b', 'a"b', 'a\nb', 'a,b']])).toBe('"a;b";"a""b";"a\nb";a,b\r\n')
  })

  it('puts an apostrophe before what a spreadsheet would run', () => {
    expect(csvLines([['=1', '+a', '-a', '@a', '\ta', '--1', '-1-1', '-1\n=2']])).toBe(
      `"'=1";"'+a";"'-a";"'@a";"'\ta";"'--1";"'-1-1";"'-1\n=2"\r\n`,
    )
  })

  it('leaves plain numbers as they are', () => {
    expect(csvLines([['-12,50', '-12.50', '+3', '0', '-0']])).toBe('-12,50;-12.50;+3;0;-0\r\n')
  })

  it('leaves a SHA-256 as it is, whatever it begins with', () => {
    const base64 = '+HYDLiSGNsMvE0fbmXKUMQbA8KFvlZELvWEQCZ1Dxow='
    const base64url = '-HYDLiSGNsMvE0fbmXKUMQbA8KFvlZELvWEQCZ1Dxow'
    expect(csvLines([[base64, base64url]])).toBe(`${base64};${base64url}\r\n`)
    expect(csvLines([[`=${base64}`, `${base64url}(1)`]])).toContain(`"'=+HYD`)
  })

  it('gives every text back to a reader, but for the apostrophe before formulas', () => {
    const cell = fc.string({ unit: 'grapheme' }).filter((text) => !/^[=+\-@\t\r\n]/.test(text))
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1 })
    fc.assert(
      fc.property(rows, (cells) => {
        const text = csvLines(cells)
        const options = { delimiter: ';', newline: '\r\n' as const }
        expect(papaparse.parse(text.slice(0, -2), options).data).toEqual(cells)
      }),
    )
  })
})

describe('csvCells', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[ \t=+\-@";,\r\n\uFEFF\u00A0a1.:]{0,4}$/),
    fc.constantFrom('-12,50', 'Käse & Brot', '2026-03-14 10:00:00', '0x4154000000000001', "'=1"),
  )
  const forms = [
    {},
    { delimiter: ',' },
    { delimiter: '\t' },
    EXACT,
    { ...EXACT, quoted: [true, false, true] },
    { quoted: [true, false, true] },
  ]

  it('writes what the library writes, in every form', () => {
    for (const form of forms) {
      const { delimiter = ';', quoted, exact = false } = form as CsvForm
      fc.assert(
        fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
          const library = papaparse.unparse([cells], {
            ...{ delimiter, newline: '\r\n', header: false },
            ...(quoted === undefined ? {} : { quotes: [...quoted] }),
            ...(exact ? {} : { escapeFormulae: FORMULA }),
          })
          expect(csvCells(cells, form)).toBe(library)
          expect(csvLines([cells, cells], form)).toBe(`${library}\r\n${library}\r\n`)
        }),
        { numRuns: 2_000 },
      )
    }
  })
})
