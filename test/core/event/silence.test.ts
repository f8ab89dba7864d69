// Until when the silence of a register is nothing special: judged by shops with habits. A year of
// many of them, in a database: silence-year.test.ts.
import { describe, expect, it } from 'vitest'
import { holidaysAround, hoursFrom } from '../../../src/core/event/problem/holidays.js'
import {
  expectedBy,
  habitOf,
  sellsOn,
  weeksBefore,
} from '../../../src/core/event/problem/silence.js'
import { marketOf } from '../../../src/market/index.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (text: string) => new Date(`${text}Z`)
const hourOf = (moment: number) => Math.floor(moment / HOUR)

type Span = readonly [number, number]

/** Hours of the six weeks before, open on these days (0 Sunday) at these hours. */
function openHours(before: Date, days: readonly number[], spans: readonly Span[]): number[] {
  const to = hourOf(before.getTime())
  return Array.from({ length: 6 * 168 }, (_, nth) => to - 6 * 168 + 1 + nth).filter((hour) => {
    const moment = new Date(hour * HOUR)
    const isOpen = spans.some(
      ([from, until]) => moment.getUTCHours() >= from && moment.getUTCHours() < until,
    )
    return isOpen && days.includes(moment.getUTCDay())
  })
}

/** What was learnt from a receipt in each of these hours. */
const learnt = (hours: readonly number[], before: Date, closed?: ReadonlySet<number>) => ({
  ...habitOf(
    hours.map((hour) => ({ hour, receipts: 1 })),
    { weeks: 6, to: hourOf(before.getTime()) },
    closed,
  ),
  weeks: 6,
})

const habit = (before: Date, days: readonly number[], ...spans: readonly Span[]) =>
  learnt(openHours(before, days, spans), before)

const WORKDAYS = [1, 2, 3, 4, 5]

describe('a shop that is open on workdays from 8 to 18', () => {
  it('is not missed over the weekend, but on the morning behind a whole day', () => {
    // Friday, 17:30
    const last = at('2026-06-05T17:30:00')
    expect(expectedBy(habit(last, WORKDAYS, [8, 18]), last)).toEqual(at('2026-06-09T11:00:00'))
  })

  it('is missed on the next day when it falls silent in the middle of the week', () => {
    const last = at('2026-06-02T08:30:00')
    expect(expectedBy(habit(last, WORKDAYS, [8, 18]), last)).toEqual(at('2026-06-03T12:00:00'))
  })

  it('is not missed for a day off that nobody knows of', () => {
    const last = at('2026-06-03T17:30:00')
    const by = expectedBy(habit(last, WORKDAYS, [8, 18]), last)
    expect(by.getTime()).toBeGreaterThan(at('2026-06-05T10:00:00').getTime())
  })
})

it('a shop that is open for 16 hours is missed when those are missing, and no later', () => {
  const last = at('2026-06-02T21:30:00')
  const by = expectedBy(habit(last, [0, 1, 2, 3, 4, 5, 6], [6, 22]), last)
  expect(by).toEqual(at('2026-06-03T22:00:00'))
})

it('a night bar has business days that end in the morning', () => {
  // Friday and Saturday from 20:00 to 4:00; the last receipt on Sunday at 3:30
  const last = at('2026-06-07T03:30:00')
  const nights = [
    ...[openHours(last, [5, 6], [[20, 24]]), openHours(last, [6, 0], [[0, 4]])],
  ].flat()
  // one whole night, and two hours of the next
  expect(expectedBy(learnt(nights, last), last)).toEqual(at('2026-06-13T22:00:00'))
})

it('a break at noon ends no business day', () => {
  const last = at('2026-06-02T17:30:00')
  const by = expectedBy(habit(last, WORKDAYS, [8, 12], [14, 18]), last)
  expect(by).toEqual(at('2026-06-04T10:00:00'))
})

it('a shop that never closes is missed after 16 whole hours', () => {
  const last = at('2026-06-05T17:30:00')
  const always = habit(last, [0, 1, 2, 3, 4, 5, 6], [0, 24])
  expect(expectedBy(always, last)).toEqual(at('2026-06-06T10:00:00'))
})

it('without three weeks of history it is two days', () => {
  const last = at('2026-06-05T17:30:00')
  const weeks = weeksBefore(at('2026-05-18T17:30:00'), last)
  expect(weeks).toBe(2)
  expect(expectedBy({ cells: [], weeks }, last)).toEqual(at('2026-06-07T17:30:00'))
})

