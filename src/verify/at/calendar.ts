// Austrian local time as receipts print it: no zone, so one hour in October comes twice.

const VIENNA = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Vienna',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** The moment as field 4 would print it: 2025-01-05T08:00:00. */
export function viennaTime(moment: Date): string {
  return VIENNA.format(moment).replace(' ', 'T')
}

/** True for a step back within the hour from 02:00 that comes twice on one Sunday of October. */
export function inRepeatedHour(before: string, after: string): boolean {
  const day = before.slice(0, 11)
  if (!after.startsWith(day) || day.slice(5, 7) !== '10') return false
  const hours = before.slice(11, 13) === '02' && after.slice(11, 13) === '02'
  return hours && isLastSunday(day.slice(0, 10))
}

/**
 * Summer time ends on the last Sunday of October (directive 2000/84/EC): one of the last 7 days.
 */
function isLastSunday(day: string): boolean {
  return Number(day.slice(8)) >= 25 && new Date(`${day}T00:00:00Z`).getUTCDay() === 0
}
