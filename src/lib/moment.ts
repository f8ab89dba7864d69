// Reads the date forms that registers send. Called by the wire codecs.

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|z|[+-]\d\d:?\d\d)?$/
const WCF = /^\/Date\((-?\d{1,15})(?:[.,]\d+)?(?:[+-]\d{4})?\)\/$/
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

export interface ParsedMoment {
  date: Date
  /** True for the `/Date(…)/` form. */
  wcf: boolean
}

/**
 * ISO 8601 with Z, offset or no zone (then UTC), `T` or blank, up to 9 fraction digits; or
 * `/Date(milliseconds)/`, whose offset part is ignored because the number is UTC already.
 * Returns undefined for anything else and for days that do not exist.
 */
export function parseMoment(text: string): ParsedMoment | undefined {
  const wcf = WCF.exec(text)
  if (wcf !== null) return within(Number(wcf[1]), true)
  const found = ISO.exec(text)
  if (found === null) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (hour === undefined || minute === undefined || second === undefined) return undefined
  if (hour > 23 || minute > 59 || second > 59 || day < 1) return undefined
  const millisecond = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  date.setUTCHours(hour, minute, second, millisecond)
  const offset = offsetMinutes(found[8])
  return offset === undefined ? undefined : within(date.getTime() - offset * 60_000, false)
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 14 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

function within(milliseconds: number, wcf: boolean): ParsedMoment | undefined {
  if (milliseconds < EARLIEST || milliseconds > LATEST) return undefined
  return { date: new Date(milliseconds), wcf }
}
