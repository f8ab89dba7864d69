// What an inspection bundle asks beside the journals: which queues, until where they reach, what
// certificates they name, what became of the master data.
import type { Store } from '../client.js'
import type { JournalKey } from './journal-pages.js'
import { marketRowsOf, receiptRowsOf } from './market-rows.js'

export interface InspectedQueue {
  id: string
  market: string
  identification: string
  description: string
  cashBoxId: string
  outletNumber: number | null
  startMoment: Date | null
  stopMoment: Date | null
  /** Newest tick of any of its journals. */
  timeStamp: bigint
}

export interface InspectedScope {
  accountId: string
  /** Undefined: all. */
  cashBoxIds?: readonly string[] | undefined
  outletNumbers?: readonly number[] | undefined
  queueIds?: readonly string[] | undefined
}

/** Every queue that is or was in one of the cash boxes, in the order of their ids. */
export async function inspectedQueues(
  { pool }: Pick<Store, 'pool'>,
  { accountId, cashBoxIds, outletNumbers, queueIds }: InspectedScope,
): Promise<InspectedQueue[]> {
  const { rows } = await pool.query<InspectedQueue>(
    `select q.id, q.market, q.identification, q.description, b.id as "cashBoxId",
       coalesce(u.number, b.outlet_number) as "outletNumber", q.start_moment as "startMoment",
       q.stop_moment as "stopMoment", q.time_stamp as "timeStamp"
     from queue q
     join lateral (select c.* from cash_box c left join queue_membership m
         on m.account_id = c.account_id and m.cash_box_id = c.id and m.queue_id = q.id
       left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
       where c.account_id = q.account_id and (c.id = q.cash_box_id or m.queue_id is not null)
         and ($2::uuid[] is null or c.id = any($2))
         and ($3::int[] is null or coalesce(o.number, c.outlet_number) = any($3))
       order by c.id = q.cash_box_id desc, m.since desc nulls last, c.id limit 1) b on true
     left join outlet u on u.account_id = b.account_id and u.id = b.outlet_id
     where q.account_id = $1 and ($4::uuid[] is null or q.id = any($4)) order by q.id`,
    [accountId, cashBoxIds ?? null, outletNumbers ?? null, queueIds ?? null],
  )
  return rows
}

