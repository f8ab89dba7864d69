// Vectors: the published table of ticks (1970, 2019-12-03, 2020-06-29, 2025-01-05).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoText, ticksOf, UNIX_EPOCH_TICKS, unixMillisecondsOf } from '../../src/lib/ticks.js'

describe('ticks', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 621355968000000000n],
    ['2019-12-03T03:00:29.933Z', 637109388299330000n],
    ['2020-06-29T17:45:40.505Z', 637290495405050000n],
    ['2025-01-05T07:00:00Z', 638716572000000000n],
    ['0001-01-01T00:00:00Z', 0n],
    ['9999-12-31T23:59:59.999Z', 3155378975999990000n],
  ])('%s', (text, ticks) => {
    expect(ticksOf(Date.parse(text))).toBe(ticks)
    expect(unixMillisecondsOf(ticks)).toBe(Date.parse(text))
  })

  it('what is below a millisecond is cut off', () => {
    expect(unixMillisecondsOf(UNIX_EPOCH_TICKS + 19_999n)).toBe(1)
  })
})

describe('isoText', () => {
  it.each([
    ['2025-01-05T07:00:00.000Z', '2025-01-05T07:00:00Z'],
    ['2025-01-05T07:00:00.500Z', '2025-01-05T07:00:00.5Z'],
    ['2025-01-05T07:00:00.120Z', '2025-01-05T07:00:00.12Z'],
    ['2025-01-05T07:00:00.123Z', '2025-01-05T07:00:00.123Z'],
    ['2025-01-05T07:00:10.000Z', '2025-01-05T07:00:10Z'],
    ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00Z'],
  ])('%s', (text, short) => {
    expect(isoText(new Date(text))).toBe(short)
  })

  it('says the same instant', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), noInvalidDate: true }), (date) => {
        fc.pre(date.getUTCFullYear() <= 9999)
        expect(Date.parse(isoText(date))).toBe(date.getTime())
      }),
    )
  })
})
