// Local time of Austria, whatever the zone of the machine is.

const QUARTER_MS = 15 * 60 * 1000
const MAX_CACHED = 256

const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Vienna',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
})

const offsets = new Map<number, number>()

/**
 * Milliseconds that Vienna is ahead of UTC. Asked once per quarter of an hour: zones change their
 * offset at quarters only, and Intl costs several microseconds.
 */
function offsetAt(unixMilliseconds: number): number {
  const quarter = Math.floor(unixMilliseconds / QUARTER_MS)
  const known = offsets.get(quarter)
  if (known !== undefined) return known
  const offset = offsetByIntl(quarter * QUARTER_MS)
  if (offsets.size >= MAX_CACHED) offsets.clear()
  offsets.set(quarter, offset)
  return offset
}

function offsetByIntl(unixMilliseconds: number): number {
  const parts = new Map<string, number>()
  for (const { type, value } of format.formatToParts(unixMilliseconds)) {
    parts.set(type, Number(value))
  }
  const part = (name: string): number => parts.get(name) ?? 0
  // Date.UTC takes the years 0 to 99 for 1900 to 1999
  const local = new Date(0)
  local.setUTCFullYear(part('year'), part('month') - 1, part('day'))
  local.setUTCHours(part('hour'), part('minute'), part('second'))
  return local.getTime() - unixMilliseconds
}

/** `2025-01-05T08:00:00`: no zone, no fraction, the hour repeats at the end of summer time. */
export function viennaText(moment: Date): string {
  const milliseconds = moment.getTime()
  return new Date(milliseconds + offsetAt(milliseconds)).toISOString().slice(0, 19)
}

export interface LocalDay {
  year: number
  /** 1 to 12. */
  month: number
  day: number
}

export function viennaDay(unixMilliseconds: number): LocalDay {
  const local = new Date(unixMilliseconds + offsetAt(unixMilliseconds))
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
  }
}

/** Midnight in Vienna at the start of the month in which the moment lies, in Unix milliseconds. */
export function viennaMonthStart(unixMilliseconds: number): number {
  const { year, month } = viennaDay(unixMilliseconds)
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, month - 1, 1)
  // clocks never change on a first of the month, so the offset of that day holds at its midnight
  return midnight.getTime() - offsetAt(midnight.getTime())
}