/** Which of these are cash boxes of the account. */
export async function knownCashBoxes(
  { pool }: Pick<Store, 'pool'>,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from cash_box where account_id = $1 and id = any($2::uuid[])',
    [accountId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Accounts to which these cash boxes belong, of those that `accountId` may read. */
export async function ownersOfCashBoxes(
  { pool }: Pick<Store, 'pool'>,
  ids: readonly string[],
): Promise<{ id: string; accountId: string }[]> {
  const { rows } = await pool.query<{ id: string; accountId: string }>(
    `select id, account_id as "accountId" from directory where id = any($1::uuid[])`,
    [ids],
  )
  return rows
}

const CHUNK = 20_000
const USED = marketRowsOf({
  where: (less) => `j.time_stamp > $3::int8${less} and j.time_stamp <= $4::int8${less}`,
  ...{ order: 'asc', limit: String(CHUNK) },
})

/** Fingerprints in the rows of these ticks, in their order; read piece by piece. */
export async function certificatesUsed(
  { pool }: Pick<Store, 'pool'>,
  { accountId, queueId }: JournalKey,
  { from, upTo }: { from: bigint; upTo: bigint },
): Promise<Buffer[]> {
  const found = new Map<string, Buffer>()
  for (let after = from - 1n; ; ) {
    const { rows } = await pool.query<{ fingerprints: Buffer[]; last: bigint | null; n: number }>(
      `select coalesce(array_agg(distinct fp) filter (where fp is not null), '{}') as fingerprints,
         max(time_stamp) as last, count(*)::int4 as n
       from (select certificate_fingerprint as fp, time_stamp from ${USED}
         order by time_stamp limit ${CHUNK}) t`,
      [accountId, queueId, after, upTo],
    )
    const { fingerprints = [], last = null, n = 0 } = rows[0] ?? {}
    for (const one of fingerprints) found.set(one.toString('hex'), one)
    if (n < CHUNK || last === null) break
    after = last
  }
  return [...found.values()].sort(Buffer.compare)
}

/** Rows of one receipt are that near to each other: a second, in ticks. */
const NEAR = 10_000_000
const NEAREST = marketRowsOf({
  where: (less) => `j.time_stamp between r.time_stamp${less} - ${NEAR}
    and r.time_stamp${less} + ${NEAR} and j.queue_item_id = r.queue_item_id`,
  ...{ order: 'desc', limit: '1' },
})

/** Receipts of these ticks, and the tick of the market row of the last one before them. */
export async function receiptSpan(
  { pool }: Pick<Store, 'pool'>,
  { accountId, queueId }: JournalKey,
  { from, upTo }: { from: bigint; upTo: bigint },
): Promise<{ count: number; before: bigint | null }> {
  const { rows } = await pool.query<{ count: number; before: bigint | null }>(
    `select (select count(*)::int4 from receipt_journal where account_id = $1 and queue_id = $2
         and time_stamp >= $3 and time_stamp <= $4) as count,
       (select m.time_stamp from (select * from ${receiptRowsOf({
         columns: 'j.queue_item_id, j.time_stamp',
         where: 'j.time_stamp < $3',
         ...{ order: 'desc', limit: '1' },
       })} j order by time_stamp desc limit 1) r
         cross join lateral ${NEAREST} order by m.time_stamp desc limit 1) as before`,
    [accountId, queueId, from, upTo],
  )
  return rows[0] ?? { count: 0, before: null }
}

export interface InspectedOutage {
  queueId: string
  cause: string
  beganAt: Date
  endedAt: Date | null
}

/** That went on in the period, oldest first. */
export async function inspectedOutages(
  { pool }: Pick<Store, 'pool'>,
  { accountId, from, to }: { accountId: string; from: Date; to: Date },
): Promise<InspectedOutage[]> {
  const { rows } = await pool.query<InspectedOutage>(
    `select queue_id as "queueId", cause, began_at as "beganAt", ended_at as "endedAt" from outage
     where account_id = $1 and began_at < $3 and (ended_at is null or ended_at >= $2)
     order by began_at, id`,
    [accountId, from, to],
  )
  return rows
}

export interface MasterChange {
  moment: Date
  operation: string
  subjects: string
  before: string | null
  after: string | null
}

const OF_MASTER_DATA = `(operation ilike '%outlet%' or operation ilike '%company%'
  or operation ilike '%operator%' or operation ilike '%cashbox%' or operation ilike '%queue%'
  or operation ilike '%scu%' or operation ilike '%publish%' or operation ilike '%possystem%')`

/** What was changed at the account, oldest first, piece by piece. */
export async function* masterChanges(
  { pool }: Pick<Store, 'pool'>,
  { accountId, to }: { accountId: string; to: Date },
): AsyncGenerator<MasterChange[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await pool.query<MasterChange & { id: string }>(
      `select id, moment, operation, subjects, before, after from audit_entry
       where (on_behalf_of = $1 or (account_id = $1 and on_behalf_of is null))
         and id > $2 and moment < $3 and ${OF_MASTER_DATA} order by id limit 500`,
      [accountId, after, to],
    )
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < 500) return
    after = last.id
  }
}

/** Names, address and identifiers of the account as they are now. */
export async function inspectedAccount(
  { pool }: Pick<Store, 'pool'>,
  accountId: string,
): Promise<Record<string, string>> {
  const { rows } = await pool.query<Record<string, string>>(
    `select id, name, market, country, line1, line2, postal_code as "postalCode", city,
       vat_id as "vatId", tax_id as "taxId", gln, siren, tax_number as "taxNumber"
     from account where id = $1`,
    [accountId],
  )
  return rows[0] ?? {}
}
