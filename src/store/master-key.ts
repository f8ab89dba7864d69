// The master key of an embedded installation: made on the first start, readable by its owner only.
// Called by deps.ts.
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const KEY_BYTES = 32

/** The key of DATA_DIR; every later start must find the same one, or nothing sealed opens again. */
export async function masterKeyOf(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'master.key')
  const made = await create(path)
  const key = made ?? Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length === KEY_BYTES) return key
  throw new Error(`${path} does not hold a master key: expected 32 bytes in Base64`)
}

/** Undefined when there is one already. */
async function create(path: string): Promise<Buffer | undefined> {
  try {
    const file = await open(path, 'wx', 0o600)
    const key = randomBytes(KEY_BYTES)
    await file.writeFile(`${key.toString('base64')}\n`)
    await file.sync()
    await file.close()
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}
