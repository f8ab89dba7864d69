// Exports of a simulated FCC: messages of a time, as a TAR in Base64.
import type { Entry } from '../security-unit.js'

export interface TimeRange {
  start: Date
  end: Date
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Undefined: it is none. */
export function rangeOf(query: URLSearchParams): TimeRange | undefined {
  const [from, to] = [query.get('startDate') ?? '', query.get('endDate') ?? '']
  const isWhole = MOMENT.test(from) && MOMENT.test(to) && from <= to
  return isWhole ? { start: new Date(from), end: new Date(to) } : undefined
}

/** First and last second are of it. */
export function entriesOf(entries: readonly Entry[], { start, end }: TimeRange): Entry[] {
  const [from, to] = [start.getTime() / 1000, end.getTime() / 1000]
  return entries.filter(({ time }) => time >= from && time <= to)
}

/** Piece by piece. */
export function* base64Of(pieces: Iterable<Buffer>): Generator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    if (whole > 0) yield Buffer.from(bytes.subarray(0, whole).toString('base64'))
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'))
}
