// Issued receipts: publishing one, and finding it by its public address or by its cash box.

import type { Branding } from '../../model/branding.js'
import type { Store } from '../client.js'
import type { Connection } from '../transaction.js'
import { withTexts } from './receipt-texts.js'

export interface ReceiptKey {
  accountId: string
  queueId: string
  queueItemId: string
}

export interface NewIssued extends ReceiptKey {
  cashBoxId: string
  /** Of the queue item; null for a receipt that is none of ours. */
  row: bigint | null
  /** The pair as JSON texts where `row` is null; null where the queue item has it. */
  pair: { request: string; response: string } | null
  warning: string | null
  issuedAt: Date
  /** True when the queue is one of the account's: the address is then its own in any case. */
  ownsQueue: boolean
}

/** A receipt as it is shown. */
export interface IssuedReceipt extends ReceiptKey {
  cashBoxId: string
  /** True for a queue item of ours, false for a pair that somebody sent. */
  verified: boolean
  request: string
  response: string
  /** Of the queue; of the account where there is no queue. */
  market: string
  accountName: string
  accountCountry: string
  outletName: string | null
  /** Address of the outlet as JSON text. */
  outletDetails: string | null
  issuedAt: Date
  /** Of the settings of its queue and of its operator; '' where neither has any. */
  settingsVersion: string
  /** Files that were put to it, oldest first. */
  files: ReceiptFile[]
  /** How it is to look; left out while nobody has asked. */
  branding?: Branding
}

export interface ReceiptFile {
  id: string
  filename: string
  /** In bytes. */
  size: number
}

/** A queue item that may be published. */
export interface StoredPair {
  row: bigint
  request: string
  /** Null while it has no answer. */
  response: string | null
}

/**
 * Publishes a receipt. `known`: it was before, and nothing changes. `foreign`: the address belongs
 * to somebody else, and nothing was written.
 */
export async function insertIssued(
  client: Connection,
  issued: NewIssued,
): Promise<'issued' | 'known' | 'foreign'> {
  const { accountId, queueId, queueItemId } = issued
  const key = [queueId, queueItemId]
  await client.query(
    `insert into issued_address (queue_id, queue_item_id, account_id) values ($1, $2, $3)
     on conflict (queue_id, queue_item_id) do update set account_id = excluded.account_id
       where $4 and issued_address.account_id <> excluded.account_id`,
    [...key, accountId, issued.ownsQueue],
  )
  const owner = await client.query<{ account_id: string }>(
    'select account_id from issued_address where queue_id = $1 and queue_item_id = $2',
    key,
  )
  if (owner.rows[0]?.account_id !== accountId) return 'foreign'
  const done = await client.query(
    `insert into issued_receipt (account_id, queue_id, queue_item_id, cash_box_id, row, request,
       response, warning, issued_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (account_id, queue_id, queue_item_id) do nothing`,
    [
      ...[accountId, ...key, issued.cashBoxId, issued.row, issued.pair?.request ?? null],
      ...[issued.pair?.response ?? null, issued.warning, issued.issuedAt],
    ],
  )
  const stored = await client.query<{ cash_box_id: string }>(
    `select cash_box_id from issued_receipt
     where account_id = $1 and queue_id = $2 and queue_item_id = $3`,
    [accountId, ...key],
  )
  if (stored.rows[0]?.cash_box_id !== issued.cashBoxId) return 'foreign'
  return done.rowCount === 1 ? 'issued' : 'known'
}

/** The number of an account's first place of business, for cash boxes that belong to none. */
const PRIMARY = 1

const selectFrom = (receipts: string) => `
select r.account_id, r.queue_id, r.queue_item_id, r.cash_box_id, r.row is not null as verified,
  coalesce(i.request, r.request) as request, coalesce(i.response, r.response) as response,
  coalesce(q.market, a.market) as market, a.name as account_name, a.country as account_country,
  o.name as outlet_name, o.details as outlet_details, r.issued_at,
  coalesce((select string_agg(s.version::text, ' ' order by s.id) from receipt_settings s
    where s.account_id = r.account_id and s.id in (r.queue_id, r.account_id)), '')
    as settings_version,
  (select json_agg(json_build_object('id', f.id, 'filename', f.filename, 'size', f.size)
      order by f.created_at, f.id) from receipt_document f
    where f.account_id = r.account_id and f.queue_id = r.queue_id
      and f.queue_item_id = r.queue_item_id) as files
from ${receipts} r
join account a on a.id = r.account_id
left join queue q on q.account_id = r.account_id and q.id = r.queue_id
left join queue_item i on i.account_id = r.account_id and i.queue_id = r.queue_id and i.row = r.row
left join cash_box c on c.account_id = r.account_id and c.id = r.cash_box_id
left join outlet o on o.account_id = r.account_id
  and (o.id = c.outlet_id or c.outlet_id is null and o.number = ${PRIMARY})`