it('what usually comes is summed up over the week, from Monday on, in 100 weeks', () => {
  // each of two weeks: at 9 on Monday 7 receipts, at 23 on Sunday 3
  const hours = [
    ...['2026-06-01T09:00', '2026-06-08T09:00'].map((text) => ({ text, receipts: 7 })),
    ...['2026-06-07T23:00', '2026-06-14T23:00'].map((text) => ({ text, receipts: 3 })),
  ].map(({ text, receipts }) => ({ hour: hourOf(at(`${text}:00`).getTime()), receipts }))
  const { cells, usual } = habitOf(hours, {
    weeks: 2,
    to: Math.max(...hours.map((one) => one.hour)),
  })
  expect([cells.length, cells[8], cells[9], cells[167]]).toEqual([168, 0, 100, 100])
  expect(usual).toHaveLength(168)
  expect([usual[8], usual[9], usual[166], usual[167]]).toEqual([0, 700, 700, 1000])
})

describe('what is learnt', () => {
  const last = at('2026-06-05T17:30:00')
  const hours = openHours(last, WORKDAYS, [[8, 18]])
  const cellOf = (cells: readonly number[], day: number, hour: number) => cells[day * 24 + hour]

  it('weeks in which a shop was closed do not count', () => {
    const [from, to] = ['2026-05-11T00:00', '2026-05-25T00:00'].map((text) =>
      hourOf(at(`${text}:00`).getTime()),
    )
    const open = hours.filter((hour) => hour < (from ?? 0) || hour >= (to ?? 0))
    expect(open.length).toBe(hours.length - 100)
    expect(learnt(open, last).cells).toEqual(learnt(hours, last).cells)
  })

  it('a public holiday does not count, whoever has receipts then', () => {
    // Whit Monday
    const holiday = new Set(hoursFrom(Date.parse('2026-05-25T00:00Z') / HOUR))
    const open = hours.filter((hour) => !holiday.has(hour))
    expect(open.length).toBe(hours.length - 10)
    expect(learnt(open, last, holiday).cells).toEqual(learnt(hours, last).cells)
    expect(learnt(hours, last, holiday).cells).toEqual(learnt(hours, last).cells)
    expect(cellOf(learnt(open, last).cells, 0, 9)).toBeLessThan(100)
  })

  it('the newest weeks count most: a new day off is none of the usual ones after two weeks', () => {
    const isTuesday = (hour: number) => new Date(hour * HOUR).getUTCDay() === 2
    const to = hourOf(last.getTime())
    const cellsOf = (weeks: number) =>
      learnt(
        hours.filter((hour) => !isTuesday(hour) || to - hour >= weeks * 168),
        last,
      ).cells
    expect([0, 1, 2].map((weeks) => cellOf(cellsOf(weeks), 1, 9))).toEqual([100, 58, 33])
  })
})

it('an hour that a shop has given up is not expected', () => {
  const last = at('2026-06-05T17:30:00')
  const { cells } = habit(last, WORKDAYS, [8, 18])
  // the Monday of most other weeks
  const given = cells.map((cell, place) => (place < 24 ? Math.round(cell * 0.4) : cell))
  expect(expectedBy({ cells: given, weeks: 6 }, last)).toEqual(at('2026-06-10T11:00:00'))
})

it('a new register is not missed at hours at which it was closed before', () => {
  // new on a Monday; the second Friday, 17:30
  const last = at('2026-06-12T17:30:00')
  const first = hourOf(at('2026-06-01T08:00:00').getTime())
  const hours = openHours(last, WORKDAYS, [[8, 18]]).filter((hour) => hour >= first)
  const { cells } = habitOf(
    hours.map((hour) => ({ hour, receipts: 1 })),
    { weeks: 1, to: hourOf(last.getTime()) },
  )
  expect(expectedBy({ cells, weeks: 1 }, last)).toEqual(at('2026-06-16T11:00:00'))
  // never sooner than after two days
  const always = cells.map(() => 100)
  expect(expectedBy({ cells: always, weeks: 1 }, last)).toEqual(at('2026-06-14T17:30:00'))
})

