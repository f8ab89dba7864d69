// Whatever people look for: merchants, outlets, CashBoxes, Queues, signing units and receipts that
// an account may read.
import { isUuid } from '../../../lib/id.js'
import type { Store } from '../../client.js'
import { receiptRowsOf } from '../../journal/market-rows.js'
import { READABLE } from '../outages.js'
import { patternOf, wordOf } from './where.js'

export const FOUND_KINDS = ['operator', 'outlet', 'cashbox', 'queue', 'scu', 'receipt'] as const
export type FoundKind = (typeof FOUND_KINDS)[number]

export interface Found {
  kind: FoundKind
  id: string
  accountId: string
  accountName: string
  /** As it is called: its first name. */
  title: string
  /** Of a receipt: its Queue. */
  queueId: string | null
}

export interface SearchQuestion {
  accountId: string
  text: string
  limit: number
}

/** Candidates that are compared; of words that are everywhere the first ones do. */
const MOST = 500
const NAMED = `select t.kind, t.id, t.account_id as "accountId", a.name as "accountName",
  case t.kind when 'operator' then a.name
    when 'outlet' then (select o.name from outlet o
      where o.account_id = t.account_id and o.id = t.id)
    when 'cashbox' then (select c.description from cash_box c
      where c.account_id = t.account_id and c.id = t.id)
    when 'queue' then (select q.identification from queue q
      where q.account_id = t.account_id and q.id = t.id)
    else (select s.description from scu s where s.account_id = t.account_id and s.id = t.id)
  end as title, null::uuid as "queueId"`

/** The nearest names first. Parts of at least three letters. */
export async function searchNames(
  { pool }: Pick<Store, 'pool'>,
  { accountId, text, limit }: SearchQuestion,
): Promise<Found[]> {
  const word = wordOf(text) ?? ''
  const { rows } = await pool.query<Found>(
    `with m as materialized (${READABLE}),
     f as materialized (select n.* from search_name n
       where n.names like $2 and n.account_id in (select id from m) limit ${MOST}),
     t as (select f.*, similarity(f.names, $3) as near from f
       order by near desc, f.names, f.id limit $4)
     ${NAMED} from t join account a on a.id = t.account_id
     order by t.near desc, t.names, t.id`,
    [accountId, patternOf(word), word, limit],
  )
  return rows
}

/** Of whatever has this id. */
export async function searchId(
  { pool }: Pick<Store, 'pool'>,
  { accountId, text, limit }: SearchQuestion,
): Promise<Found[]> {
  const id = wordOf(text) ?? ''
  if (!isUuid(id)) return []
  const { rows } = await pool.query<Found>(
    `with m as materialized (${READABLE}),
     t as (select n.* from search_name n where n.id = $2 and n.account_id in (select id from m))
     ${NAMED} from t join account a on a.id = t.account_id
     union all select 'receipt', i.id, i.account_id, a.name,
       coalesce(i.receipt_reference, ''), i.queue_id
     from m cross join lateral (select * from queue_item i
       where i.account_id = m.id and i.id = $2) i join account a on a.id = m.id
     limit $3`,
    [accountId, id, limit],
  )
  return rows
}

/** Signing units by the beginning of their serial numbers, with or without 0x. */
export async function searchSerial(
  { pool }: Pick<Store, 'pool'>,
  { accountId, text, limit }: SearchQuestion,
): Promise<Found[]> {
  const word = (wordOf(text) ?? '').replace(/^0x/, '')
  if (!/^[0-9a-f]{6,}$/.test(word)) return []
  const { rows } = await pool.query<Found>(
    `with m as materialized (${READABLE}),
     t as (select f.account_id, f.scu_id as id, 'scu' as kind from unit_fact f
       where f.serial <> '' and (lower(f.serial) like $2 or lower(f.serial) like '0x' || $2)
         and f.account_id in (select id from m) limit $3)
     ${NAMED} from t join account a on a.id = t.account_id`,
    [accountId, `${word}%`, limit],
  )
  return rows
}

