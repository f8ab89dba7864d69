// The last calls over HTTP: written in pieces, and no more of a caller than there is room for.
import type { CallLine, KeptCall } from '../../model/kept-call.js'
import type { Store } from '../client.js'
import { READABLE } from './outages.js'

type Pool = Pick<Store, 'pool'>

/** Not known for sure: of a CashBox the directory knows the account, if there is one. */
export type NewCall = Omit<KeptCall, 'accountId'> & { accountId: string | null }

const TEXTS = `account_id uuid, id uuid, cash_box_id uuid, at timestamptz, is_proven bool, via text,
  api text, method text, route text, path text, status int, ms float8, code text, message text,
  trace_id text, headers text, body text, body_bytes int, answer text, answer_bytes int,
  answer_type text`
const NAMES = TEXTS.replaceAll(/ \w+(?=,|$)/g, '')

/** Of each caller: `each`, and beside it `unproven` of whoever only says that he is. */
export async function insertCalls(
  { pool }: Pool,
  calls: readonly NewCall[],
  { each, unproven }: { each: number; unproven: number },
): Promise<void> {
  const rows = JSON.stringify(calls.map(rowOf))
  await pool.query({
    name: 'insert-calls',
    text: `with given as (
        select c.*, coalesce(a.id, d.account_id) as owner
        from jsonb_to_recordset($1::jsonb) as c(${TEXTS})
        left join account a on a.id = c.account_id
        left join directory d on d.id = c.cash_box_id and d.kind = 'cashbox'),
      made as (
        insert into kept_call (caller_id, ${NAMES})
        select coalesce(cash_box_id, owner), owner, ${NAMES.replace('account_id, ', '')} from given
        where owner is not null on conflict do nothing),
      callers as (
        select distinct owner, coalesce(cash_box_id, owner) as caller_id, is_proven from given
        where owner is not null),
      too_old as materialized (
        select w.*, (
          select o.id from kept_call o
          where o.account_id = w.owner and o.caller_id = w.caller_id
            and o.is_proven = w.is_proven
          order by o.id desc offset case when w.is_proven then $2::int else $3::int end limit 1
        ) as id from callers w)
      delete from kept_call k using too_old w
      where k.account_id = w.owner and k.caller_id = w.caller_id and k.is_proven = w.is_proven
        and k.id <= w.id`,
    values: [rows, each, unproven],
  })
}

function rowOf(call: NewCall): object {
  return {
    ...{ account_id: call.accountId, id: call.id, cash_box_id: call.cashBoxId, at: call.at },
    ...{ is_proven: call.isProven, via: call.via, api: call.api, method: call.method },
    ...{ route: call.route, path: call.path, status: call.status, ms: call.ms, code: call.code },
    ...{ message: call.message, trace_id: call.traceId, headers: JSON.stringify(call.headers) },
    ...{ body: call.body, body_bytes: call.bodyBytes, answer: call.answer },
    ...{ answer_bytes: call.answerBytes, answer_type: call.answerType },
  }
}

/** Old ones, and the oldest where there are more than `most` of all callers. */
export async function forgetCalls({ pool }: Pool, before: Date, most: number): Promise<void> {
  await pool.query(
    `delete from kept_call where at < greatest($1::timestamptz,
       (select at from kept_call order by at desc offset $2 limit 1))`,
    [before, most],
  )
}

export interface CallQuestion {
  accountId: string
  operatorId?: string | undefined
  cashBoxId?: string | undefined
  via?: string | undefined
  code?: string | undefined
  /** Only refusals, or only what went well. */
  failed?: boolean | undefined
  from?: Date | undefined
  /** Older than this one. */
  before?: string | undefined
  limit: number
}

const LINE = `k.account_id as "accountId", k.id, k.cash_box_id as "cashBoxId", k.at,
  k.is_proven as "isProven", k.via, k.api, k.method, k.route, k.path, k.status, k.ms, k.code,
  k.message, k.trace_id as "traceId", k.body_bytes as "bodyBytes",
  k.answer_bytes as "answerBytes"`

const WANTED = `from m join kept_call k on k.account_id = m.id
  where ($2::uuid is null or k.account_id = $2) and ($3::uuid is null or k.caller_id = $3)
    and ($4::text is null or k.via = $4) and ($5::text is null or k.code = $5)
    and ($6::bool is null or (k.status >= 400) = $6) and ($7::timestamptz is null or k.at >= $7)`

const valuesOf = (asked: Omit<CallQuestion, 'limit' | 'before'>) => [
  ...[asked.accountId, asked.operatorId ?? null, asked.cashBoxId ?? null, asked.via ?? null],
  ...[asked.code ?? null, asked.failed ?? null, asked.from ?? null],
]

/** Newest first. */
export async function listCalls({ pool }: Pool, asked: CallQuestion): Promise<CallLine[]> {
  const { rows } = await pool.query<CallLine>(
    `with m as (${READABLE}) select ${LINE} ${WANTED} and ($8::uuid is null or k.id < $8)
     order by k.id desc limit $9`,
    [...valuesOf(asked), asked.before ?? null, asked.limit],
  )
  return rows
}

/** Newest first, with their texts. */
export async function readCalls({ pool }: Pool, asked: CallQuestion): Promise<KeptCall[]> {
  const { rows } = await pool.query<KeptCall>(
    `with m as (${READABLE}) select ${LINE}, ${FULL} ${WANTED} and ($8::uuid is null or k.id < $8)
     order by k.id desc limit $9`,
    [...valuesOf(asked), asked.before ?? null, asked.limit],
  )
  return rows
}

const FULL = 'k.headers::json as headers, k.body, k.answer, k.answer_type as "answerType"'

/** Undefined: there is none that the account may read. */
export async function findCall(
  { pool }: Pool,
  { accountId, id }: { accountId: string; id: string },
): Promise<KeptCall | undefined> {
  const { rows } = await pool.query<KeptCall>(
    `with m as (${READABLE}) select ${LINE}, ${FULL} from m
     join kept_call k on k.account_id = m.id where k.id = $2`,
    [accountId, id],
  )
  return rows[0]
}

export interface CallErrors {
  api: string
  method: string
  route: string | null
  status: number
  code: string | null
  /** Of the newest one. */
  message: string | null
  count: number
  lastAt: Date
  lastId: string
}

/** Refusals that are the same in everything but their moment, the most frequent first. */
export async function groupErrors(
  { pool }: Pool,
  asked: Omit<CallQuestion, 'before' | 'failed'>,
): Promise<CallErrors[]> {
  const { rows } = await pool.query<CallErrors>(
    `with m as (${READABLE})
     select k.api, k.method, k.route, k.status, k.code, count(*)::int as count,
       max(k.at) as "lastAt", (array_agg(k.id order by k.id desc))[1] as "lastId",
       (array_agg(k.message order by k.id desc))[1] as message
     ${WANTED}
     group by k.api, k.method, k.route, k.status, k.code
     order by count(*) desc, max(k.at) desc limit $8`,
    [...valuesOf({ ...asked, failed: true }), asked.limit],
  )
  return rows
}
