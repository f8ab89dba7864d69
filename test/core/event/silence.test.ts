// Until when the silence of a register is nothing special: judged by shops with habits, and by a
// year of 200 of them.
import { describe, expect, it } from 'vitest'
import { holidayHours } from '../../../src/core/event/problem/holidays.js'
import {
  cellsOf,
  expectedBy,
  usualOf,
  weeksBefore,
} from '../../../src/core/event/problem/silence.js'
import { marketOf } from '../../../src/market/index.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (text: string) => new Date(`${text}Z`)
const hourOf = (moment: number) => Math.floor(moment / HOUR)

/** Hours with a receipt in the six weeks before, open on these days (0 Sunday) at these hours. */
function habit(before: Date, days: readonly number[], [from, to]: readonly [number, number]) {
  const hours: number[] = []
  for (let hour = hourOf(before.getTime()) - 6 * 168; hour < hourOf(before.getTime()); hour += 1) {
    const moment = new Date(hour * HOUR)
    const isOpen = moment.getUTCHours() >= from && moment.getUTCHours() < to
    if (isOpen && days.includes(moment.getUTCDay())) hours.push(hour)
  }
  return { cells: cellsOf(hours, 6), weeks: 6 }
}

const WORKDAYS = [1, 2, 3, 4, 5]

describe('a shop that is open on workdays from 8 to 18', () => {
  it('is not missed over the weekend: on Tuesday afternoon, when 16 hours are missing', () => {
    // Friday, 17:30
    const last = at('2026-06-05T17:30:00')
    expect(expectedBy(habit(last, WORKDAYS, [8, 18]), last)).toEqual(at('2026-06-09T14:00:00'))
  })

  it('is missed on the next day when it falls silent in the middle of the week', () => {
    const last = at('2026-06-02T08:30:00')
    expect(expectedBy(habit(last, WORKDAYS, [8, 18]), last)).toEqual(at('2026-06-03T15:00:00'))
  })
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
  expect(expectedBy({ cells: cellsOf([], weeks), weeks }, last)).toEqual(at('2026-06-07T17:30:00'))
})

it('what usually comes is summed up over the week, from Monday on, in 100 weeks', () => {
  // two Mondays at 9 with 7 and 8 receipts, one Sunday at 23 with 3, in two weeks
  const [first, second, sunday] = ['2026-06-01T09:00', '2026-06-08T09:00', '2026-06-07T23:00'].map(
    (text) => hourOf(at(`${text}:00`).getTime()),
  )
  const usual = usualOf(
    [
      { hour: first ?? 0, receipts: 7 },
      { hour: second ?? 0, receipts: 8 },
      { hour: sunday ?? 0, receipts: 3 },
    ],
    2,
  )
  expect(usual).toHaveLength(168)
  expect([usual[8], usual[9], usual[166], usual[167]]).toEqual([0, 750, 750, 900])
})

it('a register with next to no receipts is missed in the end', () => {
  const last = at('2026-06-05T17:30:00')
  const late = expectedBy({ cells: cellsOf([], 6), weeks: 6 }, last)
  expect(late.getTime() - last.getTime()).toBe(42 * DAY)
})

/** Numbers that a test can repeat. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

interface Shop {
  days: readonly number[]
  hours: readonly [number, number]
  /** Receipts in an open hour. */
  rate: number
  /** Days of the year on which it is closed for once. */
  closed: ReadonlySet<number>
}

/** Of Austria in 2026, as the calendar has them. */
const HOLIDAYS = [
  ...['01-01', '01-06', '04-06', '05-01', '05-14', '05-25', '06-04', '08-15', '10-26', '11-01'],
  ...['12-08', '12-25', '12-26'],
]
const dayOf = (text: string) => (Date.parse(`2026-${text}Z`) - Date.UTC(2026, 0, 1)) / DAY + 1
const SUMMER = dayOf('07-20')
const AUTUMN = dayOf('11-09')

const facts = marketOf('AT').facts
const closedHours = holidayHours([{ ...facts, zone: 'UTC' }], at('2026-06-01T00:00:00')).get('AT')

