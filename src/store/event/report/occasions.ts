// What has happened of which an authority is to be told, and for which there is no report yet: a
// question per kind of occasion, over all accounts of a market.
import type pg from 'pg'
import type { Occasion, ReportKind } from '../../../model/report.js'
import { uuidArray } from '../../binary-array.js'

export interface Found {
  accountId: string
  /** queue/id, scu/id or outlet/number */
  subject: string
  queueId: string | null
  cashBoxId: string | null
  /** Tells what is told twice apart. */
  occasion: string
  moment: Date
  /** What the report needs is there. */
  isReady: boolean
}

export interface Asked {
  market: string
  kind: ReportKind
  on: Occasion
  cause: string | null
  /** Of the market: where its years end. */
  zone: string
  /** As if it were this moment; null: now. */
  at: Date | null
  /** Of these accounts alone; null: of all. */
  accountIds: readonly string[] | null
}

/** Stands where the accounts of registers `q` are chosen. */
const MINE = '/* accounts */ true'

const OF_QUEUE = "q.account_id, 'queue/' || q.id as subject, q.id as queue_id, q.cash_box_id"
/** Of rows `g`, which stand for several registers. */
const OF_UNIT = `g.account_id, 'scu/' || g.scu_id as subject, null::uuid as queue_id,
  null::uuid as cash_box_id`

/** Mode of units that nobody works with. */
const USED = '(s.mode & 255) < 99'

/** The clock that all servers share, unless another moment is asked for. */
const NOW = 'coalesce($6::timestamptz, now())'