export interface NumberedQueue {
  accountId: string
  accountName: string
  id: string
  identification: string
}

/** Queues whose receipts are looked through: one by its name or id, or all when there are few. */
export async function queuesToLook(
  { pool }: Pick<Store, 'pool'>,
  { accountId, queue, most }: { accountId: string; queue: string | undefined; most: number },
): Promise<NumberedQueue[]> {
  const { rows } = await pool.query<NumberedQueue>(
    `with m as materialized (${READABLE}),
     n as materialized (select n.account_id, n.id from search_name n where n.kind = 'queue'
       and (n.id = $3 or n.names like $4) and n.account_id in (select id from m) limit $5),
     q as (select q.* from m cross join lateral (select q.account_id, q.id, q.identification
         from queue q where q.account_id = m.id limit $5) q
       where $2::text is null
       union all select q.account_id, q.id, q.identification from n join queue q
         on q.account_id = n.account_id and q.id = n.id where $2::text is not null)
     select q.account_id as "accountId", a.name as "accountName", q.id, q.identification
     from q join account a on a.id = q.account_id limit $5`,
    [
      ...[accountId, queue ?? null, queue !== undefined && isUuid(queue) ? queue : null],
      ...[queue === undefined ? null : `${patternOf(queue).slice(1, -1)}\n%`, most + 1],
    ],
  )
  return rows.length > most ? [] : rows
}

interface Numbered {
  id: string
  reference: string | null
}

/** By what the register called it. */
export async function receiptsOfReference(
  { pool }: Pick<Store, 'pool'>,
  { queue, text, limit }: { queue: NumberedQueue; text: string; limit: number },
): Promise<Numbered[]> {
  const { rows } = await pool.query<Numbered>(
    `select id, receipt_reference as reference from queue_item
     where account_id = $1 and queue_id = $2 and receipt_reference = $3
     order by time_stamp desc limit $4`,
    [queue.accountId, queue.id, text, limit],
  )
  return rows
}

const endOf = (order: 'asc' | 'desc'): string =>
  receiptRowsOf({ columns: 'j.time_stamp', where: 'true', order, limit: '1' })

/** The first receipt of the second half of the range `b`. */
const BEHIND_HALF = receiptRowsOf({
  columns: 'j.time_stamp as at, j.receipt_number as number, b.lo + (b.hi - b.lo) / 2 as before',
  where: 'j.time_stamp > b.lo + (b.hi - b.lo) / 2',
  ...{ order: 'asc', limit: '1' },
})

/**
 * By its number, which grows with the ticks of the journal: the range is halved until few rows are
 * left. `printed`: its answer has this text as well.
 */
export async function receiptOfNumber(
  { pool }: Pick<Store, 'pool'>,
  { queue, number, printed }: { queue: NumberedQueue; number: bigint; printed?: string },
): Promise<Numbered | undefined> {
  const { rows } = await pool.query<Numbered>(
    `with recursive b(lo, hi, n) as (
       select (select min(time_stamp) from ${endOf('asc')} r),
         (select max(time_stamp) from ${endOf('desc')} r), 0
       union all select case when h.number <= $3 then h.at else b.lo end,
         case when h.number <= $3 then b.hi else h.before end, b.n + 1
       from b cross join lateral (select * from ${BEHIND_HALF} r order by at limit 1) h
       where b.lo < b.hi and b.n < 64)
     select i.id, i.receipt_reference as reference
     from (select lo from b order by n desc limit 1) e
     join receipt_journal j on j.account_id = $1 and j.queue_id = $2 and j.time_stamp = e.lo
     join queue_item i on i.account_id = j.account_id and i.id = j.queue_item_id
     where j.receipt_number = $3
       and ($4::text is null or strpos(i.response, '"' || $4 || '"') > 0)`,
    [queue.accountId, queue.id, number, printed ?? null],
  )
  return rows[0]
}
