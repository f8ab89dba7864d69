// Exact decimals: an integer and a scale. Money is never a double.

const TEXT = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/
const MAX_DIGITS = 29
const MAX_SCALE = 28

/** value = units / 10^scale; scale is at least 0. */
export class Decimal {
  static readonly ZERO = new Decimal(0n, 0)
  readonly units: bigint
  readonly scale: number

  constructor(units: bigint, scale: number) {
    this.units = units
    this.scale = scale
  }

  /**
   * The same for whole units that a double holds exactly. Prices and rates come again and again:
   * those that came last are not made anew. `units`: no negative zero.
   */
  static small(units: number, scale: number): Decimal {
    const place = (Math.abs(units) * MOST_SCALES + scale) % KNOWN.length
    const known = KNOWN[place]
    if (known !== undefined && KNOWN_UNITS[place] === units && known.scale === scale) return known
    const made = new Decimal(BigInt(units), scale)
    KNOWN[place] = made
    KNOWN_UNITS[place] = units
    return made
  }

  /**
   * Reads `-12.50`, `1e2`, `.5`. Returns undefined for anything else, and for numbers that need
   * more than 29 digits or 28 decimals (the range that the field's clients can send).
   */
  static parse(text: string): Decimal | undefined {
    return text.length <= SHORT_TEXT ? (parseShort(text) ?? parseAny(text)) : parseAny(text)
  }

  /** Like parse, for texts that the program itself wrote. */
  static of(text: string): Decimal {
    const value = Decimal.parse(text)
    if (value === undefined) throw new Error(`not a decimal: ${text}`)
    return value
  }

  /** A number as PostgreSQL writes it, of any length; zeros at its end do not count. */
  static stored(text: string): Decimal {
    const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
    const point = short.indexOf('.')
    return new Decimal(BigInt(short.replace('.', '')), point < 0 ? 0 : short.length - point - 1)
  }

  static cents(cents: bigint): Decimal {
    return new Decimal(cents, 2)
  }

  plus(other: Decimal): Decimal {
    if (this === Decimal.ZERO) return other
    if (this.scale === other.scale) return new Decimal(this.units + other.units, this.scale)
    const scale = Math.max(this.scale, other.scale)
    return new Decimal(this.at(scale) + other.at(scale), scale)
  }

  minus(other: Decimal): Decimal {
    return this.plus(other.negated())
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.units * other.units, this.scale + other.scale)
  }

  negated(): Decimal {
    return new Decimal(-this.units, this.scale)
  }

  get isZero(): boolean {
    return this.units === 0n
  }

  get isNegative(): boolean {
    return this.units < 0n
  }

  get isPositive(): boolean {
    return this.units > 0n
  }

  equals(other: Decimal): boolean {
    if (this.scale === other.scale) return this.units === other.units
    const scale = Math.max(this.scale, other.scale)
    const [mine, its] = [this.double(scale), other.double(scale)]
    if (Number.isSafeInteger(mine) && Number.isSafeInteger(its)) return mine === its
    return this.at(scale) === other.at(scale)
  }

  /** Whole cents, halves away from zero: 0.005 is 1, -0.005 is -1. */
  toCents(): bigint {
    if (this.scale <= 2) {
      const cents = this.double(2)
      return Number.isSafeInteger(cents) ? BigInt(cents) : this.at(2)
    }
    const divisor = 10n ** BigInt(this.scale - 2)
    const half = divisor / 2n
    return this.units < 0n ? -((-this.units + half) / divisor) : (this.units + half) / divisor
  }

  /** Plain notation with the scale that it has: `12.50`, `-0.5`, `3`. */
  toString(): string {
    if (this.scale === 0) return this.units.toString()
    const negative = this.units < 0n
    const digits = (negative ? -this.units : this.units).toString().padStart(this.scale + 1, '0')
    const point = digits.length - this.scale
    return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
  }

  /** The same without trailing zeros: `12.5`, `3`. */
  toShortString(): string {
    const small = Number(this.units)
    if (this.scale <= FEW_DECIMALS && Number.isSafeInteger(small)) {
      return shortText(small, this.scale)
    }
    const text = this.toString()
    return this.scale === 0 ? text : text.replace(/\.?0+$/, '').replace(/^-0$/, '0')
  }

  /** The same in a double; exact where that is a safe integer. */
  private double(scale: number): number {
    return Number(this.units) * 10 ** (scale - this.scale)
  }

  private at(scale: number): bigint {
    return scale === this.scale ? this.units : this.units * 10n ** BigInt(scale - this.scale)
  }
}