describe('who sells on public holidays', () => {
  const last = at('2026-06-10T17:30:00')
  const { cells } = habit(last, WORKDAYS, [8, 18])
  // Ascension Day, Whit Monday, Corpus Christi, and a Sunday
  const days = ['2026-05-14', '2026-05-25', '2026-06-04', '2026-05-31'].map((day) =>
    hoursFrom(Date.parse(`${day}T00:00Z`) / HOUR),
  )
  const sold = (nth: number) => (days[nth] ?? []).slice(8, 18)

  it('is who did on most of those that were no days off', () => {
    expect(sellsOn(days, { cells, active: new Set([...sold(0), ...sold(2)]) })).toBe(true)
    expect(sellsOn(days, { cells, active: new Set(sold(1)) })).toBe(false)
  })

  it('a receipt or two is no business day, and who has seen no holiday keeps them', () => {
    const few = new Set([0, 1, 2].flatMap((nth) => sold(nth).slice(0, 2)))
    expect(sellsOn(days, { cells, active: few })).toBe(false)
    expect(sellsOn([], { cells, active: new Set() })).toBe(false)
    expect(sellsOn(days.slice(3), { cells, active: new Set(sold(3)) })).toBe(false)
  })
})

it('a register with next to no receipts is missed in the end', () => {
  const last = at('2026-06-05T17:30:00')
  const late = expectedBy({ cells: [], weeks: 6 }, last)
  expect(late.getTime() - last.getTime()).toBe(42 * DAY)
})

/** Of Austria in 2026, as the calendar has them. */
const HOLIDAYS = [
  ...['01-01', '01-06', '04-06', '05-01', '05-14', '05-25', '06-04', '08-15', '10-26', '11-01'],
  ...['12-08', '12-25', '12-26'],
]
const facts = marketOf('AT').facts
const june = at('2026-06-01T00:00:00')
const closedHours = holidaysAround([{ ...facts, zone: 'UTC' }], june).get('AT')?.hours

it('public holidays are those of the calendar, by the clock of the country', () => {
  const hours = HOLIDAYS.flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => Date.parse(`2026-${day}Z`) / HOUR + hour),
  )
  const year = [...(closedHours ?? [])].filter(
    (hour) => new Date(hour * HOUR).getUTCFullYear() === 2026,
  )
  expect(year.toSorted((a, b) => a - b)).toEqual(hours)
  const vienna = holidaysAround([facts], june).get('AT')?.hours
  const first = (text: string) => vienna?.has(Date.parse(text) / HOUR)
  expect([first('2026-12-24T23:00Z'), first('2026-12-24T22:00Z')]).toEqual([true, false])
  expect([first('2026-06-03T22:00Z'), first('2026-06-04T22:00Z')]).toEqual([true, false])
})

it('a holiday on which the clocks change begins by the clock before', () => {
  const beginOf = (market: string, day: string) =>
    holidaysAround([marketOf(market).facts], at(`${day}T12:00:00`))
      .get(market)
      ?.days.find((hour) => Math.abs(hour * HOUR - at(`${day}T00:00:00`).getTime()) < 12 * HOUR)
  expect(beginOf('AT', '2031-10-26')).toBe(hourOf(Date.parse('2031-10-25T22:00Z')))
  expect(beginOf('GR', '2029-03-25')).toBe(hourOf(Date.parse('2029-03-24T22:00Z')))
  expect(beginOf('PT', '2027-03-28')).toBe(hourOf(Date.parse('2027-03-28T00:00Z')))
})

it('a holiday is waited out', () => {
  // Friday before Easter Monday, 17:30
  const last = at('2026-04-03T17:30:00')
  const by = expectedBy(habit(last, WORKDAYS, [8, 18]), last, closedHours)
  expect(by).toEqual(at('2026-04-08T11:00:00'))
})

it('Easter of the Orthodox churches is that of their calendar', () => {
  const greece = holidaysAround([{ ...marketOf('GR').facts, zone: 'UTC' }], june).get('GR')
  const days = greece?.days.map((hour) => new Date(hour * HOUR).toISOString().slice(0, 10)) ?? []
  const fixed = ['-01-01', '-01-06', '-03-25', '-05-01', '-08-15', '-10-28', '-12-25', '-12-26']
  expect(days.filter((day) => !fixed.includes(day.slice(4)))).toEqual([
    // Clean Monday, Good Friday, Easter Monday, Monday of the Holy Spirit
    ...['2025-03-03', '2025-04-18', '2025-04-21', '2025-06-09'],
    ...['2026-02-23', '2026-04-10', '2026-04-13', '2026-06-01'],
    ...['2027-03-15', '2027-04-30', '2027-05-03', '2027-06-21'],
  ])
})

it.each(['AT', 'DE', 'ES', 'FR', 'GR', 'IT', 'PT'])('%s has public holidays', (code) => {
  const { days = [] } = holidaysAround([marketOf(code).facts], june).get(code) ?? {}
  expect(days.length).toBeGreaterThanOrEqual(3 * 9)
})
