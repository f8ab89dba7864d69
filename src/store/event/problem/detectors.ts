// The detectors: a question per kind of problem, over all accounts at once. What it finds is open,
// what it no longer finds clears itself, and both are told as events.
import type { ProblemKind } from '../../../model/problem.js'
import type { Store } from '../../client.js'
import { type Connection, inTransaction } from '../../transaction.js'
import { OPEN, SEVERITY } from '../report/submissions.js'

/** To the millisecond, as this program knows moments. */
export const SILENT_SINCE = `date_trunc('milliseconds', coalesce(q.last_moment, q.start_moment))`

/**
 * Each gives account_id, subject_kind, subject_id, cash_box_id, since, due, severity and details
 * (JSON text), a thing once.
 */
const QUESTIONS: Readonly<Record<ProblemKind, string>> = {
  // § 17 RKSV and others: longer than two days is to be told to the authority
  outage: `select distinct on (o.account_id, o.queue_id) o.account_id, 'queue' as subject_kind,
      o.queue_id as subject_id, o.cash_box_id, o.began_at as since,
      o.began_at + interval '48 hours' as due,
      case when o.began_at < now() - interval '48 hours' then 3 else 2 end as severity,
      json_build_object('cause', o.cause)::text as details
    from outage o where o.ended_at is null order by o.account_id, o.queue_id, o.began_at`,
  // of duties towards authorities, whatever the country calls them
  report: `select s.account_id, 'submission' as subject_kind, s.id as subject_id, s.cash_box_id,
      s.created_at as since, s.due, ${SEVERITY} as severity, json_build_object('kind', s.kind,
        'subject', s.subject, 'queueId', s.queue_id, 'state', s.state)::text as details
    from submission s where ${OPEN}`,
  no_receipts: `select q.account_id, 'queue' as subject_kind, q.id as subject_id, q.cash_box_id,
      a.silent_since as since, null::timestamptz as due, 2 as severity,
      json_build_object('expectedBy', a.expected_by, 'weeks', a.weeks)::text as details
    from activity a join queue q on q.account_id = a.account_id and q.id = a.queue_id
    where a.expected_by <= now() and q.stop_moment is null and q.cash_box_id is not null
      and a.silent_since = ${SILENT_SINCE}`,
  configuration: `select b.account_id, 'cashbox' as subject_kind, b.id as subject_id,
      b.id as cash_box_id, ${tickMoment('b.time_stamp')} as since, null::timestamptz as due,
      1 as severity, '{}' as details
    from cash_box b where b.published_at < b.time_stamp
      and ${tickMoment('b.time_stamp')} < now() - interval '24 hours'`,
  invitation: `select i.account_id, 'invitation' as subject_kind, i.id as subject_id,
      null::uuid as cash_box_id, i.created_at as since, null::timestamptz as due, 1 as severity,
      '{}' as details
    from invitation i where i.done is null and i.created_at < now() - interval '14 days'
    union all select c.account_id, 'connection', c.id, null, c.created_at, null, 1, '{}'
    from connection c where c.state = 'pending' and c.created_at < now() - interval '14 days'
      and (c.ends_at is null or c.ends_at > now())`,
  order: `select s.account_id, 'order' as subject_kind, s.id as subject_id,
      null::uuid as cash_box_id, s.changed_at as since, null::timestamptz as due, 2 as severity,
      json_build_object('number', s.number)::text as details
    from sales_order s where s.state = 1 and s.production_state >= 100`,
  webhook: `select w.account_id, 'webhook' as subject_kind, w.id as subject_id,
      null::uuid as cash_box_id, coalesce(w.failing_since, w.created_at) as since,
      null::timestamptz as due, 2 as severity,
      json_build_object('lastError', w.last_error)::text as details
    from webhook w where w.state = 'disabled'`,
  message: `select m.account_id, 'message' as subject_kind, m.id as subject_id, m.cash_box_id,
      m.changed_at as since, null::timestamptz as due, 1 as severity,
      json_build_object('channel', m.channel)::text as details
    from message m where m.state = 'failed' and m.changed_at > now() - interval '14 days'`,
}

/** Ticks of .NET as a moment. */
function tickMoment(column: string): string {
  return `to_timestamp((${column} - 621355968000000000) / 10000000)`
}

/** Beside the kind in the lock that one process takes for a detector. */
const LOCK = 0x70726f

const statementOf = (question: string): string => `with f as materialized (${question}),
o as (
  insert into problem as p (account_id, id, kind, severity, subject_kind, subject_id, cash_box_id,
    since, due, details, found_at)
  select account_id, gen_random_uuid(), $1, severity, subject_kind, subject_id, cash_box_id,
    date_trunc('milliseconds', since), due, details, now() from f
  on conflict (account_id, kind, subject_id) where cleared_at is null
  do update set severity = excluded.severity, due = excluded.due, details = excluded.details,
    since = excluded.since
  where (p.severity, p.due, p.details, p.since)
    is distinct from (excluded.severity, excluded.due, excluded.details, excluded.since)
  returning p.account_id, p.id, p.severity, p.cash_box_id, p.subject_kind, p.subject_id,
    p.xmax = 0 as is_new),
c as (
  update problem p set cleared_at = now() where p.kind = $1 and p.cleared_at is null
    and not exists (select from f where f.account_id = p.account_id
      and f.subject_id = p.subject_id)
  returning p.account_id, p.id, p.severity, p.cash_box_id, p.subject_kind, p.subject_id),
e as (
  insert into inbox (account_id, event_id, type, cash_box_id, subject_kind, subject_id, data, at)
  select account_id, gen_random_uuid(), type, cash_box_id, 'problem', id, json_build_object(
    'kind', $1::text, 'severity', severity, 'subject', subject_kind || '/' || subject_id)::text,
    now()
  from (select 'problem.opened' as type, account_id, id, severity, cash_box_id, subject_kind,
      subject_id from o where is_new
    union all select 'problem.cleared', account_id, id, severity, cash_box_id, subject_kind,
      subject_id from c) t)
select (select count(*)::int4 from f) as open`

/** Undefined: another process is at it, or was a moment ago. */
export function detect(
  store: Store,
  kind: ProblemKind,
  { restMs }: { restMs: number },
): Promise<number | undefined> {
  return byOne(store, { name: kind, restMs }, async (client) => {
    const found = await client.query<{ open: number }>(statementOf(QUESTIONS[kind]), [kind])
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
