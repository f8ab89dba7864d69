// Problems as accounts see them.
import type { ProblemKind } from '../../../model/problem.js'
import type { Right } from '../../account/connections.js'
import type { Store } from '../../client.js'
import type { Transaction } from '../../transaction.js'
import { READABLE } from '../outages.js'

export interface ProblemRow {
  id: string
  accountId: string
  accountName: string
  kind: ProblemKind
  severity: number
  subjectKind: string
  subjectId: string
  cashBoxId: string | null
  since: Date
  due: Date | null
  /** JSON object. */
  details: string
  foundAt: Date
  clearedAt: Date | null
  snoozedUntil: Date | null
  snoozeReason: string | null
}

/** Where a page ends: as exact as what is stored. */
export interface ProblemPlace {
  rank: number
  at: string
  id: string
}

const DUE = "coalesce(p.due, '9999-12-31 00:00:00+00'::timestamptz)"

/**
 * Each way of sorting: what counts first and then, each with an index, and whether the small come
 * first.
 */
const ORDERS = {
  '-severity': ['(-p.severity)', 'p.since', 'asc'],
  severity: ['(-p.severity)', 'p.since', 'desc'],
  since: [undefined, 'p.since', 'asc'],
  '-since': [undefined, 'p.since', 'desc'],
  due: [undefined, DUE, 'asc'],
  '-due': [undefined, DUE, 'desc'],
} as const

export type ProblemSort = keyof typeof ORDERS

export interface ProblemQuestion {
  accountId: string
  kind: ProblemKind | undefined
  /** At least. */
  severity: number
  operatorId: string | undefined
  cashBoxId: string | undefined
  /** Those that are over, instead of those that go on. */
  cleared: boolean
  /** Those that somebody has put off as well. */
  snoozed: boolean
  /** Left out: the worst first, and of equals the oldest. */
  sort?: ProblemSort | undefined
  after: ProblemPlace | undefined
  limit: number
}

const ROW = `p.id, p.account_id as "accountId", a.name as "accountName", p.kind, p.severity,
  p.subject_kind as "subjectKind", p.subject_id as "subjectId", p.cash_box_id as "cashBoxId",
  p.since, p.due, p.details, p.found_at as "foundAt", p.cleared_at as "clearedAt",
  p.snoozed_until as "snoozedUntil", p.snooze_reason as "snoozeReason"`

/** What is to be done at once is never put off. */
const SHOWN = '($7 or p.severity >= 3 or p.snoozed_until is null or p.snoozed_until <= now())'

/** As indexes have it. */
const OPEN = '(p.cleared_at is null)::int4'

const FITS = `${OPEN} = ($6::bool is false)::int4 and ($2::text is null or p.kind = $2)
  and p.severity >= $3 and ($5::uuid is null or p.cash_box_id = $5) and ${SHOWN}`

const WHERE = `(p.cleared_at is not null) = $6 and ($2::text is null or p.kind = $2)
  and p.severity >= $3 and ($4::uuid is null or p.account_id = $4)
  and ($5::uuid is null or p.cash_box_id = $5) and ${SHOWN}`

/** What is counted as well. */
export type Counted = Omit<ProblemQuestion, 'sort' | 'after' | 'limit'>

const valuesOf = (asked: Counted) => [
  ...[asked.accountId, asked.kind ?? null, asked.severity, asked.operatorId ?? null],
  ...[asked.cashBoxId ?? null, asked.cleared, asked.snoozed],
]

const AT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`

export type ListedProblem = ProblemRow & { place: ProblemPlace }

/**
 * The first of each merchant say up to where a page can reach: no further than the last of so many
 * firsts. What stands before that, few merchants have.
 */
export async function listProblems(
  { pool }: Pick<Store, 'pool'>,
  asked: ProblemQuestion,
): Promise<ListedProblem[]> {
  const { after, limit } = asked
  const [first, at, way] = ORDERS[asked.sort ?? '-severity']
  const rank = first ?? '0'
  const keys = first === undefined ? [at, 'p.id'] : [first, at, 'p.id']
  const order = keys.map((key) => `${key} ${way}`).join(', ')
  const place =
    first === undefined ? '$9::timestamptz, $10::uuid' : '$8, $9::timestamptz, $10::uuid'
  const than = way === 'asc' ? '>' : '<'
  const behind = `($8::int4 is null or (${keys.join(', ')}) ${than} (${place}))`
  const sorted = `order by b.rank ${way}, b.at ${way}, b.id ${way}`
  const { rows } = await pool.query<ListedProblem>(
    `with r as materialized (${READABLE}),
     m as materialized (select id from r where $4::uuid is null or id = $4),
     b as materialized (select m.id as account_id, b.* from m cross join lateral (
         select ${rank} as rank, ${at} as at, p.id from problem p
         where p.account_id = m.id and ${FITS} and ${behind} order by ${order} limit 1) b
       ${sorted} limit $11),
     p as materialized (select p.* from b cross join lateral (
         select p.*, ${rank} as rank, ${at} as at from problem p
         where p.account_id = b.account_id and ${FITS} and ${behind}
         order by ${order} limit $11) p
       ${sorted.replaceAll('b.', 'p.')} limit $11)
     select ${ROW}, json_build_object('rank', p.rank, 'id', p.id,
         'at', to_char(p.at at time zone 'UTC', ${AT})) as place
     from p join account a on a.id = p.account_id
     ${sorted.replaceAll('b.', 'p.')}`,
    [...valuesOf(asked), after?.rank ?? null, after?.at ?? null, after?.id ?? null, limit],
  )
  return rows
}

export interface ProblemCount {
  kind: ProblemKind
  severity: number
  count: number
}

export async function countProblems(
  { pool }: Pick<Store, 'pool'>,
  asked: Counted,
): Promise<ProblemCount[]> {
  const { rows } = await pool.query<ProblemCount>(
    `with m as (${READABLE})
     select p.kind, p.severity, count(*)::int4 as count
     from m join problem p on p.account_id = m.id where ${WHERE}
     group by p.kind, p.severity order by p.severity desc, p.kind`,
    valuesOf(asked),
  )
  return rows
}

/** Undefined: there is none that the account may read. */
export async function findProblem(
  { pool }: Pick<Store, 'pool'>,
  { accountId, id }: { accountId: string; id: string },
): Promise<(ProblemRow & { right: Right }) | undefined> {
  const { rows } = await pool.query<ProblemRow & { right: Right }>(
    `with m as (${READABLE})
     select ${ROW}, case when p.account_id = $1 then 'Full' else
       (select c.rights from connection c where c.account_id = $1
         and c.to_account_id = p.account_id) end as right
     from m join account a on a.id = m.id join problem p on p.account_id = m.id
     where p.id = $2`,
    [accountId, id],
  )
  return rows[0]
}

/** `until` null: no longer put off. */
export async function snoozeProblem(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
  { until, by, reason }: { until: Date | null; by: string; reason: string | null },
): Promise<ProblemRow | undefined> {
  const rows = await tx.$queryRawUnsafe<ProblemRow[]>(
    `update problem p set snoozed_until = $3, snoozed_by = $4::uuid, snooze_reason = $5
     from account a where a.id = p.account_id and p.account_id = $1::uuid and p.id = $2::uuid
     returning ${ROW}`,
    ...[accountId, id, until, by, reason],
  )
  return rows[0]
}

/** Those that were over before. */
export async function forgetProblems({ pool }: Pick<Store, 'pool'>, before: Date): Promise<void> {
  await pool.query('delete from problem where cleared_at < $1', [before])
}
