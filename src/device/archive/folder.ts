// An archive that is a folder: a mounted disk, a share, a medium that can be written once.
import { createReadStream } from 'node:fs'
import { access, chmod, constants, copyFile, link, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomId } from '../../lib/id.js'
import { type Archive, ArchiveError, type GivenFile } from './archive.js'

const PIECE_BYTES = 256 * 1024

export function folderArchive(root: string): Archive {
  return {
    place: root,
    put: (name, file) => naming(() => keep(join(root, name), file)),
    read: (name) => naming(() => opened(join(root, name))),
    check: () =>
      naming(async () => {
        await mkdir(root, { recursive: true, mode: 0o700 })
        await access(root, constants.W_OK)
      }),
  }
}

/** It has its name when its last byte is on the disk; `link` never replaces what has the name. */
async function keep(path: string, file: GivenFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const part = `${path}.${randomId()}.part`
  try {
    await copyFile(file.path, part, constants.COPYFILE_EXCL)
    await flushed(part)
    await chmod(part, 0o440)
    await link(part, path)
    await flushed(dirname(path))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(part, { force: true })
  }
}

async function flushed(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function opened(path: string): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    const handle = await open(path, 'r')
    return createReadStream('', { fd: handle, highWaterMark: PIECE_BYTES })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

/** A full or read-only disk says no; one that is gone does not answer. */
const AWAY = new Set(['EIO', 'ENODEV', 'ENXIO', 'ESTALE', 'ETIMEDOUT', 'EHOSTDOWN', 'ENOTCONN'])

async function naming<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = codeOf(error) ?? String(error)
    throw new ArchiveError(AWAY.has(code) ? 'away' : 'refused', `the folder says ${code}`, error)
  }
}
