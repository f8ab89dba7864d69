// The records of operations: looked up many at once, claimed, finished. Those of signed receipts
// are written by sign-statement.ts.
import type pg from 'pg'
import { uuidArray } from '../binary-array.js'
import { reaching, type Store } from '../client.js'
import { withTexts } from '../receipt/receipt-texts.js'
import { OPERATION_CHANNEL, RUNNER_CLASS } from './operation-line.js'

export interface OperationRowKey {
  accountId: string
  cashBoxId: string
  id: string
}

/** A record as it is written; request and response of a receipt are null, its item has them. */
export interface OperationRow extends OperationRowKey {
  method: string
  path: string
  requestHash: Buffer
  requestHeaders: string
  request: string | null
  state: 'processing' | 'done' | 'failed'
  status: number | null
  contentType: string | null
  response: string | null
  queueId: string | null
  queueItemId: string | null
  /** The server process at work; null when it is finished. */
  runner: number | null
  startedAt: Date
  finishedAt: Date | null
}

/** A record as it is read: the texts of a receipt come from its item. */
export type FoundOperation = Omit<OperationRow, 'requestHeaders'> & {
  headers: string
  /** False: the server that works on it is no longer connected. */
  alive: boolean
  /** Commits of this database wait for a standby. */
  awaited: boolean
}

const COLUMNS = `o.account_id as "accountId", o.cash_box_id as "cashBoxId", o.id, o.method, o.path,
  o.request_hash as "requestHash", o.request_headers as headers,
  coalesce(o.request, i.request) as request, o.state, o.status, o.content_type as "contentType",
  coalesce(o.response, i.response) as response, o.queue_id as "queueId",
  o.queue_item_id as "queueItemId", o.runner, o.started_at as "startedAt",
  o.finished_at as "finishedAt",
  o.runner is null or exists (select from pg_locks l where l.locktype = 'advisory' and l.granted
    and l.classid = ${RUNNER_CLASS} and l.objid = o.runner and l.objsubid = 2
    and l.database = (select d.oid from pg_database d where d.datname = current_database()))
    as alive, current_setting('synchronous_standby_names') <> '' as awaited`
const WITH_ITEM = `left join lateral (select request, response from queue_item
    where account_id = o.account_id and id = o.queue_item_id limit 1) i on true`

/**
 * Those that are known, by id in the order of nothing. Row by row: a join could be planned as a
 * scan while the table is small, and a connection keeps its plan. The arrays stand in selects of
 * their own because PostgreSQL would count their elements otherwise, find a plan for one cheaper
 * than the kept one for ten, and plan anew for each call, which takes longer than the look-up.
 */
export async function findOperations(
  store: Store,
  keys: readonly OperationRowKey[],
): Promise<FoundOperation[]> {
  const found = await reaching(() =>
    store.pool.query<FoundOperation>({
      name: 'find-operations',
      text: `select ${COLUMNS} from unnest((select $1::uuid[]), (select $2::uuid[]),
          (select $3::uuid[])) k(a, c, id)
        cross join lateral (select * from operation
          where account_id = k.a and cash_box_id = k.c and id = k.id limit 1) o
        ${WITH_ITEM}`,
      values: [
        uuidArray(keys, (key) => key.accountId),
        uuidArray(keys, (key) => key.cashBoxId),
        uuidArray(keys, (key) => key.id),
      ],
    }),
  )
  return found.rows.map(withTexts)
}

const INSERT = `insert into operation (account_id, cash_box_id, id, method, path, request_hash,
    request_headers, request, state, status, content_type, response, queue_id, queue_item_id,
    runner, started_at, finished_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
  on conflict do nothing`

/**
 * False when the operation is known already: whoever has other work in the transaction of `client`
 * rolls it back then. Throws DATABASE_AWAY, and then it may be written all the same.
 */
export async function insertOperation(
  client: Pick<pg.Pool | pg.PoolClient, 'query'>,
  row: OperationRow,
): Promise<boolean> {
  const done = await reaching(() =>
    client.query({
      name: 'insert-operation',
      text: INSERT,
      values: [
        ...[row.accountId, row.cashBoxId, row.id, row.method, row.path, row.requestHash],
        ...[row.requestHeaders, row.request, row.state, row.status, row.contentType, row.response],
        ...[row.queueId, row.queueItemId, row.runner, row.startedAt, row.finishedAt],
      ],
    }),
  )
  return done.rowCount === 1
}

