// Reports to authorities as rows: made once per thing and occasion, listed, and moved by people.

import type pg from 'pg'
import { BEHIND, type Direction } from '../../../model/direction.js'
import type { ReportKind, ReportState } from '../../../model/report.js'
import type { Right } from '../../account/connections.js'
import { textArray, timestamptzArray, uuidArray } from '../../binary-array.js'
import type { Store } from '../../client.js'
import type { Transaction } from '../../transaction.js'
import { READABLE } from '../outages.js'
import type { Found } from './occasions.js'

export interface SubmissionRow {
  id: string
  accountId: string
  accountName: string
  market: string
  kind: ReportKind
  /** queue/id, scu/id or outlet/number */
  subject: string
  occasion: string
  queueId: string | null
  /** Of the queue. */
  identification: string | null
  cashBoxId: string | null
  moment: Date
  due: Date
  state: ReportState
  isReady: boolean
  /** Of the day on which it was done: YYYY-MM-DD. */
  doneOn: string | null
  reference: string | null
  note: string | null
  doneBy: string | null
  createdAt: Date
  changedAt: Date
}

export interface NewSubmission extends Found {
  id: string
  due: Date
}

/** Those that nobody has done or set aside. */
export const OPEN = "s.state in ('planned', 'ready')"

/** How many are new. Of what was before reports were kept nobody knows whether it was told. */
export async function insertSubmissions(
  client: Pick<pg.PoolClient, 'query'>,
  { market, kind }: { market: string; kind: ReportKind },
  rows: readonly NewSubmission[],
): Promise<number> {
  const { rowCount } = await client.query(
    `insert into submission (account_id, id, market, kind, subject, occasion, queue_id, cash_box_id,
       moment, due, is_ready, state, covered_at, created_at, changed_at)
     select u.account_id, u.id, $1, $2, u.subject, u.occasion, u.queue_id, u.cash_box_id,
       u.moment, u.due, u.is_ready = 'true', case when u.moment < r.at then 'ignored'
         when u.is_ready = 'true' then 'ready' else 'planned' end,
       case when u.moment < r.at then now() end, now(), now()
     from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::uuid[],
       $9::timestamptz[], $10::timestamptz[], $11::text[]) u(account_id, id, subject, occasion,
       queue_id, cash_box_id, moment, due, is_ready)
     cross join report_start r
     on conflict (account_id, kind, subject, occasion) do nothing`,
    [
      ...[market, kind],
      uuidArray(rows, (row) => row.accountId),
      uuidArray(rows, (row) => row.id),
      textArray(rows, (row) => row.subject),
      textArray(rows, (row) => row.occasion),
      uuidArray(rows, (row) => row.queueId),
      uuidArray(rows, (row) => row.cashBoxId),
      timestamptzArray(rows, (row) => row.moment),
      timestamptzArray(rows, (row) => row.due),
      textArray(rows.map((row) => String(row.isReady))),
    ],
  )
  return rowCount ?? 0
}

/** What planned ones waited for has come: the receipt that ends their year. */
export async function readySubmissions(
  client: Pick<pg.PoolClient, 'query'>,
  { market, zone }: { market: string; zone: string },
): Promise<void> {
  await client.query(
    `update submission s set is_ready = true, changed_at = now(),
       state = case when s.state = 'planned' then 'ready' else s.state end
     where not s.is_ready and s.market = $2 and s.kind = 'yearly_check' and exists (
       select from report_occasion t where t.account_id = s.account_id
         and t.queue_id = s.queue_id and t.kind = 'yearly_receipt'
         and extract(year from (t.at at time zone $1) - interval '46 days') >= s.occasion::int4)`,
    [zone, market],
  )
}

/** Units that a register works with again are not told to be out of operation. */
export async function supersedeSubmissions(client: Pick<pg.PoolClient, 'query'>): Promise<void> {
  await client.query(
    `update submission s set state = 'superseded', changed_at = now()
     where s.kind = 'unit_end' and ${OPEN} and exists (select from queue_scu u
       join queue q on q.account_id = u.account_id and q.id = u.queue_id
       where u.account_id = s.account_id and 'scu/' || u.scu_id = s.subject
         and q.start_moment is not null and q.stop_moment is null)`,
  )
}

/** Of a row `s`: 1 due in time, 2 within a week, 3 overdue. */
export const SEVERITY = `case when s.due < now() then 3
  when s.due < now() + interval '7 days' then 2 else 1 end`

/** An event for each whose day has come nearer, the first one when it is made. */
export async function remindOfSubmissions(client: Pick<pg.PoolClient, 'query'>): Promise<void> {
  for (let left = PIECES; left > 0; left -= 1) {
    if ((await remindOfSome(client)) < PIECE) return
  }
}

/** So many in one statement, and so many statements in one look; the next one tells the others. */
const PIECE = 5_000
const PIECES = 4

