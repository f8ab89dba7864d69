// Reads the date forms that registers send.

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d:?\d\d)?)?$/
const WCF = /^\/Date\((-?\d{1,15})(?:[.,]\d+)?(?:[+-]\d{4})?\)\/$/
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

export interface ParsedMoment {
  date: Date
  /** True for the `/Date(…)/` form. */
  wcf: boolean
}

/**
 * ISO 8601 with Z, offset or no zone (then UTC), `T` or blank, up to 9 fraction digits, without
 * seconds (`T10:15Z`) or as a day alone, which is its midnight in UTC; or
 * `/Date(milliseconds)/`, whose offset part is ignored because the number is UTC already.
 * Returns undefined for anything else and for days that do not exist.
 */
export function parseMoment(text: string): ParsedMoment | undefined {
  const usual = parseUsual(text)
  if (usual !== undefined) return usual
  const wcf = WCF.exec(text)
  if (wcf !== null) return within(Number(wcf[1]), true)
  const found = ISO.exec(text)
  if (found === null) return undefined
  const parts = found.slice(1, 7).map((text) => Number(text ?? 0))
  const [year, month, day, hour, minute, second] = parts
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

/**
 * `2026-01-31T10:15:00Z` and `2026-01-31T10:15:00.123Z`, the usual forms, without a regular
 * expression.
 */
function parseUsual(text: string): ParsedMoment | undefined {
  const { length } = text
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== 0x5a) return undefined
  const marks = text[4] === '-' && text[7] === '-' && text[10] === 'T'
  if (!marks || text[13] !== ':' || text[16] !== ':') return undefined
  if (length === 24 && text[19] !== '.') return undefined
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  const millisecond = length === 24 ? digits(text, 20, 23) : 0
  // days above 28 and early years take the thorough way; NaN fails every comparison
  if (!(year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28)) return undefined
  if (!(hour <= 23 && minute <= 59 && second <= 59 && millisecond >= 0)) return undefined
  return {
    date: new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond)),
    wcf: false,
  }
}

function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** `yyyyMMddHHmmss` in UTC. */
export function digitsOf(moment: Date): string {
  return moment.toISOString().replace(/\D/g, '').slice(0, 14)
}
