// Ticks: units of 100 ns since 0001-01-01T00:00:00 UTC, the time stamps of the journals; and what
// they have in common with case words, 64 bits.

/** Ticks of 1970-01-01T00:00:00Z. */
export const UNIX_EPOCH_TICKS = 621355968000000000n

export function ticksOf(unixMilliseconds: number): bigint {
  return UNIX_EPOCH_TICKS + BigInt(unixMilliseconds) * 10000n
}

/** Milliseconds since 1970, the remainder below a millisecond cut off. */
export function unixMillisecondsOf(ticks: bigint): number {
  return Number((ticks - UNIX_EPOCH_TICKS) / 10000n)
}

/** ISO 8601 in UTC with as many fraction digits as needed: `2025-01-05T07:00:00Z`, `…:00.5Z`. */
export function isoText(date: Date): string {
  const text = date.toISOString()
  if (!text.endsWith('0Z')) return text
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text.replace(/0+Z$/, 'Z')
}

// ------------------------------------------------------------------------ 64 bits

/** Integers to their bytes and halves, without a further one made on the way. */
const view = new DataView(new ArrayBuffer(8))
const bytes = new Uint8Array(view.buffer)

/** Throws RangeError for what has more than 64 bits. */
export function putInt64BE(target: Uint8Array, value: bigint, at: number): void {
  view.setBigInt64(0, checked(value))
  for (let index = 0; index < 8; index += 1) target[at + index] = bytes[index] ?? 0
}

/** Throws RangeError for what has more than 64 bits. */
export function putInt64LE(target: Uint8Array, value: bigint, at: number): void {
  view.setBigInt64(0, checked(value), true)
  for (let index = 0; index < 8; index += 1) target[at + index] = bytes[index] ?? 0
}

/** Bits 32 to 63; whatever is above does not count. */
export function highHalf(value: bigint): number {
  view.setBigInt64(0, value)
  return view.getUint32(0)
}

/** Bits 0 to 31. */
export function lowHalf(value: bigint): number {
  view.setBigInt64(0, value)
  return view.getUint32(4)
}

function checked(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value
  throw new RangeError(`${value} has more than 64 bits`)
}
