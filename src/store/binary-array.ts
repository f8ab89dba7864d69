// PostgreSQL arrays in the binary wire format, the fastest way to hand many rows to one statement.
// pg sends a Buffer as a binary parameter.
import { putUuid } from '../lib/id.js'
import { putInt64BE } from '../lib/ticks.js'

const OID = { bytea: 17, int8: 20, text: 25, timestamptz: 1184, uuid: 2950, int4: 23 } as const
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

/** Elements of one fixed size, or null. */
function fixed<T>(
  oid: number,
  values: readonly (T | null)[],
  form: { size: number; write: (buffer: Buffer, value: T, at: number) => void },
): Buffer {
  const buffer = start(oid, values.length, values.length * (4 + form.size))
  let at = HEAD_BYTES
  for (const value of values) {
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
  write: (buffer: Buffer, value: number | bigint, at: number) => {
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

export const int8Array = (values: readonly (number | bigint | null)[]): Buffer =>
  fixed(OID.int8, values, int8Form)

export const int4Array = (values: readonly (number | null)[]): Buffer =>
  fixed(OID.int4, values, int4Form)

export const timestamptzArray = (values: readonly (Date | null)[]): Buffer =>
  fixed(OID.timestamptz, values, momentForm)

export const uuidArray = (values: readonly (string | null)[]): Buffer =>
  fixed(OID.uuid, values, uuidForm)

/** A text may come as its UTF-8. */
export function textArray(values: readonly (string | Uint8Array | null)[]): Buffer {
  let bytes = 0
  for (const value of values) bytes += 4 + lengthOf(value)
  const buffer = start(OID.text, values.length, bytes)
  let at = HEAD_BYTES
  for (const value of values) {
    const length = value === null ? -1 : putText(buffer, value, at + 4)
    buffer.writeInt32BE(length, at)
    at += 4 + Math.max(length, 0)
  }
  return buffer
}

function lengthOf(value: string | Uint8Array | null): number {
  if (value === null) return 0
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}

/** Bytes that it took. */
function putText(buffer: Buffer, value: string | Uint8Array, at: number): number {
  if (typeof value === 'string') return buffer.write(value, at, 'utf8')
  buffer.set(value, at)
  return value.length
}

export function byteaArray(values: readonly (Uint8Array | null)[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 0)
  const buffer = start(OID.bytea, values.length, bytes)
  let at = HEAD_BYTES
  for (const value of values) {
    buffer.writeInt32BE(value === null ? -1 : value.length, at)
    if (value !== null) buffer.set(value, at + 4)
    at += 4 + (value?.length ?? 0)
  }
  return buffer
}
