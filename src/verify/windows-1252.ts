// Files in Windows-1252, read as text.
import type { ReadPart } from './contract.js'

/** Bytes 80 to 9F, which Node reads as those of Latin 1. */
const UPPER = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'
const FIRST_UPPER = 0x80

export function decoded(piece: Uint8Array): string {
  return Buffer.from(piece)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (one) => UPPER.charAt(one.charCodeAt(0) - FIRST_UPPER))
}

export async function* textsOf(read: ReadPart): AsyncGenerator<string> {
  for await (const piece of read()) yield decoded(piece)
}
