// Amounts of DSFinV-K as whole hundred-thousandths (five decimals), exact.

/** One euro. */
export const ONE = 100_000n
/** One cent. */
export const CENT = 1000n

const SCALE = 5
const NUMBER = /^(-?)(\d+)(?:,(\d{1,5}))?$/
const GROUPED = /^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/

/** `-1234,56` → -123456000n; undefined for anything that is no such number. */
export function unitsOf(text: string): bigint | undefined {
  const found = NUMBER.exec(isGrouped(text) ? text.replaceAll('.', '') : text)
  if (found === null) return undefined
  const units = BigInt((found[2] ?? '') + (found[3] ?? '').padEnd(SCALE, '0'))
  return found[1] === '-' ? -units : units
}

export function isGrouped(text: string): boolean {
  return GROUPED.test(text)
}

/** `-1234,56`, with as few decimals as it needs, at least two. */
export function plainOf(units: bigint): string {
  const digits = absolute(units)
    .toString()
    .padStart(SCALE + 1, '0')
  const decimals = digits.slice(-SCALE).replace(/0{1,3}$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -SCALE)},${decimals}`
}

export function absolute(units: bigint): bigint {
  return units < 0n ? -units : units
}

/** True when they are not further apart than this. */
export function isNear(a: bigint, b: bigint, tolerance: bigint): boolean {
  return absolute(a - b) <= tolerance
}

export function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n
  for (const amount of amounts) sum += amount
  return sum
}
