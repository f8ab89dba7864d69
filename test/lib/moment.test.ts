// Every date form that registers send, against instants written out by hand.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMoment } from '../../src/lib/moment.js'

const iso = (text: string) => parseMoment(text)?.date.toISOString()

describe('the forms of the field', () => {
  it.each([
    ['2020-06-29T17:45:40.505Z', '2020-06-29T17:45:40.505Z'],
    ['2020-06-29T17:45:40Z', '2020-06-29T17:45:40.000Z'],
    ['2020-06-29T17:45:40.5Z', '2020-06-29T17:45:40.500Z'],
    ['2020-06-29T17:45:40.50Z', '2020-06-29T17:45:40.500Z'],
    ['2020-06-29T17:45:40.5054Z', '2020-06-29T17:45:40.505Z'],
    ['2020-06-29T17:45:40.50541Z', '2020-06-29T17:45:40.505Z'],
    ['2020-06-29T17:45:40.505412Z', '2020-06-29T17:45:40.505Z'],
    ['2020-06-29T17:45:40.5054129Z', '2020-06-29T17:45:40.505Z'],
    ['2020-06-29T19:45:40+02:00', '2020-06-29T17:45:40.000Z'],
    ['2020-06-29T12:15:40-05:30', '2020-06-29T17:45:40.000Z'],
    ['2020-06-29T19:45:40.505+0200', '2020-06-29T17:45:40.505Z'],
    ['2020-04-05 10:49:20', '2020-04-05T10:49:20.000Z'],
    ['2020-04-05T10:49:20', '2020-04-05T10:49:20.000Z'],
    ['2020-04-05 10:49:20.123', '2020-04-05T10:49:20.123Z'],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['2026-12-31T23:59:59-01:00', '2027-01-01T00:59:59.000Z'],
    ['2026-11-22', '2026-11-22T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-22T10:00Z', '2026-11-22T10:00:00.000Z'],
    ['2026-11-22T10:00', '2026-11-22T10:00:00.000Z'],
    ['2026-11-22 10:00', '2026-11-22T10:00:00.000Z'],
    ['2026-11-22T10:00+01:00', '2026-11-22T09:00:00.000Z'],
  ])('%s', (text, expected) => {
    expect(iso(text)).toBe(expected)
    expect(parseMoment(text)?.wcf).toBe(false)
  })

  it.each([
    ['/Date(1593452740505)/', '2020-06-29T17:45:40.505Z'],
    ['/Date(1593452740505+0200)/', '2020-06-29T17:45:40.505Z'],
    ['/Date(1593452740505-0330)/', '2020-06-29T17:45:40.505Z'],
    ['/Date(0)/', '1970-01-01T00:00:00.000Z'],
    ['/Date(-1)/', '1969-12-31T23:59:59.999Z'],
    ['/Date(-62135596800000)/', '0001-01-01T00:00:00.000Z'],
    ['/Date(1795212145)/', '1970-01-21T18:40:12.145Z'],
    ['/Date(1795212145.25)/', '1970-01-21T18:40:12.145Z'],
    ['/Date(1795212145,25)/', '1970-01-21T18:40:12.145Z'],
  ])('%s', (text, expected) => {
    expect(iso(text)).toBe(expected)
    expect(parseMoment(text)?.wcf).toBe(true)
  })
})

describe('what is no instant', () => {
  it.each([
    ...['', 'now', '2026', '2026-01', '20260131T101500Z', '31.01.2026 10:15:00'],
    ...['2026-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2026-02-30T00:00:00Z'],
    ...['2026-04-31T00:00:00Z', '2026-00-10T00:00:00Z', '2026-13-01T00:00:00Z'],
    ...['2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z', '2026-01-01T24:00:00Z'],
    ...['2026-01-01T10:60:00Z', '2026-01-01T10:15:60Z', '2026-01-01T10:60Z'],
    ...['2026-01-01T24:00Z', '2026-01-01T10Z', '2026-01-01T10', '2026-01-01T', '2026-01-01Z'],
    ...['2026-02-30', '2026-13-01', '2026-01-01+01:00', '2026-01-01T10:15.5Z', '2026-01-01T10:15:'],
    ...['2026-01-01T10:15:00.Z', '2026-01-01T10:15:00.1234567890Z', '2026-01-01T10:15:00+15:00'],
    ...['2026-01-01T10:15:00+01:60', '2026-01-01T10:15:00+1', '2026-01-01T10:15:00ZZ'],
    ...[' 2026-01-01T10:15:00Z', '2026-01-01T10:15:00Z ', '2026-01-01T10:15:00Z\n'],
    ...['0000-01-01T00:00:00Z', '10000-01-01T00:00:00Z', '-2026-01-01T00:00:00Z'],
    ...['2026-1-1T00:00:00Z', '２０26-01-01T00:00:00Z', '2026-01-01t00:00:00'],
    ...[
      '/Date()/',
      '/Date(abc)/',
      '/Date(1)',
      'Date(1)',
      '/Date(1+2)/',
      '/Date(1 )/',
      '\\/Date(1)\\/',
    ],
    ...['/Date(9999999999999999)/', '/Date(253402300800000)/', '/Date(-62135596800001)/'],
    ...['/date(1)/', '/Date(1e3)/', '/Date(0x10)/', '/Date(--1)/'],
  ])('%j is refused', (text) => {
    expect(parseMoment(text)).toBeUndefined()
  })
})

describe('the calendar', () => {
  it('every day from 1899 to 2101 exists exactly as in Date', () => {
    const two = (number: number) => String(number).padStart(2, '0')
    for (let year = 1899; year <= 2101; year += 1) {
      for (let month = 1; month <= 12; month += 1) {
        const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
        for (let day = 27; day <= 32; day += 1) {
          const text = `${year}-${two(month)}-${two(day)}T12:00:00Z`
          expect(iso(text), text).toBe(day <= days ? text.replace('Z', '.000Z') : undefined)
        }
      }
    }
  })

  it('every instant comes back from its own text, in every form', () => {
    const instants = fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
        const text = date.toISOString()
        expect(iso(text)).toBe(text)
        expect(iso(text.replace('Z', '').replace('T', ' '))).toBe(text)
        expect(iso(`/Date(${date.getTime()})/`)).toBe(text)
        const local = new Date(date.getTime() + offset * 60_000).toISOString().replace('Z', '')
        const size = Math.abs(offset)
        const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
        const zone = `${two(size / 60)}:${two(size % 60)}`
        expect(iso(`${local}${offset < 0 ? '-' : '+'}${zone}`)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})
