// Hours of public holidays, since 1970: a shop that has no receipt then is not missed.
import type { Holidays, MarketFacts } from '../../../market/facts.js'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const DAY_MS = DAY_HOURS * HOUR_MS

type Hours = ReadonlySet<number>

/** Of each country, in the years around this moment. */
export function holidayHours(facts: readonly MarketFacts[], now: Date): ReadonlyMap<string, Hours> {
  const year = now.getUTCFullYear()
  return new Map(
    facts.map(({ code, zone, holidays }) => {
      const years = holidays === undefined ? [] : [year - 1, year, year + 1]
      return [code, new Set(years.flatMap((one) => hoursOf(one, { zone, holidays })))]
    }),
  )
}

function hoursOf(
  year: number,
  { zone, holidays }: { zone: string; holidays: Holidays | undefined },
): number[] {
  const { fixed = [], easter = [] } = holidays ?? {}
  const sunday = easterSunday(year)
  const days = [
    ...fixed.map((day) => Date.parse(`${year}-${day}T00:00:00Z`)),
    ...easter.map((behind) => sunday + behind * DAY_MS),
  ]
  return days.flatMap((day) => {
    const first = Math.floor((day - offsetMs(zone, day + DAY_MS / 2)) / HOUR_MS)
    return Array.from({ length: DAY_HOURS }, (_, hour) => first + hour)
  })
}

/** How far the clocks of a zone are before those of UTC. */
function offsetMs(timeZone: string, moment: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const parts = format.formatToParts(moment)
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * (HOUR_MS / 60))
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
