// The words that choose a journal: those of version 2, their flag of a ZIP and their common part.
import { countryWord } from '../../case/word.js'

/** `CCCC_vlll_gggg_tjjj`: v = 2, t = 0 common and 1 of a market, and gggg 0001 asks for a ZIP. */
const COUNTRY_SHIFT = 48n
const VERSION_SHIFT = 44n
const VERSION = 2n
const ZIP_FLAG = 1n << 16n
const NUMBER = 0xfffn
/** Version information, actions, receipts, queue items, configuration: the numbers of version 0. */
const COMMON: ReadonlySet<bigint> = new Set([0n, 1n, 2n, 3n, 0xffn])

/** True for a word of a country in version 2. */
export function isVersion2(type: bigint): boolean {
  const word = BigInt.asUintN(64, type)
  return ((word >> VERSION_SHIFT) & 0xfn) === VERSION && word >> COUNTRY_SHIFT !== 0n
}

/** A word of version 2 that leaves out its country is one of the queue's. */
export function ownWord(type: bigint, country: string): bigint {
  const isBare = type >> VERSION_SHIFT === VERSION
  return isBare ? type | (countryWord(country) << COUNTRY_SHIFT) : type
}

/** The type word without the flag; words of other versions stay as they are. */
export function unzippedType(type: bigint): { type: bigint; isZipped: boolean } {
  const word = BigInt.asUintN(64, type)
  if (!isVersion2(word) || (word & ZIP_FLAG) === 0n) return { type, isZipped: false }
  return { type: word & ~ZIP_FLAG, isZipped: true }
}

/** Which journal of every market a word of version 2 means; undefined for one of its own. */
export function commonNumber(word: bigint, country: string): bigint | undefined {
  const base = (countryWord(country) << COUNTRY_SHIFT) | (VERSION << VERSION_SHIFT)
  const number = word & NUMBER
  return word - number === base && COMMON.has(number) ? number : undefined
}
