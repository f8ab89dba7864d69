// Moments and amounts as protobuf-net writes them, `bcl.DateTime` and `bcl.Decimal`. Called by
// messages.ts.
import { Decimal } from '../../../lib/decimal.js'
import type { ProtoReader, ProtoWriter } from '../../../lib/protobuf.js'

/** Milliseconds of the scales DAYS to MILLISECONDS. */
const SCALES = [86_400_000n, 3_600_000n, 60_000n, 1_000n, 1n] as const
const TICKS = 5
const MINMAX = 15
const TICKS_PER_MILLISECOND = 10_000n
/** Kind: the moment is UTC. Readers of .NET would take it for local otherwise. */
const UTC = 1

/** What a Date can hold, in milliseconds. */
const FURTHEST = 8_640_000_000_000_000n
/** The ends of DateTime. */
const FIRST_MOMENT = '0001-01-01T00:00:00Z'
const LAST_MOMENT = '9999-12-31T23:59:59.999Z'

/** The moment in ISO 8601; undefined where it is none. The kind is not believed. */
export function readMoment(reader: ProtoReader): string | undefined {
  let value = 0n
  let scale = 0
  while (reader.next()) {
    if (reader.field === 1) value = reader.sint64()
    else if (reader.field === 2) scale = reader.uint32()
    else reader.skip()
  }
  if (scale === MINMAX) return value === 1n ? LAST_MOMENT : value === -1n ? FIRST_MOMENT : undefined
  const milliseconds = millisecondsOf(value, scale)
  if (milliseconds === undefined) return undefined
  const isDate = milliseconds <= FURTHEST && milliseconds >= -FURTHEST
  return isDate ? new Date(Number(milliseconds)).toISOString() : undefined
}

function millisecondsOf(value: bigint, scale: number): bigint | undefined {
  if (scale === TICKS) {
    const whole = value / TICKS_PER_MILLISECOND
    // what is below a millisecond is cut off, also before 1970
    return value < 0n && whole * TICKS_PER_MILLISECOND !== value ? whole - 1n : whole
  }
  const unit = SCALES[scale]
  return unit === undefined ? undefined : value * unit
}

/** In the greatest unit without a rest. */
export function writeMoment(writer: ProtoWriter, moment: Date): void {
  const milliseconds = BigInt(moment.getTime())
  const scale = SCALES.findIndex((unit) => milliseconds % unit === 0n)
  const value = milliseconds / (SCALES[scale] ?? 1n)
  if (value !== 0n) writer.sint64(1, value)
  if (scale !== 0) writer.uint32(2, scale)
  writer.uint32(3, UTC)
}

/** The most decimals that a decimal of .NET has. */
const MOST_SCALE = 28

/** The number in digits; undefined where it has more decimals than there can be. */
export function readDecimal(reader: ProtoReader): string | undefined {
  let low = 0n
  let high = 0
  let signScale = 0
  while (reader.next()) {
    if (reader.field === 1) low = reader.uint64()
    else if (reader.field === 2) high = reader.uint32()
    else if (reader.field === 3) signScale = reader.uint32()
    else reader.skip()
  }
  const scale = (signScale >>> 1) & 0xffff
  if (scale > MOST_SCALE) return undefined
  const units = high === 0 ? low : (BigInt(high) << 64n) | low
  return new Decimal((signScale & 1) === 0 ? units : -units, scale).toString()
}

export function writeDecimal(writer: ProtoWriter, { units, scale }: Decimal): void {
  const digits = units < 0n ? -units : units
  const low = BigInt.asUintN(64, digits)
  const high = Number(digits >> 64n)
  const signScale = scale * 2 + (units < 0n ? 1 : 0)
  if (low !== 0n) writer.int64(1, low)
  if (high !== 0) writer.uint32(2, high)
  if (signScale !== 0) writer.uint32(3, signScale)
}
