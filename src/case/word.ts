// 64-bit case words: country in the top 16 bits, a version nibble, flags and a code.

/** `CCCC_vlll_gggg_xxxx` taken apart. */
export interface CaseParts {
  readonly country: bigint
  readonly version: bigint
  readonly local: bigint
  readonly global: bigint
  readonly code: bigint
}

/** Every receipt asks for some ten words, and a shop has some dozens of them. */
const known = new Map<bigint, CaseParts>()
const MOST_KNOWN = 1024

export function casePartsOf(word: bigint): CaseParts {
  const found = known.get(word)
  if (found !== undefined) return found
  const unsigned = BigInt.asUintN(64, word)
  const parts = {
    country: unsigned >> 48n,
    version: (unsigned >> 44n) & 0xfn,
    local: (unsigned >> 32n) & 0xfffn,
    global: (unsigned >> 16n) & 0xffffn,
    code: unsigned & 0xffffn,
  }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(word, parts)
  return parts
}

/** `AT` ↔ 0x4154: the two ASCII letters of the country code. */
export function countryWord(code: string): bigint {
  return (BigInt(code.charCodeAt(0)) << 8n) | BigInt(code.charCodeAt(1))
}

/** The country letters of a case word, or '' when its top 16 bits are no two capital letters. */
export function countryOf(word: bigint): string {
  const { country } = casePartsOf(word)
  const text = String.fromCharCode(Number(country >> 8n), Number(country & 0xffn))
  return /^[A-Z]{2}$/.test(text) ? text : ''
}

/** `0x4154000000000001`: the spelling of exports and logs. */
export function hexWord(word: bigint): string {
  return `0x${BigInt.asUintN(64, word).toString(16).toUpperCase().padStart(16, '0')}`
}

/** True for a word that names a country. */
export function isCountryWord(word: bigint): boolean {
  return BigInt.asUintN(64, word) >> 48n !== 0n
}
