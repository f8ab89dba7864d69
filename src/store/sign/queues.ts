// Queue heads: loading many at once, and the one statement that moves them.
import { Decimal } from '../../lib/decimal.js'
import type { QueueHead } from '../../model/queue.js'
import type { ScuHead } from '../../model/scu.js'
import type { Store } from '../client.js'
import { inTransaction } from '../transaction.js'
import { SELLER, type SellerRow, sellerOf } from './seller.js'
import type { SignBatch } from './sign-batch.js'
import { notePlace, signStatement } from './sign-statement.js'

export interface QueueKey {
  accountId: string
  id: string
}

interface HeadRow {
  account_id: string
  id: string
  cash_box_id: string | null
  market: string
  description: string
  identification: string
  configuration: string
  secrets_sealed: Buffer | null
  timeout_ms: number
  start_moment: Date | null
  stop_moment: Date | null
  current_row: bigint
  queued_row: bigint
  receipt_numerator: bigint
  receipt_totalizer: string
  receipt_hash: Buffer | null
  state: string
  last_moment: Date | null
  time_stamp: bigint
  version: bigint
  last_receipt_id: string | null
  last_market_id: string | null
  last_action_id: string | null
  seller: SellerRow | null
}

interface ScuRow {
  queue_id: string
  account_id: string
  id: string
  description: string
  market: string
  package: string
  mode: number
  url: string | null
  configuration: string
  secrets_sealed: Buffer | null
  state: string
  fault_script: string | null
  version: bigint
}

/** Of the queue `q`. */
const newestOf = (journal: string): string => `(select j.id from ${journal} j
  where j.account_id = q.account_id and j.queue_id = q.id order by j.time_stamp desc limit 1)`

// table by table, see store/journal/market-rows.ts, which needs this room
const NEWEST_RECEIPT = `(select r.id from ((select j.id, j.time_stamp from only receipt_journal j
    where j.account_id = q.account_id and j.queue_id = q.id order by j.time_stamp desc limit 1)
  union all (select j.id, j.time_stamp from recorded_receipt j
    where j.account_id = q.account_id and j.queue_id = q.id order by j.time_stamp desc limit 1)
  ) r order by r.time_stamp desc limit 1)`

const NEWEST_RECORD = `(select m.id from ((select j.id, j.time_stamp from market_journal j
    where j.account_id = q.account_id and j.queue_id = q.id order by j.time_stamp desc limit 1)
  union all (select j.market_id, j.time_stamp + 1 from recorded_receipt j
    where j.account_id = q.account_id and j.queue_id = q.id order by j.time_stamp desc limit 1)
  ) m order by m.time_stamp desc limit 1)`

// Queue and units in one snapshot: a change of a unit bumps the version of its queues
const HEADS = `
select q.*, q.ctid::text as place, ${NEWEST_RECEIPT} as last_receipt_id,
  ${NEWEST_RECORD} as last_market_id, ${newestOf('action_journal')} as last_action_id,
  ${SELLER} as seller, (
  select coalesce(json_agg(json_build_object('id', s.id, 'market', s.market, 'package', s.package,
    'mode', s.mode, 'url', s.url, 'configuration', s.configuration,
    'secrets_sealed', encode(s.secrets_sealed, 'base64'), 'state', s.state,
    'fault_script', s.fault_script, 'version', s.version::text, 'place', s.ctid::text,
    'description', s.description)
    order by qs.position, s.id), '[]')
  from queue_scu qs join scu s on s.account_id = qs.account_id and s.id = qs.scu_id
  where qs.account_id = q.account_id and qs.queue_id = q.id) as scus
from queue q join unnest($1::uuid[], $2::uuid[]) k(account_id, id)
  on q.account_id = k.account_id and q.id = k.id`

/** Sealing contexts: a value opens only in the row that it was sealed for. */
export const queueSecrets = (id: string): string => `queue:${id}`
export const scuSecrets = (id: string): string => `scu:${id}`

/**
 * The heads by queue; an Error for one that cannot be opened (another master key, for instance),
 * which must not keep the others from working. A queue that does not exist is not in the answer.
 */
export async function loadHeads(
  store: Store,
  keys: readonly QueueKey[],
): Promise<Map<string, QueueHead | Error>> {
  const found = await store.pool.query<StoredHead>({
    name: 'queue-heads',
    text: HEADS,
    values: [keys.map((key) => key.accountId), keys.map((key) => key.id)],
  })
  for (const row of found.rows) notePlaces(store, row)
  return new Map(found.rows.map((row) => [row.id, openHead(store, row)]))
}

/** One head, or undefined when there is no such queue. Throws when it cannot be opened. */
export async function loadHead(store: Store, key: QueueKey): Promise<QueueHead | undefined> {
  const head = (await loadHeads(store, [key])).get(key.id)
  if (head instanceof Error) throw head
  return head
}

