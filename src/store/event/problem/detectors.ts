// The detectors: a question per kind of problem, over all accounts at once. What it finds is open,
// what it no longer finds clears itself, and both are told as events.
import type { EventType } from '../../../model/event.js'
import type { ProblemKind } from '../../../model/problem.js'
import type { Store } from '../../client.js'
import { type Connection, inTransaction } from '../../transaction.js'
import { QUESTIONS } from './questions.js'

/** Beside the kind in the lock that one process takes for a detector. */
const LOCK = 0x70726f

/** Told of the thing itself as well, when it is found and whenever it becomes more severe. */
const TOLD: Partial<Record<ProblemKind, EventType>> = {
  certificate: 'scu.certificate_expiring',
  closing: 'queue.closing_missing',
}

const told = (type: EventType | undefined): string =>
  type === undefined
    ? ''
    : `union all select '${type}', o.account_id, o.cash_box_id, o.subject_kind, o.subject_id,
      o.details from o left join w using (account_id, subject_id)
    where w.severity is null or w.severity < o.severity`

const statementOf = (question: string, type: EventType | undefined): string => `with
f as materialized (${question}),
w as materialized (select account_id, subject_id, severity from problem
  where kind = $1 and cleared_at is null),
o as (
  insert into problem as p (account_id, id, kind, severity, subject_kind, subject_id, cash_box_id,
    since, due, details, found_at)
  select f.account_id, gen_random_uuid(), $1, f.severity, f.subject_kind, f.subject_id,
    f.cash_box_id, date_trunc('milliseconds', f.since), f.due, f.details, now()
  -- what stands there as it is would be locked, row by row
  from f left join problem s on s.account_id = f.account_id and s.kind = $1
    and s.subject_id = f.subject_id and s.cleared_at is null
  where s.id is null or (s.severity, s.due, s.details, s.since)
    is distinct from (f.severity, f.due, f.details, date_trunc('milliseconds', f.since))
  on conflict (account_id, kind, subject_id) where cleared_at is null
  do update set severity = excluded.severity, due = excluded.due, details = excluded.details,
    since = excluded.since
  where (p.severity, p.due, p.details, p.since)
    is distinct from (excluded.severity, excluded.due, excluded.details, excluded.since)
  returning p.account_id, p.id, p.severity, p.cash_box_id, p.subject_kind, p.subject_id,
    p.details, p.xmax = 0 as is_new),
c as (
  update problem p set cleared_at = now() where p.kind = $1 and p.cleared_at is null
    and not exists (select from f where f.account_id = p.account_id
      and f.subject_id = p.subject_id)
  returning p.account_id, p.id, p.severity, p.cash_box_id, p.subject_kind, p.subject_id),
e as (
  insert into inbox (account_id, event_id, type, cash_box_id, subject_kind, subject_id, data, at)
  select account_id, gen_random_uuid(), type, cash_box_id, kind, id, data, now()
  from (select type, account_id, cash_box_id, 'problem' as kind, id, json_build_object('kind',
      $1::text, 'severity', severity, 'subject', subject_kind || '/' || subject_id)::text as data
    from (select 'problem.opened' as type, account_id, id, severity, cash_box_id, subject_kind,
        subject_id from o where is_new
      union all select 'problem.cleared', account_id, id, severity, cash_box_id, subject_kind,
        subject_id from c) p
    ${told(type)}) t)
select (select count(*)::int4 from f) as open`

/** What a country says of its registers, for the question of one kind. */
export interface Watched {
  market: string
  zone: string
  ownMonthFrom?: number
  remindDays?: number
  mostDays?: number
  serial?: string
  posSystems?: boolean
  taxNumbers?: boolean
}

/**
 * `watched`: of the kinds whose question goes by countries. Undefined: another process is at it, or
 * was a moment ago.
 */
export function detect(
  store: Store,
  kind: ProblemKind,
  { restMs, watched }: { restMs: number; watched: readonly Watched[] | undefined },
): Promise<number | undefined> {
  return byOne(store, { name: kind, restMs }, async (client) => {
    const found = await client.query<{ open: number }>(
      statementOf(QUESTIONS[kind], TOLD[kind]),
      watched === undefined ? [kind] : [kind, JSON.stringify(watched)],
    )
    return found.rows[0]?.open ?? 0
  })
}

/**
 * Done by one process at a time, and by none that comes sooner than `restMs` after the last one; in
 * a transaction with the row that tells when. Undefined: it was not done.
 */
export function byOne(
  store: Store,
  { name, restMs }: { name: string; restMs: number },
  work: (client: Connection) => Promise<number>,
): Promise<number | undefined> {
  return inTransaction(store, async (client) => {
    const lock = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_xact_lock($1, hashtext($2)) as mine',
      [LOCK, name],
    )
    if (lock.rows[0]?.mine !== true) return undefined
    const recent = await client.query(
      `select from detector_run where kind = $1 and ran_at > now() - $2 * interval '1 ms'`,
      [name, restMs],
    )
    if (recent.rows.length > 0) return undefined
    const began = performance.now()
    const open = await work(client)
    await client.query(
      `insert into detector_run (kind, ran_at, ms, open) values ($1, now(), $2, $3)
       on conflict (kind) do update set ran_at = now(), ms = excluded.ms, open = excluded.open`,
      [name, Math.round(performance.now() - began), open],
    )
    return open
  })
}

export interface DetectorRow {
  kind: string
  ranAt: Date
  ms: number
}

export async function detectorRuns({ pool }: Pick<Store, 'pool'>): Promise<DetectorRow[]> {
  const { rows } = await pool.query<DetectorRow>(
    'select kind, ran_at as "ranAt", ms from detector_run order by kind',
  )
  return rows
}
