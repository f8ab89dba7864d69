// A ReceiptRequest of version 2 (PosSystem API) into the model: every fault is collected, numbers
// stay exact.
import { type FieldFault, fail } from '../errors.js'
import { Decimal } from '../lib/decimal.js'
import { JsonObject, type JsonValue } from '../lib/json.js'
import { mapInSlices, nextTurn } from '../lib/slices.js'
import { bodyObject, bodyObjectInSlices } from './body-json.js'
import {
  type PosFacts,
  type PosField,
  posChargeFields,
  posPayFields,
  posRequestFields,
} from './pos-fields.js'
import { type Notes, PosReader, type ReadList, readValue } from './pos-values.js'
import type { PosRequest } from './receipt.js'

export interface DecodedPosRequest {
  /** Complete where there are no faults. */
  request: PosRequest
  facts: PosFacts
  faults: FieldFault[]
}

/** Far above any receipt; what costs a few bytes to send must not cost seconds to process. */
const MOST_ITEMS = 10_000

interface Codec {
  fields: readonly PosField[]
  /** Exact and lower-case spellings to places. */
  spellings: ReadonlyMap<string, number>
  template: Record<string, unknown>
  multiplierAt: number
  /** Values by place, of the object that is being read; used again and again. */
  values: (JsonValue | undefined)[]
}

function codecOf(fields: readonly PosField[]): Codec {
  const spellings = new Map<string, number>()
  fields.forEach(({ name }, place) => {
    spellings.set(name, place).set(name.toLowerCase(), place)
  })
  const members = fields.filter(({ kind }) => kind !== 'multiplier' && kind !== 'currency')
  const template = Object.fromEntries(members.map((field) => [field.key, missing(field)]))
  if ('itemId' in template) template.exactPosition = null
  return {
    fields,
    spellings,
    template,
    multiplierAt: fields.findIndex(({ kind }) => kind === 'multiplier'),
    values: fields.map(() => undefined),
  }
}

const ONE = new Decimal(1n, 0)

function missing({ kind, missing: value }: PosField): unknown {
  if (kind === 'word' || kind === 'position') return 0n
  if (value === 'zero') return Decimal.ZERO
  if (value === 'one') return ONE
  if (kind === 'chargeItems' || kind === 'payItems') return []
  return value === 'empty' ? '' : null
}

const requestCodec = codecOf(posRequestFields)
const itemCodecs: Partial<Record<PosField['kind'], Codec>> = {
  chargeItems: codecOf(posChargeFields),
  payItems: codecOf(posPayFields),
}

/** The body of /sign as it was sent. Throws BODY_MISSING, BODY_MALFORMED. */
export function decodePosText(text: string): DecodedPosRequest {
  checkGiven(text)
  return decodePosRequest(bodyObject(text, NO_OBJECT))
}

/** The same of a large body, in pieces with turns of others between them. */
export async function decodePosTextInSlices(text: string): Promise<DecodedPosRequest> {
  checkGiven(text)
  return decodePosRequestInSlices(await bodyObjectInSlices(text, NO_OBJECT))
}

function checkGiven(text: string): void {
  if (text.trim() === '') throw fail('BODY_MISSING', { expected: 'a ReceiptRequest' })
}

const NO_OBJECT = 'expected an object, a ReceiptRequest'

/**
 * Names are matched without regard to case; of several spellings the first that is not empty
 * counts; unknown members are passed over. Nothing is thrown: see `faults`.
 */
export function decodePosRequest(root: JsonObject): DecodedPosRequest {
  const { faults, facts } = emptyNotes()
  const request = decodeObject(root, requestCodec, new PosReader({ faults, facts }))
  return { request: request as unknown as PosRequest, facts, faults }
}

