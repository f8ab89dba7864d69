// Other names of issued receipts: give-away labels and paths of this server. Whoever had a name
// first keeps it.
import { reaching, type Store } from '../client.js'
import type { Connection } from '../transaction.js'
import type { ReceiptKey } from './issued.js'

/** Binds a label; false: another receipt has it already. */
export async function insertTag(client: Connection, key: ReceiptKey, tag: string): Promise<void> {
  await client.query(
    `insert into receipt_tag (tag, account_id, queue_id, queue_item_id) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [tag, key.accountId, key.queueId, key.queueItemId],
  )
}

export type PublicKey = Pick<ReceiptKey, 'queueId' | 'queueItemId'>

export async function findByTag(store: Store, tag: string): Promise<PublicKey | undefined> {
  const found = await reaching(() =>
    store.pool.query<PublicKey>({
      name: 'receipt-of-tag',
      text: `select queue_id as "queueId", queue_item_id as "queueItemId" from receipt_tag
        where tag = $1`,
      values: [tag],
    }),
  )
  return found.rows[0]
}

export interface NewAlias extends ReceiptKey {
  path: string
  appId: string | null
  createdAt: Date
}

/** Paths that one receipt may have. */
const MOST_ALIASES = 20

/** `full`: the receipt has too many; `taken`: the path leads to another receipt. */
export async function insertAlias(
  client: Connection,
  alias: NewAlias,
): Promise<'bound' | 'taken' | 'full'> {
  const { path, accountId, queueId, queueItemId } = alias
  const key = [accountId, queueId, queueItemId]
  await client.query(
    `insert into receipt_alias (path, account_id, queue_id, queue_item_id, app_id, created_at)
     select $1, $2, $3, $4, $5, $6 where (select count(*) from receipt_alias
       where account_id = $2 and queue_id = $3 and queue_item_id = $4) < ${MOST_ALIASES}
     on conflict do nothing`,
    [path, ...key, alias.appId, alias.createdAt],
  )
  const found = await client.query<PublicKey>(
    `select queue_id as "queueId", queue_item_id as "queueItemId" from receipt_alias
     where path = $1`,
    [path],
  )
  const owner = found.rows[0]
  if (owner === undefined) return 'full'
  return owner.queueId === queueId && owner.queueItemId === queueItemId ? 'bound' : 'taken'
}

export async function findByAlias(store: Store, path: string): Promise<PublicKey | undefined> {
  const found = await reaching(() =>
    store.pool.query<PublicKey>({
      name: 'receipt-of-alias',
      text: `select queue_id as "queueId", queue_item_id as "queueItemId" from receipt_alias
        where path = $1`,
      values: [path],
    }),
  )
  return found.rows[0]
}
