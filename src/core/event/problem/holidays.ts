// Hours of public holidays, since 1970: a shop that keeps them and has no receipt is not missed.
import { type LocalDay, LocalTime } from '../../../lib/local-time.js'
import type { Holidays, MarketFacts } from '../../../market/facts.js'
import type { Hours } from './silence.js'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const DAY_MS = DAY_HOURS * HOUR_MS

export interface Calendar {
  /** The first hour of each holiday, in their order. */
  days: readonly number[]
  hours: Hours
}

/** Of each country, in the years around this moment. */
export function holidaysAround(
  facts: readonly MarketFacts[],
  now: Date,
): ReadonlyMap<string, Calendar> {
  const year = now.getUTCFullYear()
  return new Map(
    facts.map(({ code, zone, holidays = { fixed: [] } }) => {
      const local = new LocalTime(zone)
      const days = [year - 1, year, year + 1].flatMap((one) => daysOf(one, { local, holidays }))
      return [code, { days: days.sort((a, b) => a - b), hours: new Set(days.flatMap(hoursFrom)) }]
    }),
  )
}

export const hoursFrom = (first: number): number[] =>
  Array.from({ length: DAY_HOURS }, (_, hour) => first + hour)

function daysOf(
  year: number,
  { local, holidays }: { local: LocalTime; holidays: Holidays },
): number[] {
  const { fixed, easter = [], orthodoxEaster = [] } = holidays
  const days = [
    ...fixed.map((day) => Date.parse(`${year}-${day}T00:00:00Z`)),
    ...easter.map((behind) => easterSunday(year) + behind * DAY_MS),
    ...orthodoxEaster.map((behind) => orthodoxSunday(year) + behind * DAY_MS),
  ]
  return days.map((day) => Math.floor(local.midnight(dateOf(day)) / HOUR_MS))
}

/** Of a midnight in UTC. */
function dateOf(midnight: number): LocalDay {
  const date = new Date(midnight)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  return { year, month, day }
}

/** Midnight in UTC, by the rule of Gauss in the form of Meeus (Astronomical Algorithms, 8). */
function easterSunday(year: number): number {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const leaps = century - Math.floor(century / 4)
  const moons = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + leaps - moons + 15) % 30
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)
}

/** The same by the Julian calendar (Meeus, 8), in the days of ours. */
function orthodoxSunday(year: number): number {
  const epact = (19 * (year % 19) + 15) % 30
  const weekday = (2 * (year % 4) + 4 * (year % 7) - epact + 34) % 7
  const days = epact + weekday + 114
  const between = Math.floor(year / 100) - Math.floor(year / 400) - 2
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1 + between)
}