/** The same of a request of many items, in short pieces with turns of others between them. */
export async function decodePosRequestInSlices(root: JsonObject): Promise<DecodedPosRequest> {
  const lists = new Map<JsonValue, ReadList>()
  for (const [at, name] of root.names.entries()) {
    const value = root.values[at]
    if (!isLong(value)) continue
    const field = posRequestFields[requestCodec.spellings.get(name.toLowerCase()) ?? -1]
    const codec = itemCodecs[field?.kind ?? 'text']
    if (field === undefined || codec === undefined) continue
    const notes = emptyNotes()
    const reader = new PosReader(notes)
    const items = await mapInSlices(value, (item, index) =>
      decodeItem(item, { codec, field, reader, index }),
    )
    lists.set(value, { items, notes })
  }
  await nextTurn()
  const { faults, facts } = emptyNotes()
  const request = decodeObject(root, requestCodec, new PosReader({ faults, facts, lists }))
  return { request: request as unknown as PosRequest, facts, faults }
}

function emptyNotes(): Notes {
  return {
    faults: [],
    facts: { nullLists: [], currencies: [], references: [], isGroup: false },
  }
}

function isLong(value: JsonValue | undefined): value is JsonValue[] {
  return Array.isArray(value) && value.length > LONG && value.length <= MOST_ITEMS
}

/** Items that are read at once. */
const LONG = 64

function decodeObject(
  object: JsonObject,
  codec: Codec,
  reader: PosReader,
): Record<string, unknown> {
  const { fields } = codec
  const values = valuesOf(object, codec)
  const result = { ...codec.template }
  reader.scaleBy(values[codec.multiplierAt])
  for (let place = 0; place < fields.length; place += 1) {
    const field = fields[place]
    const value = values[place]
    if (field === undefined || place === codec.multiplierAt) continue
    if (value === undefined || value === null) {
      if (field.missing === 'required') lacks(field, value, reader)
      else if (value === null && isNeverEmpty(field)) reader.wrong(field)
      continue
    }
    const read = itemCodecs[field.kind]
    const found =
      read === undefined ? readValue(value, field, reader) : decodeItems(value, field, reader)
    if (found === undefined) continue
    if (field.kind === 'position') result.exactPosition = found
    result[field.key] = field.kind === 'position' ? wholePart(found as Decimal) : found
  }
  return result
}

/** A missing amount is 0; one that is there and null is a fault of the register. */
function isNeverEmpty({ kind, missing: value }: PosField): boolean {
  return kind === 'decimal' && (value === 'zero' || value === 'one')
}

/** The values by place; undefined where nothing was sent. */
function valuesOf(object: JsonObject, { values, spellings }: Codec): (JsonValue | undefined)[] {
  // an item holds no items of its own kind: nobody else reads by this codec meanwhile
  values.fill(undefined)
  for (let at = 0; at < object.names.length; at += 1) {
    const name = object.names[at] ?? ''
    const place = spellings.get(name) ?? spellings.get(name.toLowerCase())
    if (place === undefined) continue
    const value = object.values[at]
    if (isEmpty(values[place]) && (value !== null || values[place] === undefined)) {
      values[place] = value
    }
  }
  return values
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === ''

/** The model counts lines in whole numbers. */
function wholePart(position: Decimal): bigint {
  if (position.scale === 0) return position.units
  return BigInt(position.toString().split('.')[0] ?? '0')
}

/** The published model of the interface writes a list that was never set as null. */
function lacks(field: PosField, value: null | undefined, reader: PosReader): void {
  if (value === null && itemCodecs[field.kind] !== undefined) {
    reader.facts.nullLists.push(field.name)
  } else {
    reader.missing(field)
  }
}

function decodeItems(value: JsonValue, field: PosField, reader: PosReader): unknown[] | undefined {
  const codec = itemCodecs[field.kind]
  if (codec === undefined || !Array.isArray(value)) {
    return reader.wrong(field, 'an array of objects')
  }
  if (value.length > MOST_ITEMS) return reader.wrong(field, `at most ${MOST_ITEMS} items`)
  const known = reader.known(value)
  if (known !== undefined) return known
  return value.map((item, index) => decodeItem(item, { codec, field, reader, index }))
}

interface ItemPlace {
  codec: Codec
  field: PosField
  reader: PosReader
  index: number
}

function decodeItem(item: JsonValue, { codec, field, reader, index }: ItemPlace): unknown {
  if (item instanceof JsonObject) return decodeObject(item, codec, reader.item(field.name, index))
  reader.wrong({ ...field, name: `${field.name}[${index}]` }, 'an object')
  return { ...codec.template }
}