/**
 * True when the operation has a record. Until the transaction of `client` ends nobody else gets an
 * answer, so that what may be refused is refused to new calls only.
 */
export async function isOperationKnown(
  client: pg.PoolClient,
  { accountId, cashBoxId, id }: OperationRowKey,
): Promise<boolean> {
  const key = [accountId, cashBoxId, id]
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [key.join('/')])
  const found = await client.query(
    'select from operation where account_id = $1 and cash_box_id = $2 and id = $3',
    key,
  )
  return found.rows.length > 0
}

export interface OperationEnd extends OperationRowKey {
  runner: number
  state: 'done' | 'failed'
  status: number
  contentType: string
  response: string
  queueId: string | null
  queueItemId: string | null
  finishedAt: Date
}

/** False when it was no longer this runner's: somebody has settled it in the meantime. */
export async function finishOperation(store: Store, end: OperationEnd): Promise<boolean> {
  const done = await reaching(() =>
    store.pool.query({
      name: 'finish-operation',
      text: `update operation set state = $5, status = $6, content_type = $7, response = $8,
          queue_id = $9, queue_item_id = $10, finished_at = $11, runner = null
        where account_id = $1 and cash_box_id = $2 and id = $3 and state = 'processing'
          and runner = $4`,
      values: [
        ...[end.accountId, end.cashBoxId, end.id, end.runner, end.state, end.status],
        ...[end.contentType, end.response, end.queueId, end.queueItemId, end.finishedAt],
      ],
    }),
  )
  if (done.rowCount !== 1) return false
  // who is not told looks again by itself a moment later
  await Promise.allSettled([
    store.pool.query('select pg_notify($1, $2)', [OPERATION_CHANNEL, end.id]),
  ])
  return true
}

/**
 * Takes the record of a receipt away whose server died before there was an answer; the receipt's
 * item stays as it is. False when it was not there any more.
 */
export async function forgetOperation(
  store: Store,
  key: OperationRowKey & { runner: number },
): Promise<boolean> {
  const done = await reaching(() =>
    store.pool.query(
      `delete from operation where account_id = $1 and cash_box_id = $2 and id = $3
         and state = 'processing' and runner = $4`,
      [key.accountId, key.cashBoxId, key.id, key.runner],
    ),
  )
  return done.rowCount === 1
}

/** What runs without a server that is connected: payments only, receipts look after themselves. */
export async function orphanedOperations(store: Store): Promise<FoundOperation[]> {
  const found = await reaching(() =>
    store.pool.query<FoundOperation>({
      name: 'orphaned-operations',
      text: `select * from (select ${COLUMNS} from operation o ${WITH_ITEM}
        where o.state = 'processing' and o.queue_item_id is null limit 1000) p where not alive`,
    }),
  )
  return found.rows.map(withTexts)
}

export interface ItemsByReference {
  accountId: string
  queueIds: readonly string[]
  receiptReference: string
  terminalId: string | null
  limit: number
}

export interface ReferencedItem {
  queueId: string
  queueItemId: string
  queueMoment: Date
  response: string | null
  operationId: string | null
}

/** Items with this reference of any of the queues, the newest first. */
export async function itemsByReference(
  store: Store,
  query: ItemsByReference,
): Promise<ReferencedItem[]> {
  const found = await reaching(() =>
    store.pool.query<ReferencedItem>({
      name: 'items-by-reference',
      text: `select i.* from unnest($2::uuid[]) q(id) cross join lateral (
          select queue_id as "queueId", id as "queueItemId", queue_moment as "queueMoment",
            response, operation_id as "operationId" from queue_item
          where account_id = $1 and queue_id = q.id and receipt_reference = $3
            and ($4::text is null or terminal_id = $4)
          order by time_stamp desc limit $5) i
        order by "queueMoment" desc limit $5`,
      values: [
        query.accountId,
        uuidArray([...query.queueIds]),
        query.receiptReference,
        query.terminalId,
        query.limit,
      ],
    }),
  )
  return found.rows.map(withTexts)
}
