import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { viennaDay, viennaText } from '../../../src/market/at/vienna.js'
import examples from './vectors/dep7-examples.json' with { type: 'json' }

/** 01:00 UTC of the last Sunday of a month (directive 2000/84/EC, articles 2 and 3). */
function switchOf(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 0, 1))
  return last.getTime() - last.getUTCDay() * 86_400_000
}

describe('Vienna time', () => {
  it('is the time of the published examples', () => {
    const moments: Record<string, string> = {
      'ft0#1': '2025-01-05T07:00:00Z',
      'ft1#2': '2025-01-05T07:15:30Z',
      'ft1A#8': '2025-07-01T10:00:00Z',
    }
    for (const [identification, utc] of Object.entries(moments)) {
      const receipt = examples.receipts.find((one) => one.identification === identification)
      expect(viennaText(new Date(utc))).toBe(receipt?.payload.split('_')[4])
    }
  })

  it('jumps from 01:59:59 to 03:00:00 in March and repeats an hour in October', () => {
    expect(viennaText(new Date('2025-03-30T00:59:59.999Z'))).toBe('2025-03-30T01:59:59')
    expect(viennaText(new Date('2025-03-30T01:00:00Z'))).toBe('2025-03-30T03:00:00')
    expect(viennaText(new Date('2025-10-26T00:59:59Z'))).toBe('2025-10-26T02:59:59')
    expect(viennaText(new Date('2025-10-26T01:00:00Z'))).toBe('2025-10-26T02:00:00')
  })

  it('follows the rule of the European directive at every moment from 1996 to 2037', () => {
    const from = Date.UTC(1996, 0, 1)
    const to = Date.UTC(2037, 11, 31)
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), (time) => {
        const year = new Date(time).getUTCFullYear()
        const summer = time >= switchOf(year, 3) && time < switchOf(year, 10)
        const local = new Date(time + (summer ? 2 : 1) * 3_600_000).toISOString()
        expect(viennaText(new Date(time))).toBe(local.slice(0, 19))
      }),
      { numRuns: 500 },
    )
  })

  it('does not depend on the zone of the server', () => {
    const before = process.env.TZ
    process.env.TZ = 'America/New_York'
    expect(viennaText(new Date('2024-02-29T23:30:00Z'))).toBe('2024-03-01T00:30:00')
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })

  it('begins the day at midnight in Vienna', () => {
    const newYear = { year: 2026, month: 1, day: 1 }
    expect(viennaDay(Date.UTC(2025, 11, 31, 22, 59))).toEqual({ year: 2025, month: 12, day: 31 })
    expect(viennaDay(Date.UTC(2025, 11, 31, 23, 0))).toEqual(newYear)
  })

  it('accepts the default dates that clients send', () => {
    expect(viennaText(new Date('1970-01-01T00:00:00Z'))).toBe('1970-01-01T01:00:00')
    expect(viennaText(new Date('0001-01-01T00:00:00Z'))).toMatch(/^0001-01-01T01:0/)
  })
})
