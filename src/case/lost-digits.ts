// Case words that a program wrote as a double: they have 19 digits, and a double keeps 15 to 17 of
// them, so the last ones come as zeros.
import type { ReceiptRequest } from '../model/receipt.js'

/** A double near 2^62 is written with at most 17 digits that count, mostly with 16. */
const LOST = 1000n

/** True for a complete word that reads as a program prints it which computes with doubles. */
export function looksRounded(word: bigint): boolean {
  const unsigned = BigInt.asUintN(64, word)
  return unsigned >> 48n !== 0n && unsigned % LOST === 0n
}

/**
 * True where every complete word of a receipt with items reads so. One of them alone may be a case
 * of the table; a program rounds all of them.
 */
export function looksAllRounded({ receiptCase, chargeItems, payItems }: ReceiptRequest): boolean {
  if (!looksRounded(receiptCase)) return false
  const items = [
    ...chargeItems.map((item) => item.chargeItemCase),
    ...payItems.map((item) => item.payItemCase),
  ].filter((word) => BigInt.asUintN(64, word) >> 48n !== 0n)
  return items.length > 0 && items.every(looksRounded)
}

/** A sentence behind another one about this word; empty where it does not read as rounded. */
export function roundedHint(word: bigint): string {
  return looksRounded(word) ? ` ${lostDigitsHint(word)}` : ''
}

/** What is said about a word that stands in no table; the number as it came helps to find it. */
export function lostDigitsHint(word: bigint): string {
  return (
    `As a number it is ${BigInt.asUintN(64, word)}; a program that computes with doubles ` +
    'loses the last digits of such numbers: send it as a 64-bit integer or as a string.'
  )
}
