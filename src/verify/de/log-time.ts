// Log times of a TSE in the forms of TR-03151: as DER, as part of a file name, as a moment.

export type TimeFormat = 'unixTime' | 'utcTime' | 'generalizedTime'

export interface LogTime {
  format: TimeFormat
  /** Unix milliseconds. */
  moment: number
  /** As the file name repeats it: `1767258000`, `260101090000Z`, `20260101090000Z`. */
  label: string
}

/** First part of a log file's name. */
export const TIME_PREFIX: Record<TimeFormat, string> = {
  unixTime: 'Unixt',
  utcTime: 'Utc',
  generalizedTime: 'Gent',
}

export function unixTime(seconds: number): LogTime {
  return { format: 'unixTime', moment: seconds * 1000, label: String(seconds) }
}

const UTC = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/
const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,3}))?Z$/

/** `YYMMDDhhmm[ss]Z`; undefined for anything else. Two-digit years are of 1950 to 2049 (X.509). */
export function utcTime(text: string): LogTime | undefined {
  const found = UTC.exec(text)
  if (found === null) return undefined
  const year = Number(found[1])
  const full = String(year < 50 ? 2000 + year : 1900 + year)
  const moment = momentOf([full, ...found.slice(2)], '0')
  return moment === undefined ? undefined : { format: 'utcTime', moment, label: text }
}

/** `YYYYMMDDhhmmss[.fff]Z`; undefined for anything else. */
export function generalizedTime(text: string): LogTime | undefined {
  const found = GENERALIZED.exec(text)
  if (found === null) return undefined
  const moment = momentOf(found.slice(1, 7), found[7] ?? '0')
  const label = text.replace(/\.\d+/, '')
  return moment === undefined ? undefined : { format: 'generalizedTime', moment, label }
}

function momentOf(parts: (string | undefined)[], fraction: string): number | undefined {
  const [year, month, day, hour, minute, second = '00'] = parts
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`
  const moment = Date.parse(iso)
  if (Number.isNaN(moment)) return undefined
  return new Date(moment).toISOString() === iso ? moment : undefined
}

/** `2026-01-01T09:00:00.000Z` */
export function iso(moment: number): string {
  return Math.abs(moment) <= 8.64e15 ? new Date(moment).toISOString() : `${moment} ms`
}
