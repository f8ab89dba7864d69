// Local time of a country, whatever the zone of the machine is.

const QUARTER_MS = 15 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const MAX_CACHED = 256

export interface LocalDay {
  year: number
  /** 1 to 12. */
  month: number
  day: number
}

/** One for each country: it keeps the newest offsets, since Intl costs several microseconds. */
export class LocalTime {
  private readonly format: Intl.DateTimeFormat
  /** By quarters of an hour: zones change their offset at quarters only. */
  private readonly offsets = new Map<number, number>()
  /** Of the same quarters: days begin at one as well. */
  private readonly days = new Map<number, LocalDay>()
  /** The last second that was written, and its text. */
  private second = Number.NaN
  private secondText = ''

  constructor(zone: string) {
    this.format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /** `2025-01-05T08:00:00`: no zone, no fraction, the hour repeats at the end of summer time. */
  text(moment: Date): string {
    const time = moment.getTime()
    const second = Math.floor(time / 1000)
    if (second !== this.second) {
      this.secondText = this.shifted(time).toISOString().slice(0, 19)
      this.second = second
    }
    return this.secondText
  }

  day(unixMilliseconds: number): Readonly<LocalDay> {
    const quarter = Math.floor(unixMilliseconds / QUARTER_MS)
    const known = this.days.get(quarter)
    if (known !== undefined) return known
    const local = this.shifted(unixMilliseconds)
    const day = Object.freeze({
      year: local.getUTCFullYear(),
      month: local.getUTCMonth() + 1,
      day: local.getUTCDate(),
    })
    if (this.days.size >= MAX_CACHED) this.days.clear()
    this.days.set(quarter, day)
    return day
  }

  /** Counts calendar days: two moments of one day have the same number. */
  dayNumber(unixMilliseconds: number): number {
    return Math.floor(this.shifted(unixMilliseconds).getTime() / DAY_MS)
  }

  /** Midnight at the start of the month in which the moment lies, in Unix milliseconds. */
  monthStart(unixMilliseconds: number): number {
    const { year, month } = this.day(unixMilliseconds)
    const midnight = new Date(0)
    midnight.setUTCFullYear(year, month - 1, 1)
    // clocks never change on a first of the month, so the offset of that day holds at its midnight
    return midnight.getTime() - this.offsetAt(midnight.getTime())
  }

  /** The begin of a day, in Unix milliseconds; days beyond the end of a month are of the next. */
  midnight({ year, month, day }: LocalDay): number {
    const plain = Date.UTC(year, month - 1, day)
    // the offset may have changed between the two midnights
    return plain - this.offsetAt(plain - this.offsetAt(plain))
  }

  private shifted(unixMilliseconds: number): Date {
    return new Date(unixMilliseconds + this.offsetAt(unixMilliseconds))
  }

  private offsetAt(unixMilliseconds: number): number {
    const quarter = Math.floor(unixMilliseconds / QUARTER_MS)
    const known = this.offsets.get(quarter)
    if (known !== undefined) return known
    const offset = this.offsetByIntl(quarter * QUARTER_MS)
    if (this.offsets.size >= MAX_CACHED) this.offsets.clear()
    this.offsets.set(quarter, offset)
    return offset
  }

  private offsetByIntl(unixMilliseconds: number): number {
    const parts = new Map<string, number>()
    for (const { type, value } of this.format.formatToParts(unixMilliseconds)) {
      parts.set(type, Number(value))
    }
    const part = (name: string): number => parts.get(name) ?? 0
    // Date.UTC takes the years 0 to 99 for 1900 to 1999
    const local = new Date(0)
    local.setUTCFullYear(part('year'), part('month') - 1, part('day'))
    local.setUTCHours(part('hour'), part('minute'), part('second'))
    return local.getTime() - unixMilliseconds
  }
}
