// The quick reader of a ReceiptRequest: takes what nearly every register sends in one pass, without
// an object for each member. Whatever else it meets, a fault included, it leaves to
// receipt-json.ts, which reads the whole text anew; what both read is the same.
import { Decimal } from '../lib/decimal.js'
import { isUuid } from '../lib/id.js'
import { parseMoment } from '../lib/moment.js'
import { CONTROL_CHARACTER } from '../lib/text.js'
import type { ReceiptRequest } from './receipt.js'
import {
  chargeShape,
  type Known,
  MOST_ITEMS,
  payShape,
  requestShape,
  type Shape,
} from './receipt-codec.js'

/** undefined for whatever is not usual. */
export function usualRequest(text: string): ReceiptRequest | undefined {
  const reader = new UsualReader(text)
  const request = reader.document()
  return reader.unusual ? undefined : (request as unknown as ReceiptRequest)
}

/** So many digits fit a double exactly. */
const SAFE_DIGITS = 15
const MOST_DIGITS = 19
const NOTHING = Symbol('null')
const WORDS = new Array<{ text: string; value: bigint } | undefined>(256).fill(undefined)

class UsualReader {
  /** Set once for all: from then on nothing that is read counts. */
  unusual = false
  private at = 0
  /** The last moment that was read, and how it was written: lines mostly have that of others. */
  private momentText = ''
  private lastMoment: Date | undefined

  constructor(private readonly text: string) {}

  document(): Record<string, unknown> | undefined {
    this.space()
    const request = this.object(requestShape)
    this.space()
    if (this.at < this.text.length) this.unusual = true
    return request
  }

  private object(shape: Shape): Record<string, unknown> | undefined {
    if (!this.takes(0x7b)) return undefined
    const result = { ...shape.template }
    let seen = 0
    do {
      const known = this.member(shape)
      if (known === undefined || (seen & known.bit) !== 0) return this.leave()
      const value = this.value(known)
      if (this.unusual) return undefined
      seen |= known.bit
      // what is null counts as missing
      if (value !== NOTHING) result[known.key] = value
    } while (this.goesOn())
    if ((seen & shape.required) !== shape.required) return this.leave()
    return this.takes(0x7d) ? result : undefined
  }

  /** Reads a name and the colon behind it. */
  private member({ byLength }: Shape): Known | undefined {
    this.space()
    if (!this.takes(0x22)) return undefined
    const start = this.at
    const end = this.text.indexOf('"', start)
    for (const known of byLength[end - start] ?? []) {
      if (!this.text.startsWith(known.name, start)) continue
      this.at = end + 1
      this.space()
      return this.takes(0x3a) ? known : undefined
    }
    return undefined
  }

  private value(known: Known): unknown {
    this.space()
    if (this.code() === 0x6e) return this.nothing(known)
    switch (known.kind) {
      case 'decimal':
        return this.decimal()
      case 'int64':
        return this.integer()
      case 'text':
        return this.string(known.max)
      case 'moment':
        return this.moment()
      case 'guid':
        return this.guid()
      case 'chargeItems':
        return this.items(chargeShape)
      case 'payItems':
        return this.items(payShape)
      default:
        return this.leave()
    }
  }

  private nothing({ isNeeded }: Known): symbol | undefined {
    if (isNeeded || !this.text.startsWith('null', this.at)) return this.leave()
    this.at += 4
    return NOTHING
  }

  private items(shape: Shape): unknown[] | undefined {
    if (!this.takes(0x5b)) return undefined
    this.space()
    if (this.code() === 0x5d) return this.takes(0x5d) ? [] : undefined
    // one is the usual number, and a list that begins with none has room for 17 at once
    const items: unknown[] = [this.object(shape)]
    while (!this.unusual && items.length <= MOST_ITEMS && this.goesOn()) {
      this.space()
      items.push(this.object(shape))
    }
    return this.takes(0x5d) ? items : undefined
  }

  private string(most: number): string | undefined {
    if (!this.takes(0x22)) return undefined
    const start = this.at
    for (let end = start; ; end += 1) {
      const code = this.text.charCodeAt(end)
      if (code === 0x22) {
        this.at = end + 1
        return end - start <= most ? this.text.slice(start, end) : this.leave()
      }
      if (code === 0x5c) return this.escaped(start, { end, most })
      // NaN behind the end is not at least 0x20 either
      if (!(code >= 0x20)) return this.leave()
    }
  }

