// Stored requests and responses back into the model: lossless, names in any case, no limits: what
// was accepted must stay readable. Called by journal views and by answers in other forms.
import { Decimal } from '../lib/decimal.js'
import { JsonNumber, JsonObject, type JsonValue, parseJson } from '../lib/json.js'
import { writeJson } from '../lib/json-write.js'
import { parseMoment } from '../lib/moment.js'
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

/**
 * Reads the JSON text of a ReceiptResponse, dates in either form. Throws JsonError for a text that
 * is no JSON, StoredTextError for one that is no response.
 */
export function decodeResponse(text: string): ReceiptResponse {
  return readObject(parseJson(text), responseFields as Fields) as unknown as ReceiptResponse
}

/**
 * Reads the JSON text of a request that was accepted, of any interface version: an object where the
 * model has a text (version 2 users and customers) is kept as its JSON text. Throws as
 * decodeResponse.
 */
export function decodeStoredRequest(text: string): ReceiptRequest {
  const value = parseJson(text, { trailingComma: true })
  return readObject(value, requestFields as Fields) as unknown as ReceiptRequest
}

type Fields = readonly Field<never>[]

function readObject(value: JsonValue, fields: Fields): Record<string, unknown> {
  if (!(value instanceof JsonObject)) throw new StoredTextError('expected an object')
  const members = new Map<string, JsonValue>()
  value.names.forEach((name, at) => {
    members.set(name.toLowerCase(), value.values[at] ?? null)
  })
  const result: Record<string, unknown> = {}
  for (const field of fields) {
    const names = [...(field.aliases ?? []), field.name]
    const given = names.map((name) => members.get(name.toLowerCase())).findLast(isGiven)
    result[field.key] = given === undefined ? missing(field) : READERS[field.kind](given, field)
  }
  return result
}

type Given = Exclude<JsonValue, null>

function isGiven(value: JsonValue | undefined): value is Given {
  return value !== undefined && value !== null
}

function missing(field: Field<never>): unknown {
  if (field.missing === 'required') throw new StoredTextError(`${field.name} is missing`)
  if (field.missing === 'zero') return field.kind === 'int64' ? 0n : Decimal.ZERO
  if (field.missing === 'one') return new Decimal(1n, 0)
  if (field.missing === 'empty') return field.kind === 'text' ? '' : []
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
  chargeItems: itemsOf(chargeItemFields as Fields),
  payItems: itemsOf(payItemFields as Fields),
  signatures: itemsOf(signatureFields as Fields),
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

function itemsOf(fields: Fields): Reader {
  return (value, field) => listOf(value, field).map((one) => readObject(one, fields))
}
