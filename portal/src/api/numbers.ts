// The one place where digits become numbers of JavaScript, which are exact up to 15 digits. What has
// 64 bits (words of cases, ticks, states, journals, counters) is compared and shown as it came,
// and computed with as BigInt. test/tidy.test.ts holds all other files of the portal to it.
declare const SIXTY_FOUR: unique symbol

/** An integer of 64 bits: as JSON has it, digits where a browser would round it; bigint to send. */
export type Int64 = bigint | ((number | string) & { readonly [SIXTY_FOUR]: true })

/** Of what was typed or stands in an address. No integer goes as it is: the server says so. */
export const int64In = (text: string): Int64 =>
  (/^-?\d+$/.test(text.trim()) ? BigInt(text.trim()) : text) as Int64

/** A short number that was typed: a choice, days, how many. NaN for what would be rounded. */
export const numberIn = (text: string): number =>
  /^-?\d{1,15}(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN

const FINE = 1_000_000n

/** How much of the whole, from 0 to 1, for what is drawn. */
export function share(part: Int64, whole: Int64): number {
  const all = BigInt(whole)
  return all <= 0n ? 0 : Number((BigInt(part) * FINE) / all) / Number(FINE)
}

/** 1234567 is 1.234 of the second power of a thousand, of `powers` that have a name. */
export function thousandsOf(
  count: Int64 | number,
  powers: number,
): { value: number; power: number } {
  const all = BigInt(count)
  const power = Math.min(powers - 1, Math.floor((String(all).length - 1) / 3))
  return { value: Number((all * 1000n) / 1000n ** BigInt(power)) / 1000, power }
}

/** All digits that there are, and at least those of cents: formats take them as text. */
export function amountText(amount: string, language: string): string {
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 20,
  })
  return format.format(amount as unknown as number)
}
