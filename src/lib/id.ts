// Ids: random ones for things whose id opens something, time-ordered ones for rows.
import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 8192
const pool = Buffer.allocUnsafeSlow(POOL_BYTES)
let used = POOL_BYTES

function take(bytes: number): Buffer {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.subarray(used - bytes, used)
}

function text(hex: string): string {
  const head = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}`
  return `${head}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A random UUID (version 4): 122 unguessable bits. */
export function randomId(): string {
  const bytes = take(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return text(bytes.toString('hex'))
}

/** A UUID that sorts by its time (version 7), for rows that no outsider addresses. */
export function orderedId(unixMilliseconds: number): string {
  const bytes = take(10)
  bytes[0] = ((bytes[0] ?? 0) & 0x0f) | 0x70
  bytes[2] = ((bytes[2] ?? 0) & 0x3f) | 0x80
  return text(unixMilliseconds.toString(16).padStart(12, '0') + bytes.toString('hex'))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(value: string): boolean {
  return UUID.test(value)
}

/** The 16 bytes in .NET order: the first three groups little endian, the rest as written. */
export function guidBytes(id: string): Buffer {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  bytes.subarray(0, 4).reverse()
  bytes.subarray(4, 6).reverse()
  bytes.subarray(6, 8).reverse()
  return bytes
}
