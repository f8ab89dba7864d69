// Stored requests and responses back into the model: lossless, names in any case, no limits: what
// was accepted must stay readable.
import { Decimal } from '../lib/decimal.js'
import { JsonNumber, JsonObject, type JsonValue, LENIENT, parseJson } from '../lib/json.js'
import { writeJson } from '../lib/json-write.js'
import { parseMoment } from '../lib/moment.js'
import type { StoredItem } from './journal.js'
import type { ReceiptRequest, ReceiptResponse } from './receipt.js'
import {
  chargeItemFields,
  type Field,
  payItemFields,
  requestFields,
  responseFields,
  signatureFields,
} from './receipt-fields.js'

/** Why a stored text is no receipt: it names the member. */
export class StoredTextError extends Error {
  override name = 'StoredTextError'
}

type Kept = Pick<StoredItem, 'request' | 'response' | 'memo'>

/** For the readers of an item that is shared, what `by` makes of it: once. */
export function onceOf<T>(item: Kept, by: (...given: never[]) => T, make: () => T): T {
  return item.memo === undefined ? make() : item.memo.once(by, make)
}

/** The request of an item as JSON. Throws JsonError. */
export function requestValue(item: Kept): JsonValue {
  return onceOf(item, requestValue, () => parseJson(item.request, LENIENT))
}

/** The same of its response, which is there. Throws JsonError. */
export function responseValue(item: Kept): JsonValue {
  return onceOf(item, responseValue, () => parseJson(item.response ?? ''))
}

/**
 * Reads the JSON text of a ReceiptResponse, dates in either form. Throws JsonError for a text that
 * is no JSON, StoredTextError for one that is no response.
 */
export function decodeResponse(text: string): ReceiptResponse {
  return responseIn(parseJson(text))
}

/** As decodeResponse. */
export function responseIn(value: JsonValue): ReceiptResponse {
  return readObject(value, responseCodec) as unknown as ReceiptResponse
}

/**
 * Reads the JSON text of a request of versions 0 and 1 that was accepted. Throws as decodeResponse.
 */
export function decodeStoredRequest(text: string): ReceiptRequest {
  return requestIn(parseJson(text, LENIENT))
}

/** As decodeStoredRequest. */
export function requestIn(value: JsonValue): ReceiptRequest {
  return readObject(value, requestCodec) as unknown as ReceiptRequest
}

/** How the objects of one kind are read. */
interface Codec {
  fields: readonly Field<never>[]
  /** Exact and lower-case spellings to places: a name has its field's, aliases come behind. */
  spellings: ReadonlyMap<string, number>
  /** How many places there are. */
  places: number
  /** Per field the places of its aliases. */
  aliases: readonly (readonly number[])[]
  /**
   * What stands there when every member is missing. Copied, then the given ones are set: an object
   * that grows member by member becomes a hash table of some kilobytes.
   */
  template: Record<string, unknown>
}

function codecOf(known: readonly unknown[]): Codec {
  const fields = known as readonly Field<never>[]
  const spellings = new Map<string, number>()
  let places = fields.length
  const spell = (name: string, place: number) => {
    spellings.set(name, place).set(name.toLowerCase(), place)
  }
  const aliases = fields.map(({ name, aliases = [] }, place) => {
    spell(name, place)
    return aliases.map((alias) => {
      spell(alias, places)
      return places++
    })
  })
  const template = Object.fromEntries(fields.map((field) => [field.key, missing(field)]))
  return { fields, spellings, places, aliases, template }
}

function readObject(object: JsonValue, codec: Codec): Record<string, unknown> {
  if (!(object instanceof JsonObject)) throw new StoredTextError('expected an object')
  const { fields, spellings, template } = codec
  const values: (JsonValue | undefined)[] = new Array(codec.places).fill(undefined)
  for (let at = 0; at < object.names.length; at += 1) {
    const name = object.names[at] ?? ''
    const place = spellings.get(name) ?? spellings.get(name.toLowerCase())
    // of several spellings the last one stands
    if (place !== undefined) values[place] = object.values[at]
  }
  const result = { ...template }
  for (let place = 0; place < fields.length; place += 1) {
    const field = fields[place]
    if (field === undefined) continue
    const value = values[place]
    const given = isGiven(value) ? value : givenAlias(values, codec.aliases[place])
    if (given !== undefined) result[field.key] = READERS[field.kind](given, field)
    else if (field.missing === 'required') throw new StoredTextError(`${field.name} is missing`)
  }
  return result
}

function givenAlias(
  values: readonly (JsonValue | undefined)[],
  places: readonly number[] = [],
): Given | undefined {
  // not map and findLast: this is asked for every member that is missing
  for (let at = places.length - 1; at >= 0; at -= 1) {
    const value = values[places[at] ?? 0]
    if (isGiven(value)) return value
  }
  return undefined
}

type Given = Exclude<JsonValue, null>

function isGiven(value: JsonValue | undefined): value is Given {
  return value !== undefined && value !== null
}

const NO_ITEMS: readonly never[] = Object.freeze([])

/** Null for a required member as well: the reader throws before anybody sees it. */
function missing(field: Field<never>): unknown {
  if (field.missing === 'zero') return field.kind === 'int64' ? 0n : Decimal.ZERO
  if (field.missing === 'one') return new Decimal(1n, 0)
  if (field.missing === 'empty') return field.kind === 'text' ? '' : NO_ITEMS
  return null
}

type Reader = (value: Given, field: Field<never>) => unknown

const READERS: Record<Field<never>['kind'], Reader> = {
  text: textOf,
  guid: (value, field) => (value === '' ? null : textOf(value, field).toLowerCase()),
  decimal: (value, field) =>
    value === '' ? missing(field) : known(Decimal.parse(textOf(value, field).trim()), field),
  int64: int64Of,
  moment: (value, field) =>
    value === '' ? missing(field) : known(parseMoment(textOf(value, field))?.date, field),
  texts: (value, field) =>
    listOf(value, field).map((one) => (one === null ? '' : textOf(one, field))),
  chargeItems: itemsOf(codecOf(chargeItemFields)),
  payItems: itemsOf(codecOf(payItemFields)),
  signatures: itemsOf(codecOf(signatureFields)),
}

function textOf(value: Given, _field: Field<never>): string {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.text : writeJson(value)
}

const WORD = /^(?:[+-]?\d{1,20}|0x[0-9a-f]{1,16})$/i

function int64Of(value: Given, field: Field<never>): bigint {
  const text = textOf(value, field).trim()
  if (WORD.test(text)) return BigInt.asIntN(64, BigInt(text.replace(/^\+/, '')))
  // 1.0 and 1e3 are whole numbers as well
  const cents = known(Decimal.parse(text), field).toCents()
  return BigInt.asIntN(64, cents / 100n)
}

function known<T>(value: T | undefined, field: Field<never>): T {
  if (value === undefined) throw new StoredTextError(`${field.name} cannot be read`)
  return value
}

function listOf(value: Given, field: Field<never>): JsonValue[] {
  if (!Array.isArray(value)) throw new StoredTextError(`${field.name} is no array`)
  return value
}

function itemsOf(codec: Codec): Reader {
  return (value, field) => listOf(value, field).map((one) => readObject(one, codec))
}

const requestCodec = codecOf(requestFields)
const responseCodec = codecOf(responseFields)
