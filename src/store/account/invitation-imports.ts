// How far imports of invitations are, for every server to see.

import type { Store } from '../client.js'
import { runnerAlive } from '../message/jobs.js'
import type { Transaction } from '../transaction.js'

export interface ImportKey {
  accountId: string
  id: string
}

export interface ImportCounts {
  /** Looked at so far. */
  rows: number
  created: number
  skipped: number
}

/** Whether somebody still works on it: the process that began it lives and has not ended it. */
const AT_WORK = `running and ${runnerAlive('runner')}`

/** Those of the account that are over are forgotten. */
export async function beginImport(
  { pool }: Store,
  { accountId, id, runner, now }: ImportKey & { runner: number; now: Date },
): Promise<void> {
  await pool.query(
    `with over as (delete from invitation_import where account_id = $1 and not (${AT_WORK}))
     insert into invitation_import
       (account_id, id, runner, running, rows, created, skipped, started_at)
     values ($1, $2, $3, true, 0, 0, 0, $4)`,
    [accountId, id, runner, now],
  )
}

/** Nothing happens to one that has ended: a late word moves no result. */
export async function tellImport(
  { pool }: Store,
  { accountId, id }: ImportKey,
  { rows, created, skipped }: ImportCounts,
): Promise<void> {
  await pool.query(
    `update invitation_import set rows = $3, created = $4, skipped = $5
     where account_id = $1 and id = $2 and running`,
    [accountId, id, rows, created, skipped],
  )
}

/** Together with what was imported. */
export async function endImportIn(
  tx: Transaction,
  { accountId, id }: ImportKey,
  { rows, created, skipped }: ImportCounts,
): Promise<void> {
  await tx.$executeRaw`update invitation_import
    set running = false, rows = ${rows}, created = ${created}, skipped = ${skipped}
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
}

/** null: as they were told last. */
export interface EndCounts {
  rows: number | null
  skipped: number | null
}

/** Without anything imported; one that has ended after all, its answer lost, keeps its counts. */
export async function failImport(
  { pool }: Store,
  { accountId, id }: ImportKey,
  { rows, skipped }: EndCounts,
): Promise<void> {
  await pool.query(
    `update invitation_import set running = false, rows = coalesce($3, rows), created = 0,
       skipped = coalesce($4, skipped)
     where account_id = $1 and id = $2 and running`,
    [accountId, id, rows, skipped],
  )
}

/** Of the newest one at work, else of the newest; undefined: there was none. */
export async function findImport(
  { pool }: Store,
  accountId: string,
): Promise<(ImportCounts & { running: boolean }) | undefined> {
  const { rows } = await pool.query<ImportCounts & { running: boolean; wasRunning: boolean }>({
    name: 'import-progress',
    text: `select ${AT_WORK} as running, running as "wasRunning", rows, created, skipped
      from invitation_import where account_id = $1
      order by 1 desc, started_at desc, id desc limit 1`,
    values: [accountId],
  })
  const [found] = rows
  if (found === undefined) return undefined
  const { wasRunning, running, ...counts } = found
  // what a dead process had stored went with it
  return { running, ...counts, created: wasRunning && !running ? 0 : counts.created }
}
