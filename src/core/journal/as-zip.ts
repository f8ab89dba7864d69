// Journals as ZIP: the flag of a version 2 type word, and the archive with one entry.
// Called by export.ts.
import { zipped } from '../../lib/zip.js'

/** `CCCC_vlll_gggg_tjjj`: v = 2, and gggg 0001 asks for a ZIP stream. */
const VERSION_SHIFT = 44n
const ZIP_FLAG = 1n << 16n
const ZIP_TYPE = 'application/zip'

/** True for a word of a country in version 2. */
export function isVersion2(type: bigint): boolean {
  const word = BigInt.asUintN(64, type)
  return ((word >> VERSION_SHIFT) & 0xfn) === 2n && word >> 48n !== 0n
}

/** The type word without the flag; words of other versions stay as they are. */
export function unzippedType(type: bigint): { type: bigint; isZipped: boolean } {
  const word = BigInt.asUintN(64, type)
  if (!isVersion2(word) || (word & ZIP_FLAG) === 0n) return { type, isZipped: false }
  return { type: word & ~ZIP_FLAG, isZipped: true }
}

interface Opened {
  contentType: string
  body: AsyncGenerator<string | Uint8Array, void, undefined>
}

/** One entry of that name; an export that is a ZIP by itself stays as it is. */
export function zippedExport(opened: Opened, name: string, moment: Date): Opened {
  const { contentType, body } = opened
  if (contentType.startsWith(ZIP_TYPE)) return opened
  return { contentType: ZIP_TYPE, body: zipped([{ name, content: () => bytesOf(body) }], moment) }
}

async function* bytesOf(
  body: AsyncGenerator<string | Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of body) {
    yield typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece
  }
}
