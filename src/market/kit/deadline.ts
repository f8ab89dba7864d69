// Last days of duties by a country's calendar. A last day ends with its last moment there; none is
// moved behind a weekend or a holiday, which is never later than the law allows.
import type { LocalDay, LocalTime } from '../../lib/local-time.js'

const WEEK_DAYS = 7

/** The day with the same name a week later. */
export function weekAfter(zone: LocalTime, moment: Date): Date {
  const { year, month, day } = zone.day(moment.getTime())
  return endOf(zone, { year, month, day: day + WEEK_DAYS })
}

/** The day with the same number a month later, or the last one of a month that has none. */
export function monthAfter(zone: LocalTime, moment: Date): Date {
  const { year, month, day } = zone.day(moment.getTime())
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return endOf(zone, { year, month: month + 1, day: Math.min(day, last) })
}

/** A day of the year after the one in which the moment lies. */
export function nextYear(
  zone: LocalTime,
  moment: Date,
  { month, day }: Omit<LocalDay, 'year'>,
): Date {
  const { year } = zone.day(moment.getTime())
  return endOf(zone, { year: year + 1, month, day })
}

function endOf(zone: LocalTime, { year, month, day }: LocalDay): Date {
  return new Date(zone.midnight({ year, month, day: day + 1 }) - 1)
}
