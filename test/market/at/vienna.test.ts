// Local time of Austria, through both daylight switches and whatever the machine's zone is.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vienna } from '../../../src/market/at/local-time.js'

const textOf = (iso: string) => vienna.text(new Date(iso))

describe('local time', () => {
  it('is one hour ahead in winter and two in summer', () => {
    expect(textOf('2025-01-05T07:00:00Z')).toBe('2025-01-05T08:00:00')
    expect(textOf('2025-07-01T10:00:00.999Z')).toBe('2025-07-01T12:00:00')
    expect(textOf('2024-12-31T23:00:00Z')).toBe('2025-01-01T00:00:00')
  })

  it('jumps an hour forward at the start of summer time', () => {
    expect(textOf('2025-03-30T00:59:59Z')).toBe('2025-03-30T01:59:59')
    expect(textOf('2025-03-30T01:00:00Z')).toBe('2025-03-30T03:00:00')
  })

  it('repeats an hour at the end of summer time', () => {
    expect(textOf('2025-10-26T00:59:59Z')).toBe('2025-10-26T02:59:59')
    expect(textOf('2025-10-26T01:00:00Z')).toBe('2025-10-26T02:00:00')
    expect(textOf('2025-10-26T01:59:59Z')).toBe('2025-10-26T02:59:59')
    expect(textOf('2025-10-26T02:00:00Z')).toBe('2025-10-26T03:00:00')
  })

  it('agrees with the time zone database at any moment of the twentieth century and later', () => {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Vienna',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    const moments = fc.date({
      min: new Date('1946-01-01T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(moments, (moment) => {
        expect(vienna.text(moment)).toBe(format.format(moment).replace(' ', 'T'))
      }),
      { numRuns: 300 },
    )
  })
})

describe('local days', () => {
  const dayOf = (iso: string) => vienna.day(Date.parse(iso))

  it('begin at midnight in Vienna', () => {
    expect(dayOf('2025-01-31T22:59:59Z')).toEqual({ year: 2025, month: 1, day: 31 })
    expect(dayOf('2025-01-31T23:00:00Z')).toEqual({ year: 2025, month: 2, day: 1 })
    expect(dayOf('2025-07-31T22:00:00Z')).toEqual({ year: 2025, month: 8, day: 1 })
  })

  it('are given for moments that only a wrong clock can name', () => {
    expect(dayOf('0001-01-01T12:00:00Z')).toEqual({ year: 1, month: 1, day: 1 })
    expect(dayOf('0099-12-31T12:00:00Z')).toEqual({ year: 99, month: 12, day: 31 })
  })

  it('start their month at its first midnight in Vienna', () => {
    const startOf = (iso: string) => new Date(vienna.monthStart(Date.parse(iso))).toISOString()
    expect(startOf('2025-01-05T07:00:00Z')).toBe('2024-12-31T23:00:00.000Z')
    expect(startOf('2025-01-31T23:30:00Z')).toBe('2025-01-31T23:00:00.000Z')
    expect(startOf('2025-04-15T07:00:00Z')).toBe('2025-03-31T22:00:00.000Z')
    expect(startOf('2025-03-31T07:00:00Z')).toBe('2025-02-28T23:00:00.000Z')
    expect(startOf('2025-11-01T07:00:00Z')).toBe('2025-10-31T23:00:00.000Z')
  })
})