const SELECT = selectFrom('issued_receipt')

// whether it was issued or not
const KEPT = selectFrom(`(select account_id, queue_id, id as queue_item_id, $4::uuid as cash_box_id,
    row, null as request, null as response, receipt_moment as issued_at
  from queue_item where account_id = $1 and queue_id = $2 and id = $3 and response is not null)`)

interface IssuedRow {
  account_id: string
  queue_id: string
  queue_item_id: string
  cash_box_id: string
  verified: boolean
  request: string
  response: string
  market: string
  account_name: string
  account_country: string
  outlet_name: string | null
  outlet_details: string | null
  issued_at: Date
  settings_version: string
  files: ReceiptFile[] | null
}

function issuedOf(row: IssuedRow): IssuedReceipt {
  return {
    accountId: row.account_id,
    queueId: row.queue_id,
    queueItemId: row.queue_item_id,
    cashBoxId: row.cash_box_id,
    verified: row.verified,
    request: row.request,
    response: row.response,
    market: row.market,
    accountName: row.account_name,
    accountCountry: row.account_country,
    outletName: row.outlet_name,
    outletDetails: row.outlet_details,
    issuedAt: row.issued_at,
    settingsVersion: row.settings_version,
    files: row.files ?? [],
  }
}

/** By its public address, for whoever has it. */
export async function findPublished(
  store: Store,
  { queueId, queueItemId }: Omit<ReceiptKey, 'accountId'>,
): Promise<IssuedReceipt | undefined> {
  const found = await store.pool.query<IssuedRow>({
    name: 'published-receipt',
    text: `${SELECT} join issued_address d on d.account_id = r.account_id
        and d.queue_id = r.queue_id and d.queue_item_id = r.queue_item_id
      where d.queue_id = $1 and d.queue_item_id = $2`,
    values: [queueId, queueItemId],
  })
  return found.rows.map(withTexts).map(issuedOf)[0]
}

/** A queue item with its answer, as if the cash box had issued it. */
export async function findKept(
  store: Pick<Store, 'pool'>,
  key: ReceiptKey & { cashBoxId: string },
): Promise<IssuedReceipt | undefined> {
  const { accountId, queueId, queueItemId, cashBoxId } = key
  const values = [accountId, queueId, queueItemId, cashBoxId]
  const found = await store.pool.query<IssuedRow>({ name: 'kept-receipt', text: KEPT, values })
  return found.rows.map(withTexts).map(issuedOf)[0]
}

/** As the cash box sees it that published it. */
export async function findIssued(
  store: Store,
  key: ReceiptKey & { cashBoxId: string },
): Promise<IssuedReceipt | undefined> {
  const found = await store.pool.query<IssuedRow>({
    name: 'issued-receipt',
    text: `${SELECT} where r.account_id = $1 and r.queue_id = $2 and r.queue_item_id = $3
      and r.cash_box_id = $4`,
    values: [key.accountId, key.queueId, key.queueItemId, key.cashBoxId],
  })
  return found.rows.map(withTexts).map(issuedOf)[0]
}

/** The pair of a queue item. */
export async function findPair(store: Store, key: ReceiptKey): Promise<StoredPair | undefined> {
  const found = await store.pool.query<StoredPair>({
    name: 'stored-pair',
    text: `select row, request, response from queue_item
      where account_id = $1 and queue_id = $2 and id = $3`,
    values: [key.accountId, key.queueId, key.queueItemId],
  })
  return found.rows.map(withTexts)[0]
}

/** The account that has published under this address. */
export async function findAddressOwner(
  store: Store,
  { queueId, queueItemId }: Omit<ReceiptKey, 'accountId'>,
): Promise<string | undefined> {
  const found = await store.pool.query<{ account_id: string }>({
    name: 'address-owner',
    text: 'select account_id from issued_address where queue_id = $1 and queue_item_id = $2',
    values: [queueId, queueItemId],
  })
  return found.rows[0]?.account_id
}

/** True when a queue of this id lives on this server, whoever has it. */
export async function isQueueKnown(store: Store, queueId: string): Promise<boolean> {
  const found = await store.pool.query({
    name: 'queue-known',
    text: `select from directory where id = $1 and kind = 'queue'`,
    values: [queueId],
  })
  return found.rows.length > 0
}
