// Words that begin with the letters of their country.
import type { Tagging } from '../../case/word.js'

const LETTER_BITS = 48n
const VERSION_2 = 0x2000_0000_0000n
const ERROR = 0xeeee_eeeen

export interface Words {
  /** Of version 2, with nothing behind the letters and the version. */
  base: bigint
  /** The same of both. */
  bases: Readonly<Record<Tagging, bigint>>
  /** ftState of a receipt that is refused. */
  error: bigint
  word(code: number | bigint): bigint
  /** Words by their codes, as a file lists them: `0x200012`; of version 2 unless told. */
  types<K extends string>(
    codes: Readonly<Record<K, string>>,
    tagging?: Tagging,
  ): Readonly<Record<K, bigint>>
}

export function wordsOf(country: string): Words {
  const letters = BigInt(Buffer.from(country, 'latin1').readUInt16BE())
  const v0 = letters << LETTER_BITS
  const base = v0 | VERSION_2
  const bases = { v0, v2: base }
  const word = (code: number | bigint): bigint => base | BigInt(code)
  return {
    ...{ base, bases, error: word(ERROR), word },
    types: <K extends string>(codes: Readonly<Record<K, string>>, tagging: Tagging = 'v2') => {
      const listed = Object.entries<string>(codes)
      const found = listed.map(([name, code]) => [name, bases[tagging] | BigInt(code)])
      return Object.fromEntries(found) as Record<K, bigint>
    },
  }
}
