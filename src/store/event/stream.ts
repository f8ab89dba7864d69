// The streams of events as they are read.

import type { EventType } from '../../model/event.js'
import { READS } from '../account/connections.js'
import type { Store } from '../client.js'

export interface EventRow {
  seq: bigint
  id: string
  type: EventType
  ownerId: string
  cashBoxId: string | null
  subjectKind: string
  subjectId: string
  /** JSON object. */
  data: string
  at: Date
  /** Of an account that this one may no longer read: nothing but its place is told. */
  isRedacted: boolean
}

export interface StreamHead {
  accountId: string
  /** Of the newest event; 0: there was none. */
  seq: bigint
  firstSeq: bigint
  /** It wants an event for every receipt. */
  receipts: boolean
}

const NO_HEAD = { seq: 0n, firstSeq: 1n, receipts: false }

const ROW = `e.seq, e.id, e.type, e.owner_id as "ownerId", e.cash_box_id as "cashBoxId",
  e.subject_kind as "subjectKind", e.subject_id as "subjectId", e.data, e.at,
  e.owner_id <> e.account_id and not exists (
    select from connection c where c.account_id = e.account_id and c.to_account_id = e.owner_id
      and ${READS}) as "isRedacted"`

export async function streamHead({ pool }: Store, accountId: string): Promise<StreamHead> {
  const { rows } = await pool.query<StreamHead>({
    name: 'stream-head',
    text: `select account_id as "accountId", seq, first_seq as "firstSeq", receipts
      from stream_head where account_id = $1`,
    values: [accountId],
  })
  return rows[0] ?? { accountId, ...NO_HEAD }
}

/** Newest numbers of those that have any. */
export async function streamSeqs(
  { pool }: Store,
  accountIds: readonly string[],
): Promise<Map<string, bigint>> {
  const { rows } = await pool.query<{ id: string; seq: bigint }>({
    name: 'stream-seqs',
    text: 'select account_id as id, seq from stream_head where account_id = any($1::uuid[])',
    values: [accountIds],
  })
  return new Map(rows.map(({ id, seq }) => [id, seq]))
}

export interface EventQuestion {
  accountId: string
  /** Exclusive. */
  after: bigint
  /** Inclusive: what comes meanwhile is for the next call. */
  to: bigint
  /** All of them where undefined. */
  types?: readonly string[] | undefined
  /** Those that concern it. */
  cashBoxId?: string | undefined
  limit: number
}

/** Conditions of the types and the CashBox that are asked for; their values are added. */
function chosenBy(
  values: unknown[],
  { types, cashBoxId }: Pick<EventQuestion, 'types' | 'cashBoxId'>,
): string {
  const given = (value: unknown, test: (parameter: string) => string): string =>
    value === undefined ? '' : `and ${test(`$${values.push(value)}`)}`
  return [
    given(types, (one) => `e.type = any(${one}::text[])`),
    given(cashBoxId, (one) => `e.cash_box_id = ${one}`),
  ].join(' ')
}

/** Oldest first. */
export async function readEvents(
  { pool }: Store,
  { accountId, after, to, limit, ...asked }: EventQuestion,
): Promise<EventRow[]> {
  const values: unknown[] = [accountId, after, to, limit]
  const chosen = chosenBy(values, asked)
  const { rows } = await pool.query<EventRow>({
    name: `events ${chosen}`,
    text: `select ${ROW} from event e where e.account_id = $1 and e.seq > $2 and e.seq <= $3
      ${chosen} order by e.seq limit $4`,
    values,
  })
  return rows
}

/** `after` undefined: from the oldest one on. */
export type PageQuestion = Omit<EventQuestion, 'after' | 'to'> & { after: bigint | undefined }

/** Events behind a place and the head of the stream, of the same moment. */
export async function readEventPage(
  { pool }: Store,
  { accountId, after, limit, ...asked }: PageQuestion,
): Promise<{ head: StreamHead; items: EventRow[] }> {
  const values: unknown[] = [accountId, after ?? null, limit]
  const chosen = chosenBy(values, asked)
  type Row = EventRow & Record<'headSeq' | 'firstSeq', bigint> & Pick<StreamHead, 'receipts'>
  const { rows } = await pool.query<Row>({
    name: `event-page ${chosen}`,
    text: `select h.seq as "headSeq", h.first_seq as "firstSeq", h.receipts, p.*
      from stream_head h left join lateral (select ${ROW} from event e
        where e.account_id = $1 and e.seq > coalesce($2, h.first_seq - 1) and e.seq <= h.seq
        ${chosen} order by e.seq limit $3) p on true
      where h.account_id = $1 order by p.seq`,
    values,
  })
  const [first] = rows
  if (first === undefined) return { head: { accountId, ...NO_HEAD }, items: [] }
  const { headSeq: seq, firstSeq, receipts } = first
  // without an event there is one row all the same
  return { head: { accountId, seq, firstSeq, receipts }, items: rows.filter((row) => row.seq) }
}

/** The account wants an event for every receipt from now on, or no more. */
export async function wantReceipts(
  { pool }: Store,
  { accountId, receipts }: Pick<StreamHead, 'accountId' | 'receipts'>,
): Promise<void> {
  await pool.query({
    text: `insert into stream_head (account_id, receipts) values ($1, $2)
      on conflict (account_id) do update set receipts = excluded.receipts`,
    values: [accountId, receipts],
  })
}

/** Rows per statement: whoever reads meanwhile waits for none. */
const FORGOTTEN = 5_000

/** Takes away what is older, a piece of one stream; false: there was nothing. */
export async function forgetEvents({ pool }: Store, before: Date): Promise<boolean> {
  const { rows } = await pool.query({
    text: `with s as (
        select h.account_id, h.first_seq, least(h.first_seq + ${FORGOTTEN}, coalesce(
          (select min(o.seq) from event o where o.account_id = h.account_id and o.at >= $1
           and o.seq between h.first_seq and h.first_seq + ${FORGOTTEN}), h.seq + 1)) as until
        from stream_head h where exists (select from event e where e.account_id = h.account_id
          and e.seq = h.first_seq and e.at < $1)
        limit 1 for update of h skip locked),
      d as (delete from event e using s
        where e.account_id = s.account_id and e.seq >= s.first_seq and e.seq < s.until)
      update stream_head h set first_seq = s.until from s
      where h.account_id = s.account_id and s.until > s.first_seq returning h.account_id`,
    values: [before],
  })
  return rows.length > 0
}