  /** `end`: where the first escape is. */
  private escaped(
    start: number,
    { end: slash, most }: { end: number; most: number },
  ): string | undefined {
    let end = slash
    for (let code = 0x5c; code !== 0x22; code = this.text.charCodeAt(end)) {
      if (Number.isNaN(code)) return this.leave()
      end += code === 0x5c ? 2 : 1
    }
    const value = quotedText(this.text.slice(start - 1, end + 1))
    if (value === undefined || value.length > most) return this.leave()
    this.at = end + 1
    return value
  }

  private decimal(): Decimal | undefined {
    const negative = this.sign()
    const start = this.at
    let units = this.digits()
    const first = this.at
    let scale = 0
    if (this.code() === 0x2e) {
      this.at += 1
      units = this.digits(units)
      scale = this.at - first - 1
      if (scale === 0) return this.leave()
    }
    if (!this.isWhole(start, first) || this.at - start > SAFE_DIGITS) return this.leave()
    return Decimal.small(negative && units !== 0 ? -units : units, scale)
  }

  private integer(): bigint | undefined {
    const from = this.at
    const negative = this.sign()
    const start = this.at
    const units = this.digits()
    const length = this.at - start
    if (!this.isWhole(start, this.at) || length > MOST_DIGITS) return this.leave()
    if (length <= SAFE_DIGITS) return BigInt(negative ? -units : units)
    return this.word(from)
  }

  /** A register has few case words: those that came last are not read again. */
  private word(from: number): bigint | undefined {
    const { text, at } = this
    const place = (text.charCodeAt(at - 1) * 31 + text.charCodeAt(at - 2)) % WORDS.length
    const known = WORDS[place]
    if (known?.text.length === at - from && text.startsWith(known.text, from)) return known.value
    const digits = text.slice(from, at)
    const value = BigInt(digits)
    if (BigInt.asIntN(64, value) !== value) return this.leave()
    WORDS[place] = { text: digits, value }
    return value
  }

  /** Digits without a 0 in front of others, and nothing of a number behind them. */
  private isWhole(start: number, end: number): boolean {
    if (end === start || (end > start + 1 && this.text.charCodeAt(start) === 0x30)) return false
    const next = this.code()
    return next !== 0x2e && (next | 0x20) !== 0x65
  }

  private sign(): boolean {
    if (this.code() !== 0x2d) return false
    this.at += 1
    return true
  }

  private digits(before = 0): number {
    let value = before
    for (let code = this.code(); code >= 0x30 && code <= 0x39; code = this.code()) {
      value = value * 10 + code - 0x30
      this.at += 1
    }
    return value
  }

  private moment(): Date | undefined {
    if (this.repeatsMoment()) return this.lastMoment
    const text = this.string(Number.POSITIVE_INFINITY)
    const parsed = text === undefined ? undefined : parseMoment(text)
    if (text === undefined || parsed === undefined || parsed.wcf) return this.leave()
    this.momentText = text
    this.lastMoment = parsed.date
    return parsed.date
  }

  /** Reads a text that stands there once more. */
  private repeatsMoment(): boolean {
    const { text, momentText, at } = this
    const end = at + 1 + momentText.length
    if (momentText === '' || text.charCodeAt(end) !== 0x22) return false
    if (text.charCodeAt(at) !== 0x22 || !text.startsWith(momentText, at + 1)) return false
    this.at = end + 1
    return true
  }

  private guid(): string | undefined {
    const text = this.string(Number.POSITIVE_INFINITY)
    return text !== undefined && isUuid(text) ? text.toLowerCase() : this.leave()
  }

  /** True behind a comma. */
  private goesOn(): boolean {
    this.space()
    if (this.code() !== 0x2c) return false
    this.at += 1
    return true
  }

  private takes(code: number): boolean {
    if (this.code() === code) {
      this.at += 1
      return true
    }
    this.unusual = true
    return false
  }

  private space(): void {
    for (;;) {
      const code = this.code()
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at += 1
    }
  }

  private code(): number {
    return this.text.charCodeAt(this.at)
  }

  private leave(): undefined {
    this.unusual = true
    return undefined
  }
}

/** undefined for what is no JSON, and for characters that no text may have. */
function quotedText(quoted: string): string | undefined {
  try {
    const text = JSON.parse(quoted) as string
    return CONTROL_CHARACTER.test(text) || !text.isWellFormed() ? undefined : text
  } catch {
    return undefined
  }
}
