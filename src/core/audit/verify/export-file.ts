// An exported file on disk as the verifiers read it: from its start or in parts, unpacked within
// bounds when it is gzip.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { fail } from '../../../errors.js'
import type { ByteRange, ReadPart } from '../../../verify/contract.js'

export interface ExportFile {
  read: ReadPart
  /** Bytes of it, unpacked. */
  size: number
  /** The first bytes. */
  head: Buffer
  /** Why it cannot be unpacked, else undefined. */
  fault: string | undefined
  /** Removes what was unpacked. */
  close(): Promise<void>
}

/** A TAR shows in its first two blocks what it is. */
const HEAD_BYTES = 1024
/** Large pieces: fewer turns of the event loop; still nothing against the memory. */
const PIECE_BYTES = 256 * 1024
/** Of a part of the file: the tables of an archive are read beside each other. */
const PART_BYTES = 32 * 1024
const GZIP = Buffer.from([0x1f, 0x8b])
/** TARs of log messages shrink to a twentieth; nothing that is an export shrinks to this part. */
const MOST_RATIO = 250
/** Below this size a ratio says nothing: the empty end of a TAR packs well. */
const SMALL_BYTES = 1 << 22
/** Ten years of a busy register are less. */
const MOST_BYTES = 16 * 2 ** 30

/** Throws FiscalError REQUEST_INVALID when the file cannot be read. */
export async function openExport(path: string): Promise<ExportFile> {
  const head = await headOf(path)
  if (!head.subarray(0, GZIP.length).equals(GZIP)) {
    const { size } = await stat(path)
    return { read: reader(path, size), size, head, fault: undefined, close: async () => undefined }
  }
  const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-verify-'))
  const plain = join(folder, 'export')
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    // a fault in its first bytes would leave no file at all
    await writeFile(plain, '', { mode: 0o600 })
    const fault = await unpack(path, plain)
    const { size } = await stat(plain)
    return { read: reader(plain, size), size, head: await headOf(plain), fault, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What is wrong with the packing; what came before the fault is there. */
async function unpack(from: string, to: string): Promise<string | undefined> {
  const source = createReadStream(from, { highWaterMark: PIECE_BYTES })
  const bound = bounded(() => source.bytesRead)
  try {
    await pipeline(source, createGunzip(), bound, createWriteStream(to))
    return undefined
  } catch (error) {
    if (error instanceof Bomb) return error.message
    const { code = '', message } = error as NodeJS.ErrnoException
    if (/^Z_|^ERR_/.test(code)) return `a fault in the packed bytes (${JSON.stringify(message)})`
    throw fail('REQUEST_INVALID', { reason: `${from} cannot be unpacked: ${message}.` })
  }
}

/** The packed bytes stand for more than any export would. */
class Bomb extends Error {}

function bounded(packed: () => number): Transform {
  let size = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length
      const isTooMuch = size > MOST_BYTES || (size > SMALL_BYTES && size > packed() * MOST_RATIO)
      if (isTooMuch) done(new Bomb(`more than ${MOST_RATIO} times the packed bytes`))
      else done(null, piece)
    },
  })
}

function reader(path: string, size: number): ReadPart {
  return (range = { start: 0, end: size }) => {
    const isWhole = range.end - range.start >= size
    return pieces(path, range, isWhole ? PIECE_BYTES : PART_BYTES)
  }
}

async function* pieces(
  path: string,
  { start, end }: ByteRange,
  highWaterMark: number,
): AsyncGenerator<Uint8Array> {
  if (end <= start) return
  // the stream's own `end` is inclusive; with it no read takes more memory than there are bytes
  yield* createReadStream(path, { highWaterMark, start, end: end - 1 })
}

async function headOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw fail('REQUEST_INVALID', { reason: `${path} cannot be read: ${reasonOf(error)}.` })
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}
