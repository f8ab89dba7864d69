// Files of the outbox name people and are for looking at, not for keeping.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MS = 86_400_000
/** What the outbox has written, finished or not. */
const OURS = /\.(?:eml|json)(?:\.[0-9a-f-]{36})?$/

/** Removes what is older; gives how many files that were. A folder that is not there has none. */
export async function expireOutbox(folder: string, days: number, now: Date): Promise<number> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  let gone = 0
  for (const name of names.filter((one) => OURS.test(one))) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }))
    if (now.getTime() - mtimeMs < days * DAY_MS) continue
    await rm(path, { force: true })
    gone += 1
  }
  return gone
}
