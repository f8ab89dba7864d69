// PostgreSQL arrays in the binary wire format, the fastest way to hand many rows to one statement.
// pg sends a Buffer as a binary parameter.
import { putUuid } from '../lib/id.js'
import { putInt64BE } from '../lib/ticks.js'

const OID = {
  ...{ bytea: 17, int8: 20, int4: 23, text: 25, tid: 27 },
  ...{ timestamptz: 1184, uuid: 2950 },
} as const
const HEAD_BYTES = 20
/** Milliseconds from 1970 to 2000, PostgreSQL's own epoch. */
const POSTGRES_EPOCH_MS = 946_684_800_000
const TWO_TO_32 = 2 ** 32

function start(oid: number, count: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(HEAD_BYTES + bytes)
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(1, 4)
  buffer.writeInt32BE(oid, 8)
  buffer.writeInt32BE(count, 12)
  buffer.writeInt32BE(1, 16)
  return buffer
}

/** The only element of such an array, as a parameter of its own: the same bytes. */
export function elementOf(array: Buffer): Buffer | null {
  return array.readInt32BE(HEAD_BYTES) < 0 ? null : array.subarray(HEAD_BYTES + 4)
}

/** Of values, or of rows of which a value is asked; a list of them is not made. */
interface ArrayOf<T> {
  (values: readonly T[]): Buffer
  <Row>(rows: readonly Row[], read: (row: Row) => T): Buffer
}

type Rows = readonly never[]
type Read<T> = (row: never) => T

function arrayOf<T>(bytesOf: (rows: Rows, read: Read<T>) => Buffer): ArrayOf<T> {
  return (rows: readonly unknown[], read: unknown = itself) =>
    bytesOf(rows as Rows, read as Read<T>)
}

const itself = (value: unknown): unknown => value

/** Elements of one fixed size, or null. */
function fixed<T>(
  oid: number,
  form: { size: number; write: (buffer: Buffer, value: T, at: number) => void },
): ArrayOf<T | null> {
  return arrayOf((rows, read) => fixedBytes(oid, form, { rows, read }))
}

function fixedBytes<T>(
  oid: number,
  form: { size: number; write: (buffer: Buffer, value: T, at: number) => void },
  { rows, read }: { rows: Rows; read: Read<T | null> },
): Buffer {
  const buffer = start(oid, rows.length, rows.length * (4 + form.size))
  let at = HEAD_BYTES
  for (const row of rows) {
    const value = read(row)
    if (value === null) {
      buffer.writeInt32BE(-1, at)
      at += 4
    } else {
      buffer.writeInt32BE(form.size, at)
      form.write(buffer, value, at + 4)
      at += 4 + form.size
    }
  }
  return at === buffer.length ? buffer : buffer.subarray(0, at)
}

/** A whole number that a double holds exactly; without the detour over bigint. */
function putInteger(buffer: Buffer, value: number, at: number): void {
  const high = Math.floor(value / TWO_TO_32)
  buffer.writeInt32BE(high, at)
  buffer.writeUInt32BE(value - high * TWO_TO_32, at + 4)
}

const int8Form = {
  size: 8,
  write: (buffer: Buffer, value: number | bigint, at: number): void => {
    if (typeof value === 'number') putInteger(buffer, value, at)
    else putInt64BE(buffer, value, at)
  },
}
const int4Form = {
  size: 4,
  write: (buffer: Buffer, value: number, at: number) => {
    buffer.writeInt32BE(value, at)
  },
}
/** Microseconds since 2000; a double holds them from 1714 to 2285. */
const momentForm = {
  size: 8,
  write: (buffer: Buffer, value: Date, at: number) => {
    const milliseconds = value.getTime() - POSTGRES_EPOCH_MS
    const microseconds = milliseconds * 1000
    if (Number.isSafeInteger(microseconds)) putInteger(buffer, microseconds, at)
    else buffer.writeBigInt64BE(BigInt(milliseconds) * 1000n, at)
  },
}
const uuidForm = {
  size: 16,
  write: (buffer: Buffer, value: string, at: number) => putUuid(buffer, value, at),
}

/** Block and item, as PostgreSQL tells them: `(3,17)`. */
const tidForm = {
  size: 6,
  write: (buffer: Buffer, value: string, at: number) => {
    const comma = value.indexOf(',')
    buffer.writeUInt32BE(Number(value.slice(1, comma)), at)
    buffer.writeUInt16BE(Number(value.slice(comma + 1, -1)), at + 4)
  },
}

export const int8Array = fixed(OID.int8, int8Form)
export const int4Array = fixed(OID.int4, int4Form)
export const timestamptzArray = fixed(OID.timestamptz, momentForm)
export const uuidArray = fixed(OID.uuid, uuidForm)
export const tidArray = fixed(OID.tid, tidForm)

type Text = string | Uint8Array | null

/** A text may come as its UTF-8. Values are asked for twice. */
export const textArray = arrayOf<Text>((rows, read) => {
  let bytes = 0
  for (const row of rows) bytes += 4 + lengthOf(read(row))
  const buffer = start(OID.text, rows.length, bytes)
  let at = HEAD_BYTES
  for (const row of rows) {
    const value = read(row)
    const length = value === null ? -1 : putText(buffer, value, at + 4)
    buffer.writeInt32BE(length, at)
    at += 4 + Math.max(length, 0)
  }
  return buffer
})

function lengthOf(value: Text): number {
  if (value === null) return 0
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}

/** Bytes that it took. */
function putText(buffer: Buffer, value: string | Uint8Array, at: number): number {
  if (typeof value === 'string') return buffer.write(value, at, 'utf8')
  buffer.set(value, at)
  return value.length
}

/** Values are asked for twice. */
export const byteaArray = arrayOf<Uint8Array | null>((rows, read) => {
  let bytes = 0
  for (const row of rows) bytes += 4 + (read(row)?.length ?? 0)
  const buffer = start(OID.bytea, rows.length, bytes)
  let at = HEAD_BYTES
  for (const row of rows) {
    const value = read(row)
    buffer.writeInt32BE(value === null ? -1 : value.length, at)
    if (value !== null) buffer.set(value, at + 4)
    at += 4 + (value?.length ?? 0)
  }
  return buffer
})
