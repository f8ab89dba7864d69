// Expected values are computed here with BigInt fractions, or written out by hand.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal, formatCents } from '../../src/lib/decimal.js'

/** A decimal text as it could be written, with its value as units / 10^28. */
const UNIT = 10n ** 28n

const texts = fc
  .record({
    sign: fc.constantFrom('', '-', '+'),
    whole: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    fraction: fc.stringMatching(/^\d{0,13}$/),
  })
  .map(({ sign, whole, fraction }) => {
    const digits = fraction === '' ? '' : `.${fraction}`
    const units = whole * UNIT + BigInt(fraction.padEnd(28, '0'))
    return { text: `${sign}${whole}${digits}`, units: sign === '-' ? -units : units }
  })

function unitsOf(value: Decimal): bigint {
  return value.units * 10n ** BigInt(28 - value.scale)
}

describe('Decimal.parse', () => {
  it('is exact for every notation', () => {
    fc.assert(
      fc.property(texts, ({ text, units }) => {
        expect(unitsOf(Decimal.of(text))).toBe(units)
      }),
      { numRuns: 1000 },
    )
  })

  it('moves the point by the exponent', () => {
    const cases: [string, string][] = [
      ['1e2', '100'],
      ['1E-2', '0.01'],
      ['-1.50e1', '-15.0'],
      ['12.5e+3', '12500'],
      ['123e-28', '0.0000000000000000000000000123'],
      ['0e999', '0'],
      ['0e-999', '0'],
      ['0.0000e5', '0'],
    ]
    for (const [text, value] of cases) expect(Decimal.of(text).toString()).toBe(value)
  })

  it.each(['1.10', '-0.5', '.5', '5.', '+3', '007', '0.1', '79228162514264337593543950335'])(
    'reads %s',
    (text) => {
      expect(Decimal.parse(text)).toBeDefined()
    },
  )

  it.each([
    ...['', '-', '+', '.', 'e1', '1e', '1e+', '--1', '1-', '1,5', '1 000', ' 1', '0x10', 'NaN'],
    ...['Infinity', '1.2.3', '1e1.5', '１', '1e9999', '1_0', '-.', '1e29', '1e-29'],
    '123456789012345678901234567890',
    '0.12345678901234567890123456789',
  ])('refuses %j', (text) => {
    expect(Decimal.parse(text)).toBeUndefined()
  })

  it('refuses two million digits without counting them one by one', () => {
    expect(Decimal.parse('9'.repeat(2_000_000))).toBeUndefined()
    expect(Decimal.parse(`0.${'9'.repeat(2_000_000)}`)).toBeUndefined()
    expect(Decimal.parse(`${'0'.repeat(2_000_000)}7`)?.toString()).toBe('7')
  })

  it('throws for texts of the program itself that are none', () => {
    expect(() => Decimal.of('12,50')).toThrow('12,50')
  })
})

describe('arithmetic', () => {
  it('adds, subtracts, multiplies and compares like whole numbers', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [x, y] = [Decimal.of(a.text), Decimal.of(b.text)]
        expect(unitsOf(x.plus(y))).toBe(a.units + b.units)
        expect(unitsOf(x.minus(y))).toBe(a.units - b.units)
        expect(unitsOf(x.negated())).toBe(-a.units)
        expect(x.times(y).units * 10n ** BigInt(56 - x.times(y).scale)).toBe(a.units * b.units)
        expect(x.equals(y)).toBe(a.units === b.units)
        expect(x.equals(Decimal.of(x.toString()))).toBe(true)
        expect([x.isZero, x.isNegative, x.isPositive]).toEqual([
          a.units === 0n,
          a.units < 0n,
          a.units > 0n,
        ])
      }),
      { numRuns: 1000 },
    )
  })

  it('rounds to whole cents, halves away from zero', () => {
    fc.assert(
      fc.property(texts, ({ text, units }) => {
        const cent = UNIT / 100n
        const size = units < 0n ? -units : units
        const cents = (2n * size + cent) / (2n * cent)
        expect(Decimal.of(text).toCents()).toBe(units < 0n ? -cents : cents)
      }),
      { numRuns: 1000 },
    )
    const halves: [string, bigint][] = [
      ['0.005', 1n],
      ['-0.005', -1n],
      ['0.0049999999', 0n],
      ['1.015', 102n],
      ['-1.015', -102n],
      ['2.5', 250n],
      ['3', 300n],
    ]
    for (const [text, cents] of halves) expect(Decimal.of(text).toCents()).toBe(cents)
  })

  it('does not fall into the traps of binary fractions', () => {
    expect(Decimal.of('0.1').plus(Decimal.of('0.2')).toString()).toBe('0.3')
    expect(Decimal.of('1.1').times(Decimal.of('1.1')).toString()).toBe('1.21')
    expect(Decimal.of('1.005').toCents()).toBe(101n)
  })
})

describe('writing', () => {
  it('keeps the scale, and drops idle zeros when asked to', () => {
    const cases: [string, string, string][] = [
      ['12.50', '12.50', '12.5'],
      ['3', '3', '3'],
      ['100', '100', '100'],
      ['-0.500', '-0.500', '-0.5'],
      ['0.00', '0.00', '0'],
      ['-0.00', '0.00', '0'],
      ['.5', '0.5', '0.5'],
      ['1000.000', '1000.000', '1000'],
    ]
    for (const [text, whole, short] of cases) {
      expect([Decimal.of(text).toString(), Decimal.of(text).toShortString()]).toEqual([
        whole,
        short,
      ])
    }
  })

  it('reads its own text back', () => {
    fc.assert(
      fc.property(texts, ({ text }) => {
        const value = Decimal.of(text)
        expect(Decimal.of(value.toString())).toEqual(value)
        expect(Decimal.of(value.toShortString()).equals(value)).toBe(true)
        expect(Decimal.stored(value.toString()).equals(value)).toBe(true)
      }),
    )
  })

  it('writes cents with either sign of the point', () => {
    expect(formatCents(-123456n, ',')).toBe('-1234,56')
    expect(formatCents(5n, '.')).toBe('0.05')
    expect(formatCents(0n, ',')).toBe('0,00')
    expect(Decimal.cents(-1n).toString()).toBe('-0.01')
  })
})
