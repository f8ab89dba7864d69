// Integers of 64 bits to their bytes and halves, without a further one made on the way.
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