const FEW_DECIMALS = 6

function shortText(units: number, scale: number): string {
  let [rest, decimals] = [Math.abs(units), scale]
  while (decimals > 0 && rest % 10 === 0) {
    rest /= 10
    decimals -= 1
  }
  const sign = units < 0 ? '-' : ''
  if (decimals === 0) return `${sign}${rest}`
  const one = 10 ** decimals
  const part = rest % one
  return `${sign}${(rest - part) / one}.${String(part).padStart(decimals, '0')}`
}

const MOST_SCALES = 4
const KNOWN = new Array<Decimal | undefined>(1024).fill(undefined)
const KNOWN_UNITS = new Float64Array(KNOWN.length)

/** Cents as a text with two decimals: formatCents(-123456n, ',') is `-1234,56`. */
export function formatCents(cents: bigint, separator: '.' | ','): string {
  const small = Number(cents)
  if (Number.isSafeInteger(small)) {
    const size = Math.abs(small)
    const rest = size % 100
    const whole = (size - rest) / 100
    return `${small < 0 ? '-' : ''}${whole}${separator}${rest < 10 ? '0' : ''}${rest}`
  }
  const text = new Decimal(cents, 2).toString()
  return separator === '.' ? text : text.replace('.', ',')
}

/** The tax inside of a gross amount in cents, at a rate in percent; halves away from zero. */
export function taxInside(gross: bigint, { units, scale }: Decimal): bigint {
  const whole = 100n * 10n ** BigInt(scale) + units
  return (2n * gross * units + whole) / (2n * whole)
}

/** So short that its digits fit a double exactly. */
const SHORT_TEXT = 15

/** The usual case, digits with at most one point, without a regular expression. */
function parseShort(text: string): Decimal | undefined {
  const negative = text.charCodeAt(0) === 0x2d
  let value = 0
  let point = -1
  const start = negative ? 1 : 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) value = value * 10 + code - 0x30
    else if (code === 0x2e && point < 0 && at > start) point = at
    else return undefined
  }
  if (start === text.length) return undefined
  return Decimal.small(
    negative && value !== 0 ? -value : value,
    point < 0 ? 0 : text.length - point - 1,
  )
}

function parseAny(text: string): Decimal | undefined {
  const found = TEXT.exec(text)
  if (found === null) return undefined
  const whole = found[2] ?? ''
  const fraction = found[3] ?? ''
  if (whole === '' && fraction === '') return undefined
  let digits = whole + fraction
  let scale = fraction.length - Number(found[4] ?? 0)
  if (scale < 0 && scale >= -MAX_SCALE) {
    digits += '0'.repeat(-scale)
    scale = 0
  }
  if (scale < 0 || scale > MAX_SCALE) return /[1-9]/.test(digits) ? undefined : Decimal.ZERO
  if (digits.length > MAX_DIGITS && digits.replace(/^0+/, '').length > MAX_DIGITS) return undefined
  const units = BigInt(digits)
  return new Decimal(found[1] === '-' ? -units : units, scale)
}

/** In doubles as long as these are exact, as they are for all but absurd amounts. */
export function totalOf(lines: readonly { readonly amount: Decimal }[]): Decimal {
  let units = 0
  let scale = 0
  for (let at = 0; at < lines.length; at += 1) {
    const { amount = Decimal.ZERO } = lines[at] ?? {}
    const wanted = Math.max(scale, amount.scale)
    const added = Number(amount.units) * 10 ** (wanted - amount.scale)
    const sum = units * 10 ** (wanted - scale) + added
    if (!Number.isSafeInteger(added) || !Number.isSafeInteger(sum)) return exactTotal(lines)
    units = sum
    scale = wanted
  }
  return Decimal.small(units === 0 ? 0 : units, scale)
}

function exactTotal(lines: readonly { readonly amount: Decimal }[]): Decimal {
  return lines.reduce((sum, { amount }) => sum.plus(amount), Decimal.ZERO)
}
