// Austrian legal time: the clock on a wall in Vienna for an instant. Called by payload and exports.

export interface ViennaParts {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const HOUR_MS = 3_600_000
const MEMO_HOURS = 20_000
const offsetNames = new Intl.DateTimeFormat('en', {
  timeZone: 'Europe/Vienna',
  timeZoneName: 'longOffset',
})
// The offset is asked once per hour of history: the formatter takes microseconds, the map does not.
const offsetOfHour = new Map<number, number>()

function offsetMs(unixMilliseconds: number): number {
  const hour = Math.floor(unixMilliseconds / HOUR_MS)
  const known = offsetOfHour.get(hour)
  if (known !== undefined) return known
  const found = /GMT\+(\d\d):(\d\d)(?::(\d\d))?/.exec(offsetNames.format(unixMilliseconds))
  if (found === null) throw new Error('no time zone data for Europe/Vienna')
  const minutes = Number(found[1]) * 60 + Number(found[2])
  const offset = minutes * 60_000 + Number(found[3] ?? 0) * 1000
  if (offsetOfHour.size >= MEMO_HOURS) offsetOfHour.clear()
  offsetOfHour.set(hour, offset)
  return offset
}

/** Vienna's clock as if it were UTC: only its UTC getters mean something. */
function shifted(date: Date): Date {
  const time = date.getTime()
  return new Date(time + offsetMs(time))
}

export function viennaParts(date: Date): ViennaParts {
  const local = shifted(date)
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
  }
}

/** `2025-01-05T08:00:00`: local time without zone and fraction, as field 4 of the code wants it. */
export function viennaText(date: Date): string {
  return shifted(date).toISOString().replace(/\.\d+Z$/, '')
}
