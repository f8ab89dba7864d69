// Messages of IPOS.proto from and to bytes: requests as the objects that the JSON reader gives,
// receipts by the field table, pieces of a journal byte by byte.
import { fail } from '../../../errors.js'
import { Decimal } from '../../../lib/decimal.js'
import { JsonObject, type JsonValue } from '../../../lib/json.js'
import { ProtoError, ProtoReader, ProtoWriter } from '../../../lib/protobuf.js'
import type { ReceiptResponse } from '../../../model/receipt.js'
import {
  chargeItemFields,
  type Field,
  payItemFields,
  responseFields,
  signatureFields,
} from '../../../model/receipt-fields.js'
import { readDecimal, readMoment, writeDecimal, writeMoment } from './bcl.js'
import type { Contract, Member, Shape } from './contract.js'

/** One more than a list may have: refused by the field table, and not read to its end. */
const MOST_ITEMS = 10_001
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/
/** A value that no member can have: it is refused by its name, as the same in JSON would be. */
const IMPOSSIBLE = true

/**
 * The members of a message by name, numbers and moments as texts; unknown ones are passed by. What
 * the members may be is judged by whoever reads JSON. Throws PROTO_MALFORMED.
 */
export function readMessage(bytes: Buffer, shape: Shape): JsonObject {
  try {
    return membersOf(new ProtoReader(bytes), shape, '')
  } catch (error) {
    if (error instanceof ProtoError) throw fail('PROTO_MALFORMED', { reason: error.message })
    throw error
  }
}

function membersOf(reader: ProtoReader, shape: Shape, path: string): JsonObject {
  const object = new JsonObject()
  while (reader.next()) {
    const member = shape.get(reader.field)
    if (member === undefined) reader.skip()
    else if (member.isList) addItem(object, member, { reader, path })
    else add(object, member.name, readValue(reader, member, path))
  }
  return object
}

function add(object: JsonObject, name: string, value: JsonValue): void {
  object.names.push(name)
  object.values.push(value)
}

function addItem(
  object: JsonObject,
  member: Member,
  { reader, path }: { reader: ProtoReader; path: string },
): void {
  const { name, shape } = member
  let items = object.get(name)
  if (!Array.isArray(items)) {
    items = []
    add(object, name, items)
  }
  if (items.length >= MOST_ITEMS || shape === undefined) return void reader.skip()
  const outer = reader.enter()
  items.push(membersOf(reader, shape, `${path}${name}[${items.length}].`))
  reader.leave(outer)
}

function readValue(reader: ProtoReader, { kind, name }: Member, path: string): JsonValue {
  if (kind === 'decimal' || kind === 'moment') {
    const outer = reader.enter()
    const value = kind === 'decimal' ? readDecimal(reader) : readMoment(reader)
    reader.leave(outer)
    return value ?? IMPOSSIBLE
  }
  if (kind === 'integer') return reader.int64().toString()
  const text = reader.text()
  if (CONTROL.test(text)) {
    const field = path + name
    throw fail('PROTO_MALFORMED', { field, reason: `${field} has a control character` })
  }
  // an empty text is how a client leaves one out
  return text === '' ? null : text
}

/** A text member of a message; null where it is missing. */
export function textIn(object: JsonObject, name: string): string | null {
  const value = object.get(name)
  return typeof value === 'string' ? value : null
}

/** Per field of the table its number in the message. */
interface Column {
  field: Field<never>
  number: number
  items: readonly Column[]
}

export type ResponseWriter = (response: ReceiptResponse) => Buffer

/** The field table and the contract together, once. */
export function responseWriter(contract: Contract): ResponseWriter {
  const items: Partial<Record<Field<never>['kind'], readonly Column[]>> = {
    chargeItems: columnsOf(chargeItemFields, contract.shape('ChargeItem'), {}),
    payItems: columnsOf(payItemFields, contract.shape('payitem'), {}),
    signatures: columnsOf(signatureFields, contract.shape('SignaturItem'), {}),
  }
  const columns = columnsOf(responseFields, contract.shape('ReceiptResponse'), items)
  return (response) => {
    const writer = new ProtoWriter()
    writeMembers(writer, response, columns)
    return writer.finish()
  }
}

function columnsOf(
  fields: readonly unknown[],
  shape: Shape,
  items: Partial<Record<Field<never>['kind'], readonly Column[]>>,
): readonly Column[] {
  const numbers = new Map([...shape.values()].map(({ name, number }) => [name, number]))
  return (fields as readonly Field<never>[]).map((field) => {
    const number = numbers.get(field.name)
    if (number === undefined) throw new Error(`IPOS.proto has no ${field.name}`)
    return { field, number, items: items[field.kind] ?? [] }
  })
}

/** Members that are null, 0 or empty are left out: their absence says the same. */
function writeMembers(writer: ProtoWriter, value: object, columns: readonly Column[]): void {
  const members = value as Record<string, unknown>
  for (const column of columns) writeMember(writer, members[column.field.key], column)
}

function writeMember(writer: ProtoWriter, value: unknown, { number, items }: Column): void {
  if (typeof value === 'string') {
    if (value !== '') writer.text(number, value)
  } else if (typeof value === 'bigint') {
    if (value !== 0n) writer.int64(number, value)
  } else if (value instanceof Date) {
    writer.message(number, () => writeMoment(writer, value))
  } else if (value instanceof Decimal) {
    writer.message(number, () => writeDecimal(writer, value))
  } else if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'string') writer.text(number, item)
      else writer.message(number, () => writeMembers(writer, Object(item), items))
    }
  }
}

export function writeEcho(message: string | null): Buffer {
  const writer = new ProtoWriter()
  if (message !== null) writer.text(1, message)
  return writer.finish()
}

/** JournalResponse: a number of its own, tag and all, for each byte; in numbers field 1 is 8. */
const CHUNK_TAG = 8

/**
 * Gives a function that writes into the same memory again and again: its result is to be copied at
 * once.
 */
export function chunkWriter(mostBytes: number): (bytes: Uint8Array) => Buffer {
  const message = Buffer.allocUnsafe(mostBytes * 3)
  return (bytes) => message.subarray(0, putChunk(message, bytes))
}

function putChunk(message: Buffer, bytes: Uint8Array): number {
  let at = 0
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    message[at] = CHUNK_TAG
    message[at + 1] = byte
    at += 2
    if (byte < 0x80) continue
    message[at] = 1
    at += 1
  }
  return at
}
