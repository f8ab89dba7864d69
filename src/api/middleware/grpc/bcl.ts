// Moments and amounts as protobuf-net writes them, `bcl.DateTime` and `bcl.Decimal`.
import type { Decimal } from '../../../lib/decimal.js'
import type { ProtoReader, ProtoWriter } from '../../../lib/protobuf.js'

/** Milliseconds of the scales DAYS to MILLISECONDS. */
const SCALES = [86_400_000n, 3_600_000n, 60_000n, 1_000n, 1n] as const
const MILLISECONDS = 4
const TICKS = 5
const MINMAX = 15
const TICKS_PER_MILLISECOND = 10_000n
/** Kind: the moment is UTC. Readers of .NET would take it for local otherwise. */
const UTC = 1

/** Numbers with a smaller upper half are exact. */
const SAFE_HIGH = 2 ** 20

/** What a Date can hold, in milliseconds. */
const FURTHEST = 8_640_000_000_000_000
/** The ends of DateTime. */
const FIRST_MOMENT = '0001-01-01T00:00:00Z'
const LAST_MOMENT = '9999-12-31T23:59:59.999Z'

/** The moment in ISO 8601; undefined where it is none. The kind is not believed. */
export function readMoment(reader: ProtoReader): string | undefined {
  let low = 0
  let high = 0
  let scale = 0
  while (reader.next()) {
    if (reader.field === 1) {
      low = reader.low32()
      high = reader.high
    } else if (reader.field === 2) scale = reader.low32()
    else reader.skip()
  }
  const usual = scale === MILLISECONDS && high < SAFE_HIGH ? high * 2 ** 32 + low : undefined
  if (usual === undefined) return unusualMoment((BigInt(high) << 32n) | BigInt(low), scale)
  // the sign is the last bit
  return isoOf(usual % 2 === 0 ? usual / 2 : -(usual + 1) / 2)
}

function unusualMoment(word: bigint, scale: number): string | undefined {
  const value = (word & 1n) === 0n ? word >> 1n : -((word + 1n) >> 1n)
  if (scale === MINMAX) return value === 1n ? LAST_MOMENT : value === -1n ? FIRST_MOMENT : undefined
  const milliseconds = millisecondsOf(value, scale)
  return milliseconds === undefined ? undefined : isoOf(Number(milliseconds))
}

function isoOf(milliseconds: number): string | undefined {
  if (Math.abs(milliseconds) > FURTHEST) return undefined
  return new Date(milliseconds).toISOString()
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
  let low = 0
  let middle = 0
  let high = 0
  let signScale = 0
  while (reader.next()) {
    if (reader.field === 1) {
      low = reader.low32()
      middle = reader.high
    } else if (reader.field === 2) high = reader.low32()
    else if (reader.field === 3) signScale = reader.low32()
    else reader.skip()
  }
  const scale = (signScale >>> 1) & 0xffff
  if (scale > MOST_SCALE) return undefined
  const isLarge = middle !== 0 || high !== 0
  const digits = isLarge ? largeDigits(low, middle, high) : String(low)
  return decimalText(digits, scale, (signScale & 1) === 1)
}

function largeDigits(low: number, middle: number, high: number): string {
  return ((BigInt(high) << 64n) | (BigInt(middle) << 32n) | BigInt(low)).toString()
}

function decimalText(digits: string, scale: number, isNegative: boolean): string {
  const sign = isNegative && digits !== '0' ? '-' : ''
  if (scale === 0) return sign + digits
  const whole = digits.padStart(scale + 1, '0')
  return `${sign}${whole.slice(0, -scale)}.${whole.slice(-scale)}`
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
