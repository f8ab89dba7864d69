import fc from 'fast-check'
import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'
import { CSV_START, csvLines } from '../../src/lib/csv.js'

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
