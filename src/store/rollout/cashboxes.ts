// Cash boxes as a caller's credentials see them.
import type { Store } from '../client.js'

export interface CashBoxQueue {
  id: string
  market: string
  createdAt: Date
  /** True after its stop receipt. */
  stopped: boolean
}

export interface CashBoxAccess {
  accountId: string
  cashBoxId: string
  /** SHA-256 of the access token. */
  tokenHash: Buffer
  /** Oldest first. */
  queues: CashBoxQueue[]
}

interface AccessRow {
  account_id: string
  id: string
  access_token_hash: Buffer
  queues: { id: string; market: string; createdAt: string; stopped: boolean }[]
}

const SELECT = `
select c.account_id, c.id, c.access_token_hash, (
  select coalesce(json_agg(json_build_object('id', q.id, 'market', q.market,
    'createdAt', q.created_at, 'stopped', q.stop_moment is not null)
    order by q.created_at, q.id), '[]')
  from queue q where q.account_id = c.account_id and q.cash_box_id = c.id) as queues
from cash_box c`

function accessOf(row: AccessRow): CashBoxAccess {
  return {
    accountId: row.account_id,
    cashBoxId: row.id,
    tokenHash: row.access_token_hash,
    queues: row.queues.map((queue) => ({ ...queue, createdAt: new Date(queue.createdAt) })),
  }
}

/** Goes through the directory: the id of a cash box is all that a caller sends. */
export async function findCashBox(
  store: Store,
  cashBoxId: string,
): Promise<CashBoxAccess | undefined> {
  const found = await store.pool.query<AccessRow>({
    name: 'cash-box-access',
    text: `${SELECT} join directory d on d.id = c.id and d.account_id = c.account_id
      where d.id = $1 and d.kind = 'cashbox'`,
    values: [cashBoxId],
  })
  return found.rows.map(accessOf)[0]
}

/** Several at once, by their ids; who is not there is not in the answer. */
export async function findCashBoxes(
  store: Store,
  cashBoxIds: readonly string[],
): Promise<Map<string, CashBoxAccess>> {
  const found = await store.pool.query<AccessRow>({
    name: 'cash-boxes-access',
    text: `${SELECT} join directory d on d.id = c.id and d.account_id = c.account_id
      where d.id = any($1::uuid[]) and d.kind = 'cashbox'`,
    values: [cashBoxIds],
  })
  return new Map(found.rows.map((row) => [row.id, accessOf(row)]))
}

/** The cash box that holds a queue, for the locally hosted form that sends no credentials. */
export async function findCashBoxOfQueue(
  store: Store,
  queueId: string,
): Promise<CashBoxAccess | undefined> {
  const found = await store.pool.query<AccessRow>({
    name: 'cash-box-of-queue',
    text: `${SELECT} join directory d on d.account_id = c.account_id
      join queue o on o.account_id = d.account_id and o.id = d.id and o.cash_box_id = c.id
      where d.id = $1 and d.kind = 'queue'`,
    values: [queueId],
  })
  return found.rows.map(accessOf)[0]
}

/** The only queue of this server, or undefined when there is none or more than one. */
export async function findOnlyQueue(store: Store): Promise<string | undefined> {
  const found = await store.pool.query<{ id: string }>({
    name: 'only-queue',
    text: `select id from directory where kind = 'queue' limit 2`,
  })
  return found.rows.length === 1 ? found.rows[0]?.id : undefined
}