/** In milliseconds, as this program knows moments, and in UTC. */
const stamp = (moment: string): string =>
  `to_char(${moment} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A day of a year in the market's zone, at its midnight. */
const dayOf = (year: string, month: number, day: number): string =>
  `(make_date(${year}, ${month}, ${day})::timestamp at time zone $3::text)`

/** A yearly receipt until 15 February ends the year before. */
const YEARS = `select y.account_id, y.queue_id, y.year, bool_or(y.is_made) as is_made from (
    select q.account_id, q.id as queue_id,
      extract(year from ${NOW} at time zone $3::text)::int4 - 1 as year, false as is_made
    from queue q where ${MINE} and q.market = $1
      and q.start_moment < date_trunc('year', ${NOW} at time zone $3::text) at time zone $3::text
      and (q.stop_moment is null
        or q.stop_moment >= date_trunc('year', ${NOW} at time zone $3::text) at time zone $3::text)
    union all
    select t.account_id, t.queue_id,
      extract(year from (t.at at time zone $3::text) - interval '46 days')::int4, true
    from report_occasion t where t.kind = 'yearly_receipt') y
  group by y.account_id, y.queue_id, y.year`

/** Outlet of a queue, also of one that is in no cash box any more. */
export const PLACES = `select q.account_id, q.id as queue_id,
    coalesce(c.outlet_number, o.number, 1) as number,
    q.created_at, q.start_moment, q.stop_moment, q.purchase_date, e.out_of_operation, e.changed_at,
    (e.details::json->>'acquiredOn')::timestamp as acquired_on
  from queue q
  left join cash_box c on c.account_id = q.account_id and c.id = coalesce(q.cash_box_id,
    (select m.cash_box_id from queue_membership m
      where m.account_id = q.account_id and m.queue_id = q.id order by m.since desc limit 1))
  left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
  left join registration_entry e on e.account_id = q.account_id
    and e.subject = 'queue/' || q.id
  where ${MINE} and q.market = $1`

/**
 * Each gives account_id, subject, queue_id, cash_box_id, occasion, moment and is_ready. $1 market,
 * $2 kind, $3 zone, $4 cause.
 */
const QUESTIONS: Readonly<Record<Occasion, string>> = {
  registerStarted: `select ${OF_QUEUE}, '' as occasion, q.start_moment as moment, true as is_ready
    from queue q where ${MINE} and q.market = $1
      and q.start_moment is not null`,
  registerStopped: `select ${OF_QUEUE}, '' as occasion, q.stop_moment as moment, true as is_ready
    from queue q where ${MINE} and q.market = $1
      and q.stop_moment is not null`,
  unitStarted: `select ${OF_UNIT}, '' as occasion, g.moment, true as is_ready from (
      select u.account_id, u.scu_id, greatest(min(q.start_moment), s.created_at) as moment
      from queue q join queue_scu u on u.account_id = q.account_id and u.queue_id = q.id
      join scu s on s.account_id = u.account_id and s.id = u.scu_id
      where ${MINE} and q.market = $1 and q.start_moment is not null and ${USED}
      group by u.account_id, u.scu_id, s.created_at) g`,
  unitStopped: `select ${OF_UNIT}, ${stamp('g.moment')} as occasion, g.moment, true as is_ready
    from (
      select u.account_id, u.scu_id, max(q.stop_moment) as moment
      from queue q join queue_scu u on u.account_id = q.account_id and u.queue_id = q.id
      where ${MINE} and q.market = $1 and q.start_moment is not null
      group by u.account_id, u.scu_id having count(*) = count(q.stop_moment)) g`,
  yearEnded: `select ${OF_QUEUE}, y.year::text as occasion,
      ${dayOf('y.year + 1', 1, 1)} - interval '1 ms' as moment, y.is_made as is_ready
    from (${YEARS}) y join queue q on q.account_id = y.account_id and q.id = y.queue_id
    where ${MINE} and q.market = $1`,
  outageLasted: `select ${OF_QUEUE}, o.id::text as occasion, o.began_at as moment,
      true as is_ready
    from outage o join queue q on q.account_id = o.account_id and q.id = o.queue_id
    where ${MINE} and q.market = $1 and o.cause = $4
      and coalesce(o.ended_at, ${NOW}) - o.began_at > interval '48 hours'`,
  outageEnded: `select ${OF_QUEUE}, o.id::text as occasion, o.ended_at as moment,
      true as is_ready
    from outage o join queue q on q.account_id = o.account_id and q.id = o.queue_id
    where ${MINE} and q.market = $1 and o.cause = $4
      and o.ended_at - o.began_at > interval '48 hours'`,
  placeChanged: `select g.account_id, g.subject, null::uuid as queue_id, null::uuid as cash_box_id,
      ${stamp('g.moment')} as occasion, g.moment, true as is_ready
    from (
      select c.account_id, 'outlet/' || c.number as subject, min(c.at) as moment
      from (
        select p.account_id, p.number, d.at, d.known from (${PLACES}) p
        cross join lateral (values (p.start_moment, p.start_moment),
          (p.stop_moment, p.stop_moment), (p.purchase_date, p.purchase_date),
          (p.out_of_operation::timestamp at time zone $3::text, p.changed_at),
          (case when p.start_moment is null then p.acquired_on at time zone $3::text end,
            p.changed_at)) d(at, known)
        union all
        select p.account_id, p.number, t.at, t.at from (${PLACES}) p
        join report_occasion t on t.account_id = p.account_id and t.queue_id = p.queue_id
          and t.kind = 'unit_changed') c
      left join (
        select s.account_id, s.subject, max(s.covered_at) as covered_at,
          bool_or(s.state in ('planned', 'ready')) as is_open
        from submission s where s.kind = $2 group by s.account_id, s.subject) k
        on k.account_id = c.account_id and k.subject = 'outlet/' || c.number
      where c.at <= ${NOW} and k.is_open is not true
        and (k.covered_at is null or greatest(c.at, c.known) > k.covered_at)
      group by c.account_id, c.number) g`,
}

/** Accounts of which something is known since a while ago that may have to be told. */
export async function accountsWithNews(
  client: Pick<pg.PoolClient, 'query'>,
  hours: number,
): Promise<string[]> {
  const since = "now() - $1 * interval '1 hour'"
  const { rows } = await client.query<{ id: string }>(
    `select account_id as id from queue where start_moment > ${since}
     union select account_id from queue where stop_moment > ${since}
     union select account_id from report_occasion where at > ${since}
     union select account_id from registration_entry where changed_at > ${since}
     union select account_id from outage
       where ended_at is null and began_at < now() - interval '48 hours'
     union select account_id from outage where ended_at > ${since}`,
    [hours],
  )
  return rows.map(({ id }) => id)
}

/** Accounts whose registers are looked up one after the other. */
const FEW = 20

/** Those without a report, so many at most. */
export async function findOccasions(
  client: Pick<pg.PoolClient, 'query'>,
  { market, kind, on, cause, zone, at, accountIds }: Asked,
  most: number,
): Promise<Found[]> {
  const mine = accountIds === null ? 'true' : 'q.account_id = any($7)'
  // a plan that looks each of many up takes minutes, and nothing is known of a young table
  const isFew = accountIds !== null && accountIds.length <= FEW
  await client.query(`set local enable_nestloop = ${isFew ? 'on' : 'off'}`)
  const { rows } = await client.query<Found>(
    `select f.account_id as "accountId", f.subject, f.queue_id as "queueId",
       f.cash_box_id as "cashBoxId", f.occasion, f.moment, f.is_ready as "isReady"
     from (${QUESTIONS[on].replaceAll(MINE, mine)}) f
     where coalesce($1, $3::text, $4::text) is not null and not exists (select from submission s
       where s.account_id = f.account_id and s.kind = $2 and s.subject = f.subject
         and s.occasion = f.occasion)
       and ($6::timestamptz is null or f.moment <= $6)
     limit $5`,
    [market, kind, zone, cause, most, at, ...(accountIds === null ? [] : [uuidArray(accountIds)])],
  )
  return rows
}

/** What a register has told in passing. */
export interface ToldOccasion {
  accountId: string
  queueId: string
  kind: string
  at: string
}

export async function noteOccasion(
  client: Pick<pg.PoolClient, 'query'>,
  { accountId, queueId, kind, at }: ToldOccasion,
): Promise<void> {
  await client.query(
    `insert into report_occasion (account_id, queue_id, kind, at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [accountId, queueId, kind, at],
  )
}
