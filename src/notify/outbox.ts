// Messages as files, where no other way is set: `.eml` for e-mail, `.json` for the rest.
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mailOf, type Sender } from './compose.js'
import { bodyOf } from './http-driver.js'
import { HandOverError, type Outgoing, type Transport } from './transport.js'

export interface OutboxOptions {
  folder: string
  from: Sender
}

/** The name of a file is the id of its message: a second try writes the same file. */
export function createOutbox({ folder, from }: OutboxOptions): Transport {
  return {
    hand: async (outgoing) => {
      const { name, bytes } = await fileOf(outgoing, from)
      try {
        await write(folder, name, bytes)
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'no file'
        throw new HandOverError('later', `the outbox cannot be written: ${code}`)
      }
      return name
    },
  }
}

async function fileOf(
  outgoing: Outgoing,
  from: Sender,
): Promise<{ name: string; bytes: Buffer | string }> {
  const { id, channel } = outgoing
  if (channel === 'email') return { name: `${id}.eml`, bytes: await mailOf(outgoing, from) }
  return { name: `${id}.${channel}.json`, bytes: bodyOf(outgoing) }
}

/** Whole or not at all, and readable by its owner only. */
async function write(folder: string, name: string, bytes: Buffer | string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const unfinished = join(folder, `.${name}.${randomUUID()}`)
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, join(folder, name))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
