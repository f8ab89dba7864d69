// Ticks: units of 100 ns since 0001-01-01T00:00:00 UTC, the time stamps of the journals.

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
