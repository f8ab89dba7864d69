// The v0/v1 code tables: every charge item code with its bucket, pay items, paths.
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/lib/decimal.js'
import { chargeRow, isCash, pathOf } from '../../../src/market/at/cases.js'

const NAMES = ['Normal', 'Erm1', 'Erm2', 'Null', 'Besonders']

/** Code, bucket, turnover; written down from the public code table, not from the program. */
const chargeTable: [number, string, boolean][] = [
  [0x01, 'Erm1', true],
  [0x02, 'Erm2', true],
  [0x03, 'Normal', true],
  [0x04, 'Besonders', true],
  [0x05, 'Null', true],
  [0x06, 'Null', true],
  [0x07, 'Null', false],
  [0x08, 'Erm1', true],
  [0x09, 'Erm2', true],
  [0x0a, 'Normal', true],
  [0x0b, 'Besonders', true],
  [0x0c, 'Null', true],
  [0x0d, 'Erm1', true],
  [0x0e, 'Erm2', true],
  [0x0f, 'Normal', true],
  [0x10, 'Besonders', true],
  [0x11, 'Null', true],
  [0x12, 'Erm1', true],
  [0x13, 'Erm2', true],
  [0x14, 'Normal', true],
  [0x15, 'Besonders', true],
  [0x16, 'Null', true],
  [0x17, 'Erm1', true],
  [0x18, 'Erm2', true],
  [0x19, 'Normal', true],
  [0x1a, 'Besonders', true],
  [0x1b, 'Null', true],
  [0x1c, 'Erm1', true],
  [0x1d, 'Erm2', true],
  [0x1e, 'Normal', true],
  [0x1f, 'Besonders', true],
  [0x20, 'Null', true],
  [0x21, 'Null', false],
  [0x22, 'Null', true],
  [0x23, 'Null', false],
  [0x24, 'Erm1', false],
  [0x25, 'Erm2', false],
  [0x26, 'Normal', false],
  [0x27, 'Besonders', false],
]

const rate = (text: string) => Decimal.of(text)

describe('charge items', () => {
  it.each(chargeTable)('code %i goes into its bucket whatever the rate says', (code, name, own) => {
    for (const text of ['0', '10', '13', '20', '4.9']) {
      const row = chargeRow(code, rate(text))
      expect([NAMES[row.bucket], row.turnover]).toEqual([name, own])
    }
  })

  it('only 0022 is an obligation with RKSV duty', () => {
    const codes = chargeTable.map(([code]) => code)
    expect(codes.filter((code) => chargeRow(code, rate('20')).obligation)).toEqual([0x22])
  })

  it.each([0x00, 0x28, 0x29, 0xff, 0xffff])('code %i goes by its rate', (code) => {
    const named = (text: string) => {
      const row = chargeRow(code, rate(text))
      return [NAMES[row.bucket], row.turnover]
    }
    expect(named('10')).toEqual(['Erm1', true])
    expect(named('13.0')).toEqual(['Erm2', true])
    expect(named('20')).toEqual(['Normal', true])
    expect(named('20.00')).toEqual(['Normal', true])
    expect(named('0')).toEqual(['Null', true])
    expect(named('0.00')).toEqual(['Null', true])
    expect(named('19')).toEqual(['Besonders', true])
    expect(named('4.9')).toEqual(['Besonders', true])
    expect(named('-20')).toEqual(['Besonders', true])
  })
})

describe('pay items', () => {
  it('0000 to 000A are cash, everything else is not', () => {
    const codes = Array.from({ length: 0x20 }, (_, code) => code)
    expect(codes.filter(isCash)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(isCash(0xffff)).toBe(false)
  })
})

describe('receipt cases', () => {
  it('0002 to 0006 have a path of their own, all others run as point of sale', () => {
    const codes = Array.from({ length: 0x12 }, (_, code) => code)
    expect(codes.map(pathOf)).toEqual([
      ...['pos', 'pos', 'zero', 'start', 'stop', 'monthly', 'yearly'],
      ...Array.from({ length: 0x0b }, () => 'pos'),
    ])
    expect(pathOf(0xffff)).toBe('pos')
  })
})
