// JSON text of the Middleware interface (v0/v1) to and from the model, driven by receipt-fields.ts.
import { type ErrorDetails, fail } from '../errors.js'
import { Decimal } from '../lib/decimal.js'
import { isUuid } from '../lib/id.js'
import {
  type JsonError,
  JsonNumber,
  JsonObject,
  type JsonOptions,
  type JsonValue,
  LENIENT,
} from '../lib/json.js'
import { parseMoment } from '../lib/moment.js'
import { mapInSlices, nextTurn } from '../lib/slices.js'
import { bodyJson, bodyJsonInSlices } from './body-json.js'
import type { ReceiptRequest } from './receipt.js'
import {
  type Codec,
  chargeItemCodec,
  isNeverEmpty,
  MOST_ITEMS,
  payItemCodec,
  requestCodec,
} from './receipt-codec.js'
import { type Field, requestFields } from './receipt-fields.js'
import { usualRequest } from './receipt-usual.js'

export interface DecodedRequest {
  request: ReceiptRequest
  /** True when a date came in the `/Date(…)/` form; answers then use it as well. */
  wcfDates: boolean
  /** The members as they came; undefined: known ones in their usual form, and every amount. */
  root: JsonObject | undefined
}

interface Context {
  wcfDates: boolean
  /** Lists that were read before, in pieces: what reading them here and now would give. */
  lists?: ReadonlyMap<JsonValue, ReadList>
}

/** The items of a list; throws what is wrong with the first that is. */
type ReadList = (context: Context) => unknown[]

const itemCodecs: Partial<Record<Field<never>['kind'], Codec>> = {
  chargeItems: chargeItemCodec,
  payItems: payItemCodec,
}

/**
 * Reads a ReceiptRequest. Names are matched without regard to case, unknown members are ignored.
 * Throws FiscalError (kind invalid) that names the member; nothing is guessed.
 */
export function decodeRequest(text: string): DecodedRequest {
  const request = usualRequest(text)
  if (request !== undefined) return { request, wcfDates: false, root: undefined }
  return decodeAnyRequest(text)
}

/** The same in the thorough way, which knows every form and says what is wrong. */
export function decodeAnyRequest(text: string): DecodedRequest {
  checkThere(text)
  return decodeRequestObject(objectIn(bodyJson(text, BODY, toldOf)))
}

/** The same of a large text in short pieces, with turns of others between them. */
export async function decodeRequestInSlices(text: string): Promise<DecodedRequest> {
  checkThere(text)
  return decodeObjectInSlices(objectIn(await bodyJsonInSlices(text, BODY, toldOf)))
}

/** The same for an object that was read from another form than JSON. */
export function decodeRequestObject(root: JsonObject): DecodedRequest {
  return decoded(root, { wcfDates: false })
}

/** The same for an object of many items, in short pieces. */
export async function decodeObjectInSlices(root: JsonObject): Promise<DecodedRequest> {
  const lists = new Map<JsonValue, ReadList>()
  for (const [at, name] of root.names.entries()) {
    const value = root.values[at]
    if (!isLong(value)) continue
    const field = requestFields[requestCodec.spellings.get(name.toLowerCase()) ?? -1]
    const codec = itemCodecs[field?.kind ?? 'text']
    if (field === undefined || codec === undefined) continue
    lists.set(value, await readList(value, codec, field.name))
  }
  await nextTurn()
  return decoded(root, { wcfDates: false, lists })
}

function isLong(value: JsonValue | undefined): value is JsonValue[] {
  return Array.isArray(value) && value.length > LONG && value.length <= MOST_ITEMS
}

/** Items that are read at once. */
const LONG = 64

async function readList(list: JsonValue[], codec: Codec, path: string): Promise<ReadList> {
  const context: Context = { wcfDates: false }
  try {
    const items = await mapInSlices(list, (item, index) =>
      decodeItem(item, { codec, context, path: `${path}[${index}]` }),
    )
    return (whole) => {
      whole.wcfDates ||= context.wcfDates
      return items
    }
  } catch (error) {
    // a member in front of the list may be wrong as well, and is told first
    return () => {
      throw error
    }
  }
}

function decoded(root: JsonObject, context: Context): DecodedRequest {
  const request = decodeObject(root, requestCodec, { context, path: '' })
  return { request: request as unknown as ReceiptRequest, wcfDates: context.wcfDates, root }
}

const BODY: JsonOptions = { ...LENIENT, cleanText: true }

function toldOf({ message, path }: JsonError): ErrorDetails {
  return path === '' ? { reason: message } : { field: path, reason: `${message}, in ${path}` }
}

function checkThere(text: string): void {
  if (text.trim() === '') throw fail('BODY_MISSING', { expected: 'a ReceiptRequest' })
}

function objectIn(root: JsonValue): JsonObject {
  if (root instanceof JsonObject) return root
  throw fail('BODY_MALFORMED', { reason: 'expected an object, a ReceiptRequest' })
}

interface Place {
  context: Context
  path: string
}

/**
 * Looks a name up and remembers it at this position; names longer than any of ours are not kept.
 */
function place(codec: Codec, name: string, at: number): number {
  const index = codec.spellings.get(name) ?? codec.spellings.get(name.toLowerCase()) ?? -1
  if (index >= 0 && at < codec.fields.length && at <= codec.lastNames.length) {
    codec.lastNames[at] = name
    codec.lastPlaces[at] = index
  }
  return index
}

