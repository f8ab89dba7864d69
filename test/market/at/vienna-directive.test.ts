// Local time of the exports against the law instead of the time zone database.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vienna } from '../../../src/market/at/local-time.js'

/** 01:00 UTC of the last Sunday of a month (directive 2000/84/EC, articles 2 and 3). */
function switchOf(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 0, 1))
  return last.getTime() - last.getUTCDay() * 86_400_000
}

describe('Vienna time', () => {
  it('follows the rule of the European directive at every moment from 1996 to 2037', () => {
    const from = Date.UTC(1996, 0, 1)
    const to = Date.UTC(2037, 11, 31)
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), (time) => {
        const year = new Date(time).getUTCFullYear()
        const summer = time >= switchOf(year, 3) && time < switchOf(year, 10)
        const local = new Date(time + (summer ? 2 : 1) * 3_600_000).toISOString()
        expect(vienna.text(new Date(time))).toBe(local.slice(0, 19))
      }),
      { numRuns: 500 },
    )
  })

  it('accepts the default dates that clients send', () => {
    expect(vienna.text(new Date('1970-01-01T00:00:00Z'))).toBe('1970-01-01T01:00:00')
    expect(vienna.text(new Date('0001-01-01T00:00:00Z'))).toMatch(/^0001-01-01T01:0/)
  })
})
