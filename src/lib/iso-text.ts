// Moments of a query as people write them, in the one form that moments are read in.

const DAY = String.raw`(\d{4}-\d\d-\d\d)`
const TIME = String.raw`(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?`
const ZONE = String.raw`([Zz]|[+\- ]\d\d(?::?\d\d)?)?`
const WRITTEN = new RegExp(String.raw`^${DAY}(?:[Tt ]${TIME}\s*${ZONE})?$`)
const DAY_MS = 24 * 3_600_000

interface Written {
  day: string
  hour: string
  minute: string
  second: string
  fraction: string
  zone: string
}

/** A blank in front of an offset was a plus: that is what becomes of it in a query. */
function writtenIn(text: string): Written | undefined {
  const found = WRITTEN.exec(text.trim())
  if (found === null) return undefined
  const [, day = '', hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = found
  const sign = zone.replace(/^ /, '+').toUpperCase()
  const offset = /^[+-]\d\d$/.test(sign) ? `${sign}:00` : sign
  return { day, hour, minute, second, fraction, zone: offset }
}

/**
 * `2026-01-31`, `2026-01-31T10:15`, `2026-01-31T24:00+02:00` and their like with seconds;
 * undefined: something else. Whether the day exists is not looked at.
 */
export function isoOf(text: string): string | undefined {
  const found = writtenIn(text)
  if (found === undefined) return undefined
  const { day, hour, minute, second, fraction, zone } = found
  const late = hour === '24' && Number(`${minute}${second}${fraction}`) === 0
  const shown = late ? dayAfter(day) : day
  return `${shown}T${late ? '00' : hour}:${minute}:${second}.${fraction}${zone}`
}

/** Whether it is the beginning of a day where it was written; 24:00 is the end of one. */
export function isMidnight(text: string): boolean {
  const found = writtenIn(text)
  if (found === undefined) return false
  return Number(`${found.hour}${found.minute}${found.second}${found.fraction}`) === 0
}

function dayAfter(day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight)) return day
  return new Date(midnight + DAY_MS).toISOString().slice(0, 10)
}
