// Amounts as whole numbers of the smallest part that registers send: nothing is rounded.

const PLACES = 28
const PLAIN = /^(-?)(\d{1,29})(?:\.(\d{1,28}))?$/

/** In parts of 10^-28; undefined: it is no plain number. */
export function amountOf(text: string): bigint | undefined {
  const found = PLAIN.exec(text)
  if (found === null) return undefined
  const [, sign, whole = '', fraction = ''] = found
  const parts = BigInt(whole + fraction.padEnd(PLACES, '0'))
  return sign === '' ? parts : -parts
}

/** `13.1` */
export function amountText(parts: bigint): string {
  const digits = (parts < 0n ? -parts : parts).toString().padStart(PLACES + 1, '0')
  const text = `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`.replace(/\.?0+$/, '')
  return parts < 0n ? `-${text}` : text
}

export const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/** Of amounts in millionths. */
export const CENT = 10_000n

/** `13.10`, from millionths that are not negative. */
export function centsText(amount: bigint): string {
  const cents = (amount + CENT / 2n) / CENT
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}
