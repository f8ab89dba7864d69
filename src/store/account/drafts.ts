// Work that was begun and not done: a text of an account under a name.
import { reaching, type Store } from '../client.js'

export interface DraftKey {
  accountId: string
  name: string
}

export interface DraftRow {
  document: string
  changedAt: Date
}

export async function findDraft(
  { pool }: Pick<Store, 'pool'>,
  { accountId, name }: DraftKey,
): Promise<DraftRow | undefined> {
  const { rows } = await reaching(() =>
    pool.query<DraftRow>(
      `select document, changed_at as "changedAt" from draft where account_id = $1 and name = $2`,
      [accountId, name],
    ),
  )
  return rows[0]
}

export interface Keeping extends DraftKey, DraftRow {
  /** Others that nobody has touched since go. */
  before: Date
  /** Of an account; the oldest ones make room. */
  most: number
}

export async function putDraft(
  { pool }: Pick<Store, 'pool'>,
  { accountId, name, document, changedAt, before, most }: Keeping,
): Promise<void> {
  await reaching(() =>
    pool.query(
      `with gone as (
         delete from draft where account_id = $1 and name <> $2 and (changed_at < $5 or name in (
           select name from draft where account_id = $1 and name <> $2
           order by changed_at desc, name offset $6)))
       insert into draft (account_id, name, document, changed_at) values ($1, $2, $3, $4)
       on conflict (account_id, name)
         do update set document = excluded.document, changed_at = excluded.changed_at`,
      [accountId, name, document, changedAt, before, most - 1],
    ),
  )
}

export async function deleteDraft(
  { pool }: Pick<Store, 'pool'>,
  { accountId, name }: DraftKey,
): Promise<void> {
  await reaching(() =>
    pool.query('delete from draft where account_id = $1 and name = $2', [accountId, name]),
  )
}
