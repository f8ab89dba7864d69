// What is asked for each kind of problem: a question over all accounts at once.
import type { ProblemKind } from '../../../model/problem.js'
import { OPEN, SEVERITY } from '../report/submissions.js'
import { MANY_OFF } from './clocks.js'
import { IN_USE } from './registers.js'

/** Hours since the Monday before 1970. */
const weekHour = (moment: string): string =>
  `(floor(extract(epoch from ${moment}) / 3600)::int8 + 72)`
/** Receipts of 100 such times until that hour is over, as they usually come. */
const receiptsUntil = (hour: string): string =>
  `(${hour} / 168 * a.usual[168] + a.usual[${hour} % 168 + 1])`

/** To the millisecond, as this program knows moments. */
export const SILENT_SINCE = `date_trunc('milliseconds', coalesce(q.last_moment, q.start_moment))`

/** More outages of a Queue in an hour are told as one problem. */
const MANY_OUTAGES = 5

/** Of `Watched`, where a question goes by what countries say of their registers. */
const FACTS = `json_to_recordset($2::json) as m(market text, zone text, "ownMonthFrom" int4,
  "remindDays" int4, "mostDays" int4, serial text, "posSystems" boolean, "taxNumbers" boolean)`
/** Memory of a unit. */
const NEARLY_FULL = 0.8

/** Registers in use with a moment that is longer ago. */
const agesAgo = (column: string, hours: number) => `select q.account_id,
      'queue' as subject_kind, q.queue_id as subject_id, q.cash_box_id, q.${column} as since,
      null::timestamptz as due, 2 as severity, '{}' as details
    from queue_watch q where q.is_used and q.${column} < now() - interval '${hours} hours'`

/**
 * Each gives account_id, subject_kind, subject_id, cash_box_id, since, due, severity and details
 * (JSON text), a thing once.
 */
