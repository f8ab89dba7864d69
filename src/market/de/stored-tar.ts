// The TAR of a TSE outside this server as it lies in its archive row: compressed, base64.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/** Longest export that is archived: it is one row of the journal, and in memory as a whole. */
export const MOST_TAR_BYTES = 32 * 1024 * 1024

const pack = promisify<Buffer, Buffer>(gzip)
const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** Four fifths of a TAR are padding. */
export async function packedTar(tar: Buffer): Promise<string> {
  return (await pack(tar)).toString('base64')
}

/** Throws for bytes that packedTar has not made. */
export function unpackedTar(content: string): Promise<Buffer> {
  return unpack(Buffer.from(content, 'base64'), { maxOutputLength: MOST_TAR_BYTES })
}
