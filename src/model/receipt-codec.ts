// What the readers of a ReceiptRequest know of each kind of object, made of receipt-fields.ts.
import { Decimal } from '../lib/decimal.js'
import {
  chargeItemFields,
  type Field,
  type FieldKind,
  payItemFields,
  requestFields,
} from './receipt-fields.js'

export interface Codec {
  fields: readonly Field<never>[]
  /** Exact and lower-case spellings to the place in `fields`. */
  spellings: Map<string, number>
  /**
   * The names of the object read last and their places: registers send the same shape again and
   * again.
   */
  lastNames: string[]
  lastPlaces: number[]
  /**
   * An object with what stands there when a member is missing; copied, then the given ones are set.
   */
  template: Record<string, unknown>
  required: readonly number[]
}

/** Far above any receipt; what costs a few bytes to send must not cost seconds to process. */
export const MOST_ITEMS = 10_000

const ONE = new Decimal(1n, 0)
const NO_ITEMS: readonly never[] = Object.freeze([])

function codecOf(fields: readonly unknown[]): Codec {
  const known = fields as readonly Field<never>[]
  const spellings = new Map<string, number>()
  known.forEach((field, place) => {
    for (const name of [field.name, ...(field.aliases ?? [])]) {
      spellings.set(name, place)
      spellings.set(name.toLowerCase(), place)
    }
  })
  const isRequired = (field: Field<never>) => field.missing === 'required'
  return {
    fields: known,
    spellings,
    lastNames: [],
    lastPlaces: [],
    template: Object.fromEntries(known.map((field) => [field.key, missingValue(field)])),
    required: known.flatMap((field, index) => (isRequired(field) ? [index] : [])),
  }
}

/** undefined for a member that must not be missing. */
function missingValue(field: Field<never>): unknown {
  switch (field.missing) {
    case 'null':
      return null
    case 'zero':
      return field.kind === 'int64' ? 0n : Decimal.ZERO
    case 'one':
      return ONE
    case 'empty':
      return field.kind === 'text' ? '' : NO_ITEMS
    default:
      return undefined
  }
}

/**
 * A missing amount is 0, a missing quantity 1, as the field reads it; an amount that is there and
 * empty is a fault of the register, and no sale of 0.00.
 */
export function isNeverEmpty({ kind, missing }: Field<never>): boolean {
  return kind === 'decimal' && (missing === 'zero' || missing === 'one')
}

export const requestCodec = codecOf(requestFields)
export const chargeItemCodec = codecOf(chargeItemFields)
export const payItemCodec = codecOf(payItemFields)

/** A member by its usual spelling. */
export interface Known {
  name: string
  key: string
  kind: FieldKind
  max: number
  /** There must be a value. */
  isNeeded: boolean
  /** One bit, to see which are there. */
  bit: number
}

export interface Shape {
  /** By the length of the name: one or two of each. */
  byLength: readonly (readonly Known[])[]
  template: Codec['template']
  required: number
}

function shapeOf({ fields, template }: Codec, isRequired: (field: Field<never>) => boolean): Shape {
  const byLength: Known[][] = []
  let required = 0
  fields.forEach((field, place) => {
    const { name, key, kind, max = Number.POSITIVE_INFINITY } = field
    const bit = 1 << place
    const isNeeded = isRequired(field) || isNeverEmpty(field)
    const known = { name, key, kind, max, bit, isNeeded }
    for (let length = byLength.length; length <= name.length; length += 1) byLength.push([])
    byLength[name.length]?.push(known)
    if (isRequired(field)) required |= bit
  })
  return { byLength, template, required }
}

// an item without an amount is told of in the sandbox, by the thorough reader
const isAmount = ({ key }: Field<never>): boolean => (key as string) === 'amount'
export const requestShape = shapeOf(requestCodec, ({ missing }) => missing === 'required')
export const chargeShape = shapeOf(chargeItemCodec, isAmount)
export const payShape = shapeOf(payItemCodec, isAmount)