function decodeObject(object: JsonObject, codec: Codec, where: Place): Record<string, unknown> {
  const { fields } = codec
  // where in the object each field stands; several spellings of one are allowed, the last wins
  const places = new Array<number>(fields.length).fill(-1)
  let seen: Set<string> | undefined
  for (let at = 0; at < object.names.length; at += 1) {
    const name = object.names[at] ?? ''
    const index =
      codec.lastNames[at] === name ? (codec.lastPlaces[at] ?? -1) : place(codec, name, at)
    if (index < 0) continue
    if (places[index] !== -1) seen ??= new Set(object.names.slice(0, at))
    if (seen?.has(name)) throw fail('FIELD_DOUBLED', { field: where.path + name })
    seen?.add(name)
    places[index] = at
  }
  const result = { ...codec.template }
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index]
    const at = places[index] ?? -1
    // most are missing, and an array is slow at a place that it does not have
    const value = at < 0 ? undefined : object.values[at]
    if (field === undefined || value === undefined) continue
    if (value === null) {
      if (isNeverEmpty(field)) throw wrong(field, where)
      continue
    }
    result[field.key] = decodeField(value, field, where)
  }
  for (const index of codec.required) {
    const field = fields[index]
    if (field === undefined || result[field.key] !== undefined) continue
    throw fail('FIELD_MISSING', { field: where.path + field.name, expected: expected(field) })
  }
  return result
}

function decodeField(value: Exclude<JsonValue, null>, field: Field<never>, place: Place): unknown {
  switch (field.kind) {
    case 'decimal':
      return decodeDecimal(value, field, place)
    case 'int64':
      return decodeInt64(value, field, place)
    case 'text':
      return decodeText(value, field, place)
    case 'moment':
      return decodeMoment(value, field, place)
    case 'guid':
      return decodeGuid(value, field, place)
    case 'chargeItems':
      return decodeItems(value, field, { codec: chargeItemCodec, place })
    case 'payItems':
      return decodeItems(value, field, { codec: payItemCodec, place })
    default:
      throw new Error(`no request member has the kind ${field.kind}`)
  }
}

const EXPECTED: Record<Field<never>['kind'], string> = {
  guid: 'a GUID',
  text: 'a string',
  decimal: 'a number with at most 29 digits, 28 of them decimals',
  int64: 'a 64-bit integer',
  moment: 'a date like 2026-01-31T10:15:00Z',
  texts: 'an array of strings',
  chargeItems: 'an array of charge items',
  payItems: 'an array of pay items',
  signatures: 'an array of signatures',
}

function expected(field: Field<never>): string {
  return EXPECTED[field.kind]
}

function wrong(field: Field<never>, place: Place, text = expected(field)) {
  return fail('FIELD_INVALID', { field: place.path + field.name, expected: text })
}

function decodeDecimal(value: JsonValue, field: Field<never>, place: Place): Decimal | null {
  const text = value instanceof JsonNumber ? value.text : value
  if (text === '') {
    if (isNeverEmpty(field)) throw wrong(field, place)
    return null
  }
  const decimal = typeof text === 'string' ? Decimal.parse(text.trim()) : undefined
  if (decimal === undefined) throw wrong(field, place)
  return decimal
}

const INTEGER = /^[+-]?\d{1,20}$/
const HEX = /^0x[0-9a-fA-F]{1,16}$/

function decodeInt64(value: JsonValue, field: Field<never>, place: Place): bigint {
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text === 'string') {
    if (INTEGER.test(text)) {
      const number = BigInt(text)
      if (BigInt.asIntN(64, number) === number) return number
    } else if (HEX.test(text)) {
      return BigInt.asIntN(64, BigInt(text))
    } else if (value instanceof JsonNumber) {
      const decimal = Decimal.parse(text)
      if (decimal?.equals(new Decimal(decimal.toCents() / 100n, 0))) return decimal.toCents() / 100n
    }
  }
  throw wrong(field, place)
}

function decodeText(value: JsonValue, field: Field<never>, place: Place): string {
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string') throw wrong(field, place)
  if (field.max !== undefined && isLonger(text, field.max)) {
    throw wrong(field, place, `at most ${field.max} characters`)
  }
  return text
}

/** Counted in characters, each of one or two units. */
function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false
  return text.length > 2 * most || [...text].length > most
}

function decodeMoment(value: JsonValue, field: Field<never>, place: Place): Date | null {
  if (value === '' && field.missing === 'null') return null
  const parsed = typeof value === 'string' ? parseMoment(value) : undefined
  if (parsed === undefined) throw wrong(field, place)
  if (parsed.wcf) place.context.wcfDates = true
  return parsed.date
}

function decodeGuid(value: JsonValue, field: Field<never>, place: Place): string | null {
  if (value === '') return null
  if (typeof value !== 'string' || !isUuid(value)) throw wrong(field, place)
  return value.toLowerCase()
}

function decodeItems(
  value: JsonValue,
  field: Field<never>,
  { codec, place }: { codec: Codec; place: Place },
): unknown[] {
  if (!Array.isArray(value)) throw wrong(field, place)
  if (value.length > MOST_ITEMS) throw wrong(field, place, `at most ${MOST_ITEMS} items`)
  const { context, path } = place
  const known = context.lists?.get(value)
  if (known !== undefined) return known(context)
  return value.map((item, index) =>
    decodeItem(item, { codec, context, path: `${path}${field.name}[${index}]` }),
  )
}

function decodeItem(
  item: JsonValue,
  { codec, context, path }: { codec: Codec } & Place,
): Record<string, unknown> {
  if (item instanceof JsonObject) return decodeObject(item, codec, { context, path: `${path}.` })
  throw fail('FIELD_INVALID', { field: path, expected: 'an object' })
}
