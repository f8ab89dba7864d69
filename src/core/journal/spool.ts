// Temporary storage for parts of an export that must wait for their place in an archive.
// Given to exporters by source.ts.
import { read } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fail } from '../../errors.js'
import type { Spool } from '../../model/export-source.js'

/** The most that one entry of a plain ZIP archive holds. */
const LIMIT_BYTES = 4 * 1024 ** 3 - 2
const PIECE_BYTES = 65_536

/** Where another thread of this process reads what was written, while the storage is open. */
export interface SpoolPlace {
  descriptor: number
  bytes: number
}

export interface SharedSpool extends Spool {
  /** Undefined: nothing was written. */
  place(): Promise<SpoolPlace | undefined>
}

/**
 * A file of the system's temporary folder that has no name any more when the first byte is in it:
 * whatever happens to the process, nothing stays behind.
 */
export function openSpool(limit = LIMIT_BYTES): SharedSpool {
  let file: Promise<FileHandle> | undefined
  let size = 0
  let closed = false
  return {
    async write(bytes) {
      if (closed) throw new Error('the temporary storage was given back')
      if (size + bytes.length > limit) throw fail('SPOOL_FULL', { limit: String(limit) })
      file ??= unnamedFile()
      await writeAt(await file, bytes, size)
      size += bytes.length
    },
    async *read() {
      if (file === undefined) return
      yield* spooled({ descriptor: (await file).fd, bytes: size })
    },
    place: async () => (file === undefined ? file : { descriptor: (await file).fd, bytes: size }),
    async close() {
      closed = true
      // a file that could not be made: whoever wrote was told so
      const handle = await file?.catch(() => undefined)
      file = undefined
      await handle?.close()
    },
  }
}

async function unnamedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-'))
  try {
    return await open(join(folder, 'spool'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, start + at)
    at += bytesWritten
  }
}

const readAt = promisify(read)

/** From its start, as often as one likes. */
export async function* spooled({
  descriptor,
  bytes,
}: SpoolPlace): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes - at))
    const { bytesRead } = await readAt(descriptor, piece, 0, piece.length, at)
    if (bytesRead === 0) throw new Error('the temporary storage has lost its end')
    at += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}