it('public holidays are those of the calendar, by the clock of the country', () => {
  const hours = HOLIDAYS.flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => Date.parse(`2026-${day}Z`) / HOUR + hour),
  )
  const year = [...(closedHours ?? [])].filter(
    (hour) => new Date(hour * HOUR).getUTCFullYear() === 2026,
  )
  expect(year.toSorted((a, b) => a - b)).toEqual(hours)
  const vienna = holidayHours([facts], at('2026-06-01T00:00:00')).get('AT')
  const first = (text: string) => vienna?.has(Date.parse(text) / HOUR)
  expect([first('2026-12-24T23:00Z'), first('2026-12-24T22:00Z')]).toEqual([true, false])
  expect([first('2026-06-03T22:00Z'), first('2026-06-04T22:00Z')]).toEqual([true, false])
})

it('a holiday is waited out', () => {
  // Friday before Easter Monday, 17:30
  const last = at('2026-04-03T17:30:00')
  const by = expectedBy(habit(last, WORKDAYS, [8, 18]), last, closedHours)
  expect(by).toEqual(at('2026-04-08T14:00:00'))
})

/** Every second shop is closed in summer, for two or three weeks, and a tenth in autumn as well. */
function seasonOf(random: () => number): number[] {
  const weeks = (first: number, most: number) =>
    Array.from({ length: most * 7 }, (_, day) => first + day)
  return [
    ...(random() < 0.5 ? weeks(SUMMER + Math.floor(random() * 21), random() < 0.5 ? 2 : 3) : []),
    ...(random() < 0.1 ? weeks(AUTUMN, 2) : []),
  ]
}

function shopOf(random: () => number): Shop {
  const days = [WORKDAYS, [1, 2, 3, 4, 5, 6], [0, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]]
  const from = 6 + Math.floor(random() * 6)
  return {
    days: days[Math.floor(random() * days.length)] ?? WORKDAYS,
    hours: [from, Math.min(24, from + 7 + Math.floor(random() * 6))],
    rate: 2 + random() * 10,
    closed: new Set([...HOLIDAYS.map(dayOf), ...seasonOf(random)]),
  }
}

const isOpen = ({ days, hours: [from, to], closed }: Shop, hour: number): boolean => {
  const moment = new Date(hour * HOUR)
  const day = Math.floor((hour * HOUR - Date.UTC(2026, 0, 1)) / DAY) + 1
  const inHours = moment.getUTCHours() >= from && moment.getUTCHours() < to
  return inHours && days.includes(moment.getUTCDay()) && !closed.has(day)
}

describe('a year of 200 shops with weekends, holidays and seasonal closures', () => {
  const random = numbersFrom(7)
  const shops = Array.from({ length: 200 }, () => shopOf(random))
  const first = hourOf(Date.UTC(2026, 0, 1))
  const last = hourOf(Date.UTC(2027, 0, 1))

  it('raises at most one false alarm per shop', () => {
    let alarms = 0
    for (const shop of shops) {
      const active: number[] = []
      for (let hour = first; hour < last; hour += 1) {
        if (isOpen(shop, hour) && random() < 1 - Math.exp(-shop.rate)) active.push(hour)
      }
      for (const [nth, hour] of active.entries()) {
        const next = active[nth + 1]
        // only silence of 16 hours is looked at
        if (next === undefined || next - hour < 16 || hour - first < 6 * 168) continue
        const since = new Date(hour * HOUR + 20 * 60_000)
        const known = active.filter((one) => one <= hour && one > hour - 6 * 168)
        const by = expectedBy({ cells: cellsOf(known, 6), weeks: 6 }, since, closedHours)
        if (by.getTime() <= next * HOUR) alarms += 1
      }
    }
    expect(alarms / shops.length).toBeLessThanOrEqual(1)
  })

  it('finds a real stop when 16 hours with receipts are missing, and not before', () => {
    for (const shop of shops) {
      const active: number[] = []
      const stop = hourOf(Date.UTC(2026, 6, 15, 12))
      for (let hour = stop - 6 * 168; hour < stop; hour += 1)
        if (isOpen(shop, hour)) active.push(hour)
      const lastOne = active.at(-1) ?? stop
      const since = new Date(lastOne * HOUR + 20 * 60_000)
      // habits of six weeks, without the holiday that lay in them
      const cells = cellsOf(active, 6).map((cell) => (cell > 0 ? 100 : 0))
      const by = hourOf(expectedBy({ cells, weeks: 6 }, since).getTime())
      let missing = 0
      for (let hour = lastOne + 1; hour < by; hour += 1) if (isOpen(shop, hour)) missing += 1
      expect(missing).toBe(16)
    }
  })
})
