// Outages that go on and the units that may end them, for those processes that ask the units and
// sign what ends an outage. Every moment is the database's.
import type { AutopilotPolicy, UnitState } from '../../model/outage.js'
import type { Store } from '../client.js'

type Pool = Pick<Store, 'pool'>

/** In which markets outages are acted upon unless a cash box says otherwise. */
export interface Defaults {
  acting: readonly string[]
}

/** Of a queue and its cash box `b`, with the acting markets in a parameter. */
export const policyOf = (queue: string, acting: string) =>
  `coalesce(b.autopilot, case when ${queue}.market = any(${acting}) then 'act' else 'advise' end)`
const OF_BOX = 'cash_box b on b.account_id = q.account_id and b.id = q.cash_box_id'
const OF_QUEUE = 'queue q on q.account_id = o.account_id and q.id = o.queue_id'
/** In use here: a queue that signs elsewhere was never started here, and has no outages. */
const IN_USE = 'q.start_moment is not null and q.stop_moment is null'
const LEASE = `interval '30 seconds'`

// ---------------------------------------------------------------------- which units are asked

export interface WatchedOutage {
  accountId: string
  id: string
  queueId: string
  policy: AutopilotPolicy
  asked: boolean
}

/** Those whose units are to be looked up, the most overdue first. */
export async function outagesToWatch(
  { pool }: Pool,
  { acting }: Defaults,
): Promise<WatchedOutage[]> {
  const { rows } = await pool.query<WatchedOutage>({
    name: 'outages-to-watch',
    text: `select o.account_id as "accountId", o.id, o.queue_id as "queueId",
        ${policyOf('q', '$1')} as policy, o.asked_at is not null as asked
      from outage o join ${OF_QUEUE} join ${OF_BOX}
      where o.ended_at is null and o.cause = 'device' and ${IN_USE}
        and o.look_at <= now()
      order by o.look_at limit 64`,
    values: [[...acting]],
  })
  return rows
}

/**
 * These units may end the outage. One that a fresh outage finds answering has failed since: it is
 * asked anew.
 */
export async function watchUnits(
  { pool }: Pool,
  { accountId, id }: Pick<WatchedOutage, 'accountId' | 'id'>,
  units: readonly string[],
): Promise<void> {
  await pool.query({
    name: 'watch-units',
    text: `with f as materialized (select units is null as is_new from outage
        where account_id = $1 and id = $2 and ended_at is null for no key update),
      o as (update outage set units = $3::uuid[], look_at = now() + ${LEASE}
        where account_id = $1 and id = $2 and exists (select from f))
      insert into unit_probe as p (account_id, scu_id, state, since, next_at)
      select $1, u.id, 'suspect', now(), now() from unnest($3::uuid[]) u(id)
        where exists (select from f) order by u.id
      on conflict (account_id, scu_id) do update
        set state = 'suspect', since = now(), good = 0, good_since = null,
          next_at = least(p.next_at, now())
        where p.state in ('probing', 'answering') and (select is_new from f)`,
    values: [accountId, id, [...units]],
  })
}

/**
 * Units that no outage waits for; one that was told to be out is asked until it answers. There are
 * few of them: `offset 0` has each looked up, where a plan would rather read all units there are.
 */
export async function forgetUnits({ pool }: Pool): Promise<void> {
  await pool.query(
    `delete from unit_probe p where not exists (
        select from outage o cross join lateral unnest(o.units) u(id)
        where o.account_id = p.account_id and u.id = p.scu_id and o.ended_at is null)
      and (not p.told or not exists (select from queue_scu s
        join scu u on u.account_id = s.account_id and u.id = s.scu_id and (u.mode & 255) < 99
        join queue q on q.account_id = s.account_id and q.id = s.queue_id and ${IN_USE}
        join ${OF_BOX} and b.autopilot is distinct from 'off'
        where s.account_id = p.account_id and s.scu_id = p.scu_id offset 0))`,
  )
}

// ------------------------------------------------------------------------------------ probes

export interface StoredWatch {
  state: UnitState
  good: number
  goodSince: number | null
  bad: number
  told: boolean
}

export interface ClaimedUnit extends StoredWatch {
  accountId: string
  scuId: string
  /** Now, in milliseconds. */
  at: number
}

const EPOCH_MS = (moment: string) => `(extract(epoch from ${moment}) * 1000)::float8`

/** Units whose turn it is; until the lease is over nobody else asks them. */
export async function claimUnits(
  { pool }: Pool,
  { lease, most }: { lease: string; most: number },
): Promise<ClaimedUnit[]> {
  const { rows } = await pool.query<ClaimedUnit>({
    name: 'claim-units',
    text: `update unit_probe p set lease = $1, lease_until = now() + ${LEASE}
      from (select account_id, scu_id from unit_probe where next_at <= now()
        and (lease_until is null or lease_until < now())
        order by next_at limit $2 for update skip locked) d
      where p.account_id = d.account_id and p.scu_id = d.scu_id
      returning p.account_id as "accountId", p.scu_id as "scuId", p.state, p.good,
        ${EPOCH_MS('p.good_since')} as "goodSince", p.bad, p.told, ${EPOCH_MS('now()')} as at`,
    values: [lease, most],
  })
  return rows
}

export interface SavedProbe {
  accountId: string
  scuId: string
  lease: string
  after: StoredWatch
  at: number
  /** From `at` on. */
  waitMs: number
  error: string | null
  event: 'scu.failed' | 'scu.recovered' | undefined
}