async function remindOfSome(client: Pick<pg.PoolClient, 'query'>): Promise<number> {
  const { rowCount } = await client.query(
    `with p as (
       select s.account_id, s.id from submission s
       where ${OPEN} and s.reminded < ${SEVERITY} limit ${PIECE}),
     r as (
       update submission s set reminded = ${SEVERITY} from p
       where s.account_id = p.account_id and s.id = p.id
       returning s.account_id, s.id, s.kind, s.queue_id, s.cash_box_id, s.due, s.reminded)
     insert into inbox (account_id, event_id, type, cash_box_id, subject_kind, subject_id, data, at)
     select r.account_id, gen_random_uuid(),
       case when r.kind like '%outage%' then 'outage.report_due' else 'report.due' end,
       r.cash_box_id, 'submission', r.id, json_build_object('kind', r.kind,
         'severity', r.reminded, 'queueId', r.queue_id, 'due',
         to_char(r.due at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, now()
     from r`,
  )
  return rowCount ?? 0
}

const ROW = `s.id, s.account_id as "accountId", a.name as "accountName", s.market, s.kind,
  s.subject, s.occasion, s.queue_id as "queueId", q.identification,
  s.cash_box_id as "cashBoxId", s.moment, s.due, s.state, s.is_ready as "isReady",
  s.done_on::text as "doneOn", s.reference, s.note, s.done_by as "doneBy",
  s.created_at as "createdAt", s.changed_at as "changedAt"`

const FROM = `submission s join account a on a.id = s.account_id
  left join queue q on q.account_id = s.account_id and q.id = s.queue_id`

export interface SubmissionQuestion {
  accountId: string
  kind: ReportKind | undefined
  state: ReportState | undefined
  /** Those that are still to be done, or those that are not. */
  open: boolean | undefined
  /** One merchant. */
  operatorId: string | undefined
  /** One register, with the units that it works with. */
  queueId: string | undefined
  outletNumber: number | undefined
  market: string | undefined
  dueBefore: Date | undefined
  /** The last one of the page before. */
  after: { due: string; id: string } | undefined
  direction: Direction
  limit: number
}

/** In the order of their last days. */
export async function listSubmissions(
  { pool }: Pick<Store, 'pool'>,
  asked: SubmissionQuestion,
): Promise<SubmissionRow[]> {
  const { after, direction } = asked
  const { rows } = await pool.query<SubmissionRow>(
    `with m as (${READABLE})
     select ${ROW} from m join ${FROM} on s.account_id = m.id
     where ($2::text is null or s.kind = $2) and ($3::text is null or s.state = $3)
       and ($4::bool is null or (${OPEN}) = $4) and ($5::uuid is null or s.account_id = $5)
       and ($6::uuid is null or s.queue_id = $6 or s.subject in (
         select 'scu/' || u.scu_id from queue_scu u
         where u.account_id = s.account_id and u.queue_id = $6))
       and ($7::text is null or s.market = $7)
       and ($8::timestamptz is null or s.due < $8)
       and ($9::text is null or s.subject = $9)
       and ($10::timestamptz is null or (s.due, s.id) ${BEHIND[direction]} ($10, $11::uuid))
     order by s.due ${direction}, s.id ${direction} limit $12`,
    [
      ...[asked.accountId, asked.kind ?? null, asked.state ?? null, asked.open ?? null],
      ...[asked.operatorId ?? null, asked.queueId ?? null, asked.market ?? null],
      ...[asked.dueBefore ?? null],
      asked.outletNumber === undefined ? null : `outlet/${asked.outletNumber}`,
      ...[after?.due ?? null, after?.id ?? null, asked.limit],
    ],
  )
  return rows
}

/** Undefined: there is none that the account may read. */
export async function findSubmission(
  { pool }: Pick<Store, 'pool'>,
  { accountId, id }: { accountId: string; id: string },
): Promise<(SubmissionRow & { right: Right }) | undefined> {
  const { rows } = await pool.query<SubmissionRow & { right: Right }>(
    `with m as (${READABLE})
     select ${ROW}, case when s.account_id = $1 then 'Full' else
       (select c.rights from connection c where c.account_id = $1
         and c.to_account_id = s.account_id) end as right
     from m join ${FROM} on s.account_id = m.id where s.id = $2`,
    [accountId, id],
  )
  return rows[0]
}

export interface SubmissionMove {
  to: ReportState
  doneOn: string | null
  reference: string | null
  note: string | null
  by: string | null
  /** What was told, as JSON text. */
  told: string | null
}

/** False: it has left the state in which it was. */
export async function moveSubmission(
  tx: Transaction,
  { accountId, id, state }: Pick<SubmissionRow, 'accountId' | 'id' | 'state'>,
  { to, doneOn, reference, note, by, told }: SubmissionMove,
): Promise<boolean> {
  const count = await tx.$executeRaw`update submission set state = ${to},
      done_on = ${doneOn}::date, reference = ${reference}, note = ${note}, done_by = ${by}::uuid,
      told = ${told}, changed_at = now(),
      covered_at = case when ${to} in ('manual', 'ignored') then now() end
    where account_id = ${accountId}::uuid and id = ${id}::uuid and state = ${state}`
  return count === 1
}

export interface Told {
  id: string
  doneOn: string | null
  /** JSON text. */
  told: string
}

/** What was told of a place when it was told last; undefined: nothing was. */
export async function lastTold(
  { pool }: Pick<Store, 'pool'>,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<Told | undefined> {
  const { rows } = await pool.query<Told>(
    `select id, done_on::text as "doneOn", told from submission
     where account_id = $1 and subject = $2 and state = 'manual' and told is not null
     order by covered_at desc limit 1`,
    [accountId, subject],
  )
  return rows[0]
}