export const QUESTIONS: Readonly<Record<ProblemKind, string>> = {
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
      json_build_object('expectedBy', a.expected_by, 'weeks', a.weeks, 'usually',
        case when a.weeks >= 3 and cardinality(a.usual) = 168
          then round((${receiptsUntil('h.now')} - ${receiptsUntil('h.since')}) / 100.0)::int8
        end)::text as details
    from activity a join queue q on q.account_id = a.account_id and q.id = a.queue_id
    cross join lateral (select ${weekHour('now()')} - 1 as now,
      ${weekHour('a.silent_since')} as since) h
    where a.expected_by <= now() and q.stop_moment is null and q.cash_box_id is not null
      and a.silent_since = ${SILENT_SINCE}`,
  // a day ends at four in the morning; a shop that is open then has closed by the next look
  closing: `select q.account_id, 'queue' as subject_kind, q.queue_id as subject_id, q.cash_box_id,
      q.open_since as since, null::timestamptz as due, 2 as severity, '{}' as details
    from ${FACTS} join queue_watch q on q.market = m.market
    where q.is_used
      and q.open_since < (date_trunc('day', (now() at time zone m.zone) - interval '4 hours')
        + interval '4 hours') at time zone m.zone`,
  // a receipt settles its month, or the month before; the next is due when the one behind is over
  settlement: `select q.account_id, 'queue' as subject_kind, q.queue_id as subject_id,
      q.cash_box_id, d.due as since, null::timestamptz as due, 1 as severity,
      json_build_object('settled', q.settled_at)::text as details
    from ${FACTS} join queue_watch q on q.market = m.market
    cross join lateral (select q.settled_at at time zone m.zone as local) l
    cross join lateral (select (date_trunc('month', l.local) + interval '2 months'
      - case when extract(day from l.local) < m."ownMonthFrom" then interval '1 month'
        else interval '0' end) at time zone m.zone as due) d
    where q.is_used and d.due <= now()`,
  // told before the last day, behind which no archive can be made any more
  archive: `select q.account_id, 'queue' as subject_kind, q.queue_id as subject_id, q.cash_box_id,
      q.archive_since + m."remindDays" * interval '1 day' as since, d.due,
      case when d.due < now() then 3 when d.due < now() + interval '7 days' then 2 else 1 end
        as severity, json_build_object('since', q.archive_since)::text as details
    from ${FACTS} join queue_watch q on q.market = m.market
    cross join lateral (select q.archive_since + m."mostDays" * interval '1 day' as due) d
    where q.is_used and q.archive_since + m."remindDays" * interval '1 day' <= now()`,
  transaction: agesAgo('transaction_since', 24),
  tar: agesAgo('log_missing_since', 0),
  // as the device told itself, or as it was at the closing of the register that used it last
  memory: `${usedUp('memory_used')} union all
    select account_id, subject_kind, subject_id, cash_box_id, since, due, severity, details
    from (select distinct on (w.account_id, w.memory_unit)
      w.account_id, 'scu' as subject_kind, w.memory_unit as subject_id,
      w.cash_box_id, q.start_moment as since, null::timestamptz as due,
      case when w.memory_used < 0.95 then 2 else 3 end as severity,
      json_build_object('used', round(w.memory_used::numeric, 3))::text as details,
      w.memory_used as used
    from (select distinct account_id, memory_unit from queue_watch
      where is_used and memory_used > ${NEARLY_FULL}) u
    join queue_watch w on w.account_id = u.account_id and w.memory_unit = u.memory_unit
      and w.is_used
    join queue q on q.account_id = w.account_id and q.id = w.queue_id
    order by w.account_id, w.memory_unit, q.last_moment desc) u
    where u.used > ${NEARLY_FULL} and not exists (select from unit_fact f
      where f.account_id = u.account_id and f.scu_id = u.subject_id and f.memory_used is not null)`,
  signatures: usedUp('signatures_used'),
  clock: `select q.account_id, 'queue' as subject_kind, q.id as subject_id, q.cash_box_id,
      c.off_since as since, null::timestamptz as due, 2 as severity,
      json_build_object('receipts', c.looked_at, 'off', c.off)::text as details
    from clock_check c join queue q on q.account_id = c.account_id and q.id = c.queue_id
    where c.off >= ${MANY_OFF} and ${IN_USE}`,
  unit: `select p.account_id, 'scu' as subject_kind, p.scu_id as subject_id,
      null::uuid as cash_box_id, p.since, null::timestamptz as due, 2 as severity,
      json_build_object('failures', p.bad, 'lastError', p.last_error)::text as details
    from unit_probe p where p.state in ('out', 'probing')`,
  flapping: `select o.account_id, 'queue' as subject_kind, o.queue_id as subject_id,
      (array_agg(o.cash_box_id))[1] as cash_box_id, min(o.began_at) as since,
      null::timestamptz as due, 2 as severity,
      json_build_object('outages', count(*))::text as details
    from outage o where o.began_at > now() - interval '1 hour'
    group by o.account_id, o.queue_id having count(*) > ${MANY_OUTAGES}`,
  certificate: `select f.account_id, 'scu' as subject_kind, f.scu_id as subject_id,
      l.cash_box_id, f.certificate_ends - interval '90 days' as since,
      f.certificate_ends as due,
      case when f.certificate_ends < now() + interval '7 days' then 3
        when f.certificate_ends < now() + interval '30 days' then 2 else 1 end as severity,
      json_build_object('serial', f.serial, 'ends', f.certificate_ends)::text as details
    from unit_fact f
    join lateral (select q.cash_box_id from queue_scu s
      join queue q on q.account_id = s.account_id and q.id = s.queue_id
      where s.account_id = f.account_id and s.scu_id = f.scu_id and q.stop_moment is null
        and q.cash_box_id is not null limit 1) l on true
    cross join lateral (select from scu u where u.account_id = f.account_id and u.id = f.scu_id
      and u.mode % 256 < 99 limit 1) u
    where f.certificate_ends < now() + interval '90 days'`,
  configuration: `select b.account_id, 'cashbox' as subject_kind, b.id as subject_id,
      b.id as cash_box_id, ${tickMoment('b.time_stamp')} as since, null::timestamptz as due,
      1 as severity, '{}' as details
    from cash_box b where b.published_at < b.time_stamp
      and ${tickMoment('b.time_stamp')} < now() - interval '24 hours'`,
  // only of middlewares that have fetched before: this server needs no fetching
  not_fetched: `select b.account_id, 'cashbox' as subject_kind, b.id as subject_id,
      b.id as cash_box_id, ${tickMoment('b.published_at')} as since, null::timestamptz as due,
      2 as severity, json_build_object('fetchedAt', p.fetched_at)::text as details
    from publication p join cash_box b on b.account_id = p.account_id and b.id = p.id
    where p.fetched_stamp < b.published_at
      and ${tickMoment('b.published_at')} < now() - interval '24 hours'`,
  port: `select b.account_id, 'cashbox' as subject_kind, b.id as subject_id,
      b.id as cash_box_id, ${tickMoment('b.time_stamp')} as since, null::timestamptz as due,
      1 as severity, json_build_object('ports', string_agg(p.port, ' ' order by p.port))::text
        as details
    from (select account_id, cash_box_id, port from (
        select x.account_id, x.cash_box_id, x.id,
          (regexp_match(u.url, '^(?!net)[^:/]+://[^/]*:([0-9]+)(/|$)'))[1] as port
        from (select q.account_id, q.cash_box_id, q.id, q.url as urls from queue q
            where q.cash_box_id is not null and q.stop_moment is null and q.url <> '[]'
          union all select h.account_id, h.cash_box_id, s.id, s.urls from scu s
            join cash_box_scu h on h.account_id = s.account_id and h.scu_id = s.id
            where s.urls <> '[]' and not s.hidden
          union all select h.account_id, h.cash_box_id, e.id, e.url from helper e
            join cash_box_helper h on h.account_id = e.account_id and h.helper_id = e.id
            where e.url <> '[]') x
        cross join lateral json_array_elements_text(x.urls::json) u(url)) y
      where port is not null group by account_id, cash_box_id, port
      having count(distinct id) > 1) p
    join cash_box b on b.account_id = p.account_id and b.id = p.cash_box_id
    where b.product_type = 0 group by b.account_id, b.id`,
  master_data: `with m as materialized (select * from ${FACTS}),
    l as materialized (select distinct q.account_id, q.market from queue_watch q
      where q.is_used and q.market in (select market from m))
    select f.account_id, f.subject_kind, f.subject_id, (array_agg(f.cash_box_id))[1]
        as cash_box_id, min(f.at) as since, null::timestamptz as due, 1 as severity,
      json_build_object('faults', string_agg(f.fault, ' ' order by f.fault))::text as details
    from (
      select a.id as account_id, 'account' as subject_kind, a.id as subject_id,
        null::uuid as cash_box_id, a.created_at as at, 'tax_number' as fault
      from l join m on m.market = l.market and m."taxNumbers"
        join account a on a.id = l.account_id and a.market = l.market where a.tax_number = ''
      union all select a.id, 'account', a.id, null, a.created_at, 'pos_system'
      from l join m on m.market = l.market and m."posSystems" join account a on a.id = l.account_id
        and a.market = l.market
      where not exists (select from pos_system p where p.account_id = a.id)
      union all select q.account_id, 'queue', q.id, q.cash_box_id, q.created_at, 'same_name'
      from queue r join queue q on q.account_id = r.account_id
        and q.identification = r.identification
      where r.repeated > 0 and ${IN_USE} and exists (select from queue o
        where o.account_id = q.account_id and o.identification = q.identification and o.id <> q.id
          and o.start_moment is not null and o.stop_moment is null and o.cash_box_id is not null)
      union all select f.account_id, 'scu', f.scu_id, null, s.created_at, 'unit_serial'
      from m join unit_fact f on f.market = m.market and f.serial !~ m.serial
        join scu s on s.account_id = f.account_id and s.id = f.scu_id
      where m.serial <> '' and f.serial <> '' and not s.hidden) f
    group by f.account_id, f.subject_kind, f.subject_id`,
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
  job: `select j.account_id, 'job' as subject_kind, j.id as subject_id, null::uuid as cash_box_id,
      j.finished_at as since, null::timestamptz as due, 2 as severity,
      json_build_object('kind', j.kind)::text as details
    from job j where j.state = 'failed' and j.kind <> 'backup'
      and j.finished_at > now() - interval '14 days'`,
  // until a later slice is proven
  backup: `select distinct on (q.account_id, q.id) q.account_id, 'queue' as subject_kind,
      q.id as subject_id, q.cash_box_id, j.created_at as since, null::timestamptz as due,
      2 as severity, json_build_object('jobId', j.id, 'state', j.state)::text as details
    from job j join queue q on q.account_id = j.account_id
      and q.id = (j.args::json->>'queueId')::uuid
    where j.kind = 'backup' and j.created_at > now() - interval '90 days'
      and (j.state in ('failed', 'canceled') or j.state in ('queued', 'running')
        and j.created_at < now() - interval '3 days')
      and not exists (select from backup b where b.account_id = q.account_id
        and b.queue_id = q.id and b.stored_at > j.created_at)
    order by q.account_id, q.id, j.created_at`,
  chain: `select b.account_id, 'backup' as subject_kind, b.id as subject_id,
      null::uuid as cash_box_id, b.stored_at as since, null::timestamptz as due, 3 as severity,
      json_build_object('queueId', b.queue_id, 'period', b.period,
        'findings', b.findings)::text as details
    from backup b where b.findings > 0 and b.stored_at > now() - interval '90 days'
    union all select j.account_id, 'job', j.id, null, j.finished_at, null, 3,
      json_build_object('findings', (j.result::json->>'findings')::int4)::text
    from job j where j.kind = 'inspection' and j.state = 'succeeded'
      and j.finished_at > now() - interval '90 days' and j.result::json->>'findings' <> '0'`,
  // what was never used says nothing of what will be
  stock: `select l.account_id, 'entitlement' as subject_kind, l.id as subject_id,
      null::uuid as cash_box_id, l.valid_from as since, null::timestamptz as due,
      case when l.left_over < 1 then 2 else 1 end as severity,
      json_build_object('name', l.name, 'market', l.market, 'remaining', l.left_over,
        'total', l.bought)::text as details
    from (select account_id, market, name, sum(remaining) as left_over, sum(total) as bought,
        (array_agg(id order by created_at, id))[1] as id, min(valid_from) as valid_from
      from entitlement_lot
      where valid_from <= now() and (valid_to is null or valid_to > now())
      group by account_id, market, name) l
    where l.left_over < l.bought and (l.left_over < 5 or l.left_over * 10 < l.bought)`,
}

/** Of units in use, by what the device told of itself. */
function usedUp(column: 'memory_used' | 'signatures_used'): string {
  return `select f.account_id, 'scu' as subject_kind, f.scu_id as subject_id, l.cash_box_id,
      s.created_at as since, null::timestamptz as due,
      case when f.${column} < 0.95 then 2 else 3 end as severity,
      json_build_object('used', round(f.${column}::numeric, 3))::text as details
    from unit_fact f join scu s on s.account_id = f.account_id and s.id = f.scu_id
    join lateral (select q.cash_box_id from queue_scu u
      join queue q on q.account_id = u.account_id and q.id = u.queue_id
      where u.account_id = f.account_id and u.scu_id = f.scu_id and q.stop_moment is null
        and q.cash_box_id is not null limit 1) l on true
    where f.${column} > ${NEARLY_FULL} and s.mode % 256 < 99 and not s.hidden`
}

/** Ticks of .NET as a moment. */
function tickMoment(column: string): string {
  return `to_timestamp((${column} - 621355968000000000) / 10000000)`
}