/** Nothing when the lease has gone to somebody else. */
export async function saveProbe({ pool }: Pool, probe: SavedProbe): Promise<void> {
  const { accountId, scuId, lease, after, at, waitMs, error, event } = probe
  await pool.query({
    name: 'save-probe',
    text: `with s as (update unit_probe set state = $4, good = $5,
        since = case when state = $4 then since else to_timestamp($9::float8 / 1000) end,
        good_since = to_timestamp($6::float8 / 1000), bad = $7, told = $8,
        probed_at = to_timestamp($9::float8 / 1000),
        next_at = to_timestamp(($9::float8 + $10::float8) / 1000), last_error = $11,
        lease = null, lease_until = null
        where account_id = $1 and scu_id = $2 and lease = $3 returning account_id, scu_id)
      insert into inbox
        (account_id, event_id, type, cash_box_id, subject_kind, subject_id, data, at)
      select account_id, gen_random_uuid(), $12, null, 'scu', scu_id, '{}', now()
      from s where $12::text is not null`,
    values: [
      ...[accountId, scuId, lease, after.state, after.good, after.goodSince, after.bad, after.told],
      ...[at, waitMs, error, event ?? null],
    ],
  })
}

// ---------------------------------------------------------------------------------- closings

export interface ClosableOutage {
  accountId: string
  id: string
  queueId: string
  cause: 'device' | 'register'
  attempts: number
  asked: boolean
}

/**
 * Outages of which the closing is to be signed now: a unit answers, and it is acted upon or a
 * person asked for it. One with several such units comes several times.
 */
export async function closableOutages(
  { pool }: Pool,
  { acting, most }: Defaults & { most: number },
): Promise<ClosableOutage[]> {
  const { rows } = await pool.query<ClosableOutage>({
    name: 'closable-outages',
    text: `select o.account_id as "accountId", o.id, o.queue_id as "queueId", o.cause, o.attempts,
        o.asked_at is not null as asked
      from (select o.* from outage o cross join lateral unnest(o.units) u(id)
          join unit_probe p on p.account_id = o.account_id and p.scu_id = u.id
            and p.state = 'answering'
          where o.ended_at is null and o.cause = 'device'
        union all select * from outage
          where ended_at is null and asked_at is not null and cause = 'register') o
      join ${OF_QUEUE} join ${OF_BOX}
      where ${IN_USE} and (o.next_at is null or o.next_at <= now())
        and (o.lease_until is null or o.lease_until < now())
        and (o.asked_at is not null or ${policyOf('q', '$1')} = 'act')
      order by coalesce(o.next_at, o.opened_at) limit $2`,
    values: [[...acting], most],
  })
  return rows
}

export interface ClosingKey {
  accountId: string
  id: string
  lease: string
}

/** The moment of the closing receipt, the same for whoever repeats it; undefined: not his turn. */
export async function claimClosing(
  { pool }: Pool,
  {
    accountId,
    id,
    lease,
    attempts,
    operation,
  }: ClosingKey & {
    attempts: number
    operation: string
  },
): Promise<Date | undefined> {
  const { rows } = await pool.query<{ moment: Date }>({
    name: 'claim-closing',
    text: `update outage set lease = $3, lease_until = now() + ${LEASE}, closing_operation = $5,
        closing_at = coalesce(closing_at, date_trunc('milliseconds', now()))
      where account_id = $1 and id = $2 and ended_at is null and attempts = $4
        and (lease_until is null or lease_until < now()) returning closing_at as moment`,
    values: [accountId, id, lease, attempts, operation],
  })
  return rows[0]?.moment
}

/** Not now: the same closing is tried later. */
export async function putOffClosing(
  { pool }: Pool,
  { accountId, id, lease }: ClosingKey,
  waitMs: number,
): Promise<void> {
  await pool.query(
    `update outage set lease = null, lease_until = null, next_at = now() + $4 * interval '1 ms'
     where account_id = $1 and id = $2 and lease = $3`,
    [accountId, id, lease, waitMs],
  )
}

/** It was signed, or refused, and has not ended the outage: the next one is another receipt. */
export async function noteFailedClosing(
  { pool }: Pool,
  { accountId, id, lease }: ClosingKey,
  waitMs: number,
): Promise<void> {
  await pool.query(
    `with o as (update outage set lease = null, lease_until = null, closing_at = null,
        attempts = attempts + 1, next_at = now() + $4 * interval '1 ms'
      where account_id = $1 and id = $2 and lease = $3 and ended_at is null
      returning account_id, units)
     update unit_probe p set state = 'suspect', since = now(), good = 0, good_since = null,
       next_at = now() from o where p.account_id = o.account_id and p.scu_id = any(o.units)`,
    [accountId, id, lease, waitMs],
  )
}

/** A receipt of this queue waits for its device, perhaps in another process. */
export async function hasReceiptAtWork(
  { pool }: Pool,
  { accountId, queueId }: Pick<ClosableOutage, 'accountId' | 'queueId'>,
): Promise<boolean> {
  const { rows } = await pool.query<{ busy: boolean }>({
    name: 'receipt-at-work',
    text: `select exists (select from queue_item i where i.account_id = $1 and i.queue_id = $2
        and i.done_moment is null
        and i.queue_moment + 2 * i.timeout_ms * interval '1 ms' > now()
        and not exists (select from outage o where o.account_id = $1 and o.queue_id = $2
          and o.ended_at is null and o.closing_operation = i.operation_id)) as busy`,
    values: [accountId, queueId],
  })
  return rows[0]?.busy === true
}
