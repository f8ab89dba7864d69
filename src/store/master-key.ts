// The master key of an embedded installation: made on the first start, readable by its owner only;
// and whether a key is the one that the database was sealed with.
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseError } from '../postgres/database-error.js'
import type { Store } from './client.js'

const KEY_BYTES = 32

/** The key of DATA_DIR; every later start must find the same one, or nothing sealed opens again. */
export async function masterKeyOf(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'master.key')
  const made = await create(path)
  const key = made ?? Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length === KEY_BYTES) return key
  throw new DatabaseError(
    'not-permitted',
    `${path} does not hold a master key (32 bytes in Base64): restore the file from a backup.`,
  )
}

/**
 * Throws DatabaseError when a secret of the database does not open: the server would start and then
 * refuse every receipt. Looks at the oldest and the newest access token, which any key opens that
 * was in use then.
 */
export async function checkMasterKey({ pool, sealer }: Store): Promise<void> {
  const found = await pool.query<{ id: string; sealed: Buffer }>(
    `(select id, access_token_sealed as sealed from cash_box order by created_at limit 1)
     union all
     (select id, access_token_sealed from cash_box order by created_at desc limit 1)`,
  )
  try {
    for (const { id, sealed } of found.rows) sealer.open(sealed, cashBoxToken(id))
  } catch {
    throw new DatabaseError(
      'not-permitted',
      'The master key is not the one that this database was sealed with: set MASTER_KEY to that ' +
        'key, or restore master.key in DATA_DIR from a backup.',
    )
  }
}

/** What the sealed access token of a cash box is bound to. */
export function cashBoxToken(id: string): string {
  return `cash-box-token:${id}`
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
