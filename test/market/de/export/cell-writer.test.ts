import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../../src/lib/decimal.js'
import { CellWriter } from '../../../../src/market/de/export/dsfinvk/cell-writer.js'
import { numberCell, textCell } from '../../../../src/market/de/export/dsfinvk/cells.js'

function written(write: (writer: CellWriter) => void): string {
  const writer = new CellWriter()
  write(writer)
  return Buffer.concat([...writer.takeFull(), writer.takeRest()]).toString()
}

const text = (value: string, max = 60) => written((writer) => writer.text(value, max))
const number = (value: string, decimals: number) =>
  written((writer) => writer.number(Decimal.of(value), decimals))

describe('a text cell', () => {
  it.each([
    ['', '""'],
    ['Käse', '"Käse"'],
    ['5 €', '"5 €"'],
    ['Eis 🍨', '"Eis 🍨"'],
    ['½ "Maß"', '"½ ""Maß"""'],
    [' blank ', '"blank"'],
    ['\u00a0hard blank', '"hard blank"'],
    ['one\r\ntwo', '"one  two"'],
    ['\u0085next\u007f', '"next"'],
  ])('writes %j as %s', (value, cell) => {
    expect(text(value)).toBe(cell)
  })

  it('is cut at its length in UTF-16 units, and never through a character', () => {
    expect(text('🍨🍨🍨', 2)).toBe('"🍨"')
    expect(text('🍨🍨🍨', 3)).toBe('"🍨"')
    expect(text('🍨🍨🍨', 4)).toBe('"🍨🍨"')
    expect(text('a🍨', 2)).toBe('"a"')
    expect(text('abc', 2)).toBe('"ab"')
  })

  it('has the same bytes by the short way and by the thorough one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(40), (value, max) => {
        expect(text(value, max)).toBe(textCell(value, max))
      }),
    )
  })
})

describe('a number cell', () => {
  it.each([
    ['0', 2, '0,00'],
    ['0', 0, '0'],
    ['7', 0, '7'],
    ['10', 5, '10,00000'],
    ['-0.05', 2, '-0,05'],
    ['-1.005', 2, '-1,01'],
    ['1.004', 2, '1,00'],
    ['0.5', 3, '0,500'],
    ['999999999999999', 0, '999999999999999'],
    ['1000000000000000', 2, '1000000000000000,00'],
    ['9007199254740993', 0, '9007199254740993'],
    ['99999999999999999999999999.99', 2, '99999999999999999999999999,99'],
  ])('writes %s with %i decimals as %s', (value, decimals, cell) => {
    expect(number(value, decimals)).toBe(cell)
  })

  it('is empty for nothing, and plain for a whole number', () => {
    expect(written((writer) => writer.number(null, 2))).toBe('')
    expect(written((writer) => writer.number(12, 0))).toBe('12')
    expect(written((writer) => writer.number(12, 2))).toBe('12,00')
  })

  it('has the same bytes by the short way and by the thorough one', () => {
    const amount = fc
      .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.nat(12), fc.nat(18))
      .map(([units, scale, less]) => new Decimal(units / 10n ** BigInt(less), scale))
    fc.assert(
      fc.property(amount, fc.nat(6), (value, decimals) => {
        expect(written((writer) => writer.number(value, decimals))).toBe(
          numberCell(value, decimals),
        )
      }),
    )
  })
})

describe('blocks', () => {
  it('keep every byte in its order, however long a cell is', () => {
    const texts = Array.from({ length: 3000 }, (_, at) => 'ä'.repeat(at % 97) + at)
    const long = 'x'.repeat(100_000)
    const found = written((writer) => {
      for (const one of texts) {
        writer.text(one, 200)
        writer.sign(0x3b)
      }
      writer.text(long, long.length)
    })
    expect(found).toBe(`${texts.map((one) => `"${one}";`).join('')}"${long}"`)
  })

  it('are written again only after they were given back', () => {
    const writer = new CellWriter()
    const fill = (sign: string) => writer.bytes(Buffer.from(sign.repeat(40_000)))
    fill('a')
    const [first] = writer.takeFull()
    fill('b')
    fill('b')
    expect(first?.every((byte) => byte === 0x61)).toBe(true)
    expect(writer.fullBlocks).toBeGreaterThan(0)
  })
})