type StoredHead = HeadRow & { place: string; scus: Record<string, unknown>[] }

function notePlaces({ signPlaces }: Store, row: StoredHead): void {
  notePlace(signPlaces.queues, row.id, row)
  for (const { id, version, place } of row.scus) {
    const seen = { version: BigInt(String(version)), place: String(place) }
    notePlace(signPlaces.units, String(id), seen)
  }
}

function openHead(store: Store, row: StoredHead): QueueHead | Error {
  try {
    const scus = row.scus.map((scu) => scuOf(store, row.account_id, scu))
    return { ...headOf(store, row), scus }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function headOf(store: Store, row: HeadRow): Omit<QueueHead, 'scus'> {
  return {
    accountId: row.account_id,
    id: row.id,
    cashBoxId: row.cash_box_id,
    market: row.market,
    description: row.description,
    identification: row.identification,
    configuration: row.configuration,
    secrets:
      row.secrets_sealed === null
        ? ''
        : store.sealer.open(row.secrets_sealed, queueSecrets(row.id)),
    timeoutMs: row.timeout_ms,
    startMoment: row.start_moment,
    stopMoment: row.stop_moment,
    currentRow: Number(row.current_row),
    queuedRow: Number(row.queued_row),
    receiptNumerator: Number(row.receipt_numerator),
    receiptTotalizer: Decimal.stored(row.receipt_totalizer),
    receiptHash: row.receipt_hash,
    state: row.state,
    lastMoment: row.last_moment,
    timeStamp: row.time_stamp,
    version: row.version,
    lastReceiptId: row.last_receipt_id,
    lastMarketId: row.last_market_id,
    lastActionId: row.last_action_id,
    seller: sellerOf(row.seller),
  }
}

/** A unit as `json_build_object` or SCU_COLUMNS of scus.ts deliver it. */
export function scuOf(store: Store, accountId: string, raw: Record<string, unknown>): ScuHead {
  const row = raw as Omit<ScuRow, 'secrets_sealed' | 'version'> & {
    secrets_sealed: string | null
    version: string
  }
  const sealed = row.secrets_sealed === null ? null : Buffer.from(row.secrets_sealed, 'base64')
  return {
    accountId,
    id: row.id,
    description: row.description,
    market: row.market,
    package: row.package,
    mode: row.mode,
    url: row.url,
    configuration: row.configuration,
    secrets: sealed === null ? '' : store.sealer.open(sealed, scuSecrets(row.id)),
    state: row.state,
    faultScript: row.fault_script,
    version: BigInt(row.version),
    changed: false,
    actions: [],
  }
}

interface Moved {
  id: string
  version: string
  place: string
  /** Left out where no unit moves. */
  unit?: boolean
}

/** Writes a batch; returns the ids of the queues whose head was still as loaded. */
export async function commitBatch(store: Store, batch: SignBatch): Promise<Set<string>> {
  const { signTexts, signPlaces } = store
  const found = await store.pool.query<Moved>(signStatement(batch, signTexts, signPlaces))
  const won = new Set<string>()
  for (const row of found.rows) {
    const { id, place, unit = false } = row
    const places = unit ? signPlaces.units : signPlaces.queues
    notePlace(places, id, { version: BigInt(row.version), place })
    if (!unit) won.add(id)
  }
  return won
}

/** What became of an item whose statement did not answer. */
export type ItemFate = 'waiting' | 'done'

/**
 * After a statement whose fate is unknown: waits for whoever still holds the heads, then says which
 * of the items are stored, and finished. What is not in the answer was not written and never will
 * be: the versions grow, so that a statement which the server has received but not begun finds
 * other heads than it expects.
 */
export async function settleItems(
  store: Store,
  keys: readonly QueueKey[],
  itemIds: readonly string[],
): Promise<Map<string, ItemFate>> {
  const accounts = keys.map((key) => key.accountId)
  const queues = keys.map((key) => key.id)
  return inTransaction(store, async (client) => {
    await client.query(
      `select q.id from queue q join unnest($1::uuid[], $2::uuid[]) k(account_id, id)
       on q.account_id = k.account_id and q.id = k.id order by q.id for no key update of q`,
      [accounts, queues],
    )
    await client.query(
      `update queue q set version = q.version + 1
       from unnest($1::uuid[], $2::uuid[]) k(account_id, id)
       where q.account_id = k.account_id and q.id = k.id`,
      [accounts, queues],
    )
    const found = await client.query<{ id: string; done: boolean }>(
      `select i.id, i.done_moment is not null as done from queue_item i
       where i.account_id = any($1::uuid[]) and i.id = any($2::uuid[])`,
      [accounts, itemIds],
    )
    return new Map(found.rows.map((row) => [row.id, row.done ? 'done' : 'waiting']))
  })
}
