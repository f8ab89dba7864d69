// The quick reader of a ReceiptRequest in XML: takes what nearly every register sends in one pass,
// without an object for each element and member. Whatever else it meets, a fault included, it
// leaves to receipt-xml.ts and receipt-json.ts; what both read is the same.
import { Decimal } from '../lib/decimal.js'
import { isUuid } from '../lib/id.js'
import { parseMoment } from '../lib/moment.js'
import type { XmlCursor } from '../lib/xml-cursor.js'
import type { ReceiptRequest } from './receipt.js'
import {
  chargeShape,
  type Known,
  MOST_ITEMS,
  payShape,
  requestShape,
  type Shape,
} from './receipt-codec.js'
import type { FieldKind } from './receipt-fields.js'
import { ITEM_FORMS } from './receipt-xml.js'

/**
 * The content of an element that was opened, up to its end tag; undefined for whatever is not
 * usual, and the cursor is of no more use then.
 */
export function usualXmlRequest(cursor: XmlCursor): ReceiptRequest | undefined {
  const request = new UsualXmlReader(cursor).object(requestShape)
  return cursor.unusual ? undefined : (request as unknown as ReceiptRequest)
}

/** So many digits fit a double exactly. */
const SAFE_DIGITS = 15
const INTEGER = /^-?\d{1,20}$/

class UsualXmlReader {
  /** The last moment that was read, and how it was written: lines mostly have that of others. */
  private momentText = ''
  private lastMoment: Date | undefined

  constructor(private readonly cursor: XmlCursor) {}

  object(shape: Shape): Record<string, unknown> | undefined {
    const { cursor } = this
    const result = { ...shape.template }
    let seen = 0
    for (cursor.space(); cursor.opens(); cursor.space()) {
      const known = this.member(shape)
      if (known === undefined || (seen & known.bit) !== 0) return this.leave()
      seen |= known.bit
      const value = this.value(known)
      if (cursor.unusual) return undefined
      // what is null counts as missing
      if (value !== null) result[known.key] = value
      else if (known.isNeeded) return this.leave()
    }
    return (seen & shape.required) === shape.required ? result : this.leave()
  }

  private member({ byLength }: Shape): Known | undefined {
    const { cursor } = this
    for (const known of byLength[cursor.nameEnd - cursor.nameStart] ?? []) {
      if (cursor.isNamed(known.name)) return known
    }
    return undefined
  }

  /** Of the element that was opened, to its end. */
  private value({ kind, max }: Known): unknown {
    const { cursor } = this
    const { isNil, isEmpty } = cursor
    if (isNil) return isEmpty || cursor.closes() ? null : undefined
    if (kind === 'chargeItems' || kind === 'payItems') return isEmpty ? [] : this.items(kind)
    const text = isEmpty ? '' : cursor.content()
    if (!isEmpty && !cursor.closes()) return undefined
    if (kind === 'text') return text.length <= max ? text : this.leave()
    const trimmed = text.trim()
    return trimmed === '' ? null : this.plain(trimmed, kind)
  }

  private plain(text: string, kind: FieldKind): unknown {
    switch (kind) {
      case 'decimal':
        return Decimal.parse(text) ?? this.leave()
      case 'int64':
        return this.integer(text)
      case 'moment':
        return this.moment(text)
      case 'guid':
        return isUuid(text) ? text.toLowerCase() : this.leave()
      default:
        return this.leave()
    }
  }

  private items(kind: 'chargeItems' | 'payItems'): unknown[] | undefined {
    const { cursor } = this
    const shape = kind === 'chargeItems' ? chargeShape : payShape
    const element = ITEM_FORMS[kind]?.element ?? ''
    const items: unknown[] = []
    for (cursor.space(); cursor.opens(); cursor.space()) {
      if (cursor.isNil || cursor.isEmpty || !cursor.isNamed(element)) return this.leave()
      items.push(this.object(shape))
      if (cursor.unusual || items.length > MOST_ITEMS || !cursor.closes()) return this.leave()
    }
    return cursor.closes() ? items : undefined
  }

  private integer(text: string): bigint | undefined {
    if (!INTEGER.test(text)) return this.leave()
    if (text.length <= SAFE_DIGITS) return BigInt(Number(text))
    const value = BigInt(text)
    return BigInt.asIntN(64, value) === value ? value : this.leave()
  }

  private moment(text: string): Date | undefined {
    if (text === this.momentText) return this.lastMoment
    const parsed = parseMoment(text)
    if (parsed === undefined || parsed.wcf) return this.leave()
    this.momentText = text
    this.lastMoment = parsed.date
    return parsed.date
  }

  private leave(): undefined {
    this.cursor.leave()
    return undefined
  }
}
