// Slices of queues that are kept outside: which are due, and the proof of each.
import type { Right } from '../account/connections.js'
import type { Store } from '../client.js'
import type { Connection, Transaction } from '../transaction.js'
import { READABLE } from './outages.js'

type Pool = Pick<Store, 'pool'>

export interface DueSlice {
  /** 2026-11 or 2026-Q4. */
  period: string
  from: Date
  /** Exclusive. */
  to: Date
}

/** Of every country: its clock, and the parameter of a queue that turns months into quarters. */
export interface Calendar {
  code: string
  zone: string
  monthlySwitch?: string
}

/** Behind the end of a period: whatever was signed in its last moment is stored by then. */
const GRACE = `interval '1 hour'`

const ticksOf = (moment: string): string =>
  `((extract(epoch from ${moment}) * 10000000)::int8 + 621355968000000000)`

/** Of queues `q` in a country `m`: the slice behind the last one, or the first of all. */
const NEXT = `
  cross join lateral (select case when q.configuration::json->>m.switch = 'false' then 'quarter'
    else 'month' end as unit) u
  left join lateral (select b.period_to from backup b where b.account_id = q.account_id
    and b.queue_id = q.id order by b.period_from desc limit 1) l on true
  left join lateral (select i.queue_moment from queue_item i where i.account_id = q.account_id
    and i.queue_id = q.id order by i.row limit 1) f on l.period_to is null
  cross join lateral (select coalesce(l.period_to,
    date_trunc(u.unit, f.queue_moment at time zone m.zone) at time zone m.zone) as at) c
  cross join lateral (select (date_trunc(u.unit, c.at at time zone m.zone)
    + case u.unit when 'month' then interval '1 month' else interval '3 months' end)
    at time zone m.zone as at) e`

const COUNTRIES = `unnest($1::text[], $2::text[], $3::text[]) as m(market, zone, switch)`

const valuesOf = (calendars: readonly Calendar[]) => [
  calendars.map(({ code }) => code),
  calendars.map(({ zone }) => zone),
  calendars.map(({ monthlySwitch }) => monthlySwitch ?? ''),
]

/** `$4`: now; null: as the database has it. */
const DUE = `e.at + ${GRACE} <= coalesce($4::timestamptz, now())
  and q.time_stamp >= ${ticksOf('c.at')}`

export interface QueueKey {
  accountId: string
  queueId: string
}

export interface Asked {
  calendars: readonly Calendar[]
  at: Date | null
}

/** Nobody has tried again so soon after a job was given up. */
const PAUSE = `interval '6 hours'`

/** Queues with a slice that is due, for which no job is under way. */
export async function dueQueues(
  client: Connection,
  { calendars, at }: Asked,
  limit: number,
): Promise<QueueKey[]> {
  const { rows } = await client.query<QueueKey>(
    `select q.account_id as "accountId", q.id as "queueId"
     from ${COUNTRIES} join queue q on q.market = m.market ${NEXT}
     where ${DUE} and not exists (select from job j where j.account_id = q.account_id
       and j.kind = 'backup' and j.args::json->>'queueId' = q.id::text
       and (j.state in ('queued', 'running')
         or (j.state = 'failed' and j.finished_at > now() - ${PAUSE})))
     limit $5`,
    [...valuesOf(calendars), at, limit],
  )
  return rows
}

/** Undefined: none is due. */
export async function nextSlice(
  { pool }: Pool,
  { accountId, queueId }: QueueKey,
  { calendars, at }: Asked,
): Promise<DueSlice | undefined> {
  const { rows } = await pool.query<DueSlice>(
    `select c.at as from, e.at as to, case u.unit when 'month'
       then to_char(c.at at time zone m.zone, 'YYYY-MM')
       else to_char(c.at at time zone m.zone, 'YYYY-"Q"Q') end as period
     from ${COUNTRIES} join queue q on q.market = m.market ${NEXT}
     where q.account_id = $5 and q.id = $6 and ${DUE}`,
    [...valuesOf(calendars), at, accountId, queueId],
  )
  return rows[0]
}

/** What a slice holds: receipts and their numbers, and whether there is anything at all. */
export interface SliceContent {
  rows: boolean
  receipts: number
  firstNumber: bigint | null
  lastNumber: bigint | null
}

export async function contentOf(
  { pool }: Pool,
  { accountId, queueId }: QueueKey,
  { from, to }: DueSlice,
): Promise<SliceContent> {
  const within = (table: string) =>
    `${table} t where t.account_id = $1 and t.queue_id = $2
       and t.time_stamp >= ${ticksOf('$3::timestamptz')}
       and t.time_stamp < ${ticksOf('$4::timestamptz')}`
  const { rows } = await pool.query<SliceContent>(
    `select exists (select from ${within('queue_item')}) as rows, count(*)::int4 as receipts,
       min(t.receipt_number) as "firstNumber", max(t.receipt_number) as "lastNumber"
     from ${within('receipt_journal')}`,
    [accountId, queueId, from, to],
  )
  return rows[0] ?? { rows: false, receipts: 0, firstNumber: null, lastNumber: null }
}

export interface Proof extends QueueKey, DueSlice, Omit<SliceContent, 'rows'> {
  id: string
  /** Its name in the archive; null: the period is empty. */
  object: string | null
  bytes: number
  /** Hexadecimal. */
  sha256: string | null
  /** Files that a verifier has judged. */
  verified: number
  findings: number
  storedAt: Date
}

/** False: another process has kept this slice. */
export async function insertProof(tx: Transaction, proof: Proof): Promise<boolean> {
  const { accountId, id, queueId, period, from, to, receipts, firstNumber, lastNumber } = proof
  const { object, bytes, sha256, verified, findings, storedAt } = proof
  const made = await tx.$executeRaw`insert into backup (account_id, id, queue_id, period,
      period_from, period_to, receipts, first_number, last_number, object, bytes, sha256, verified,
      findings, stored_at)
    values (${accountId}::uuid, ${id}::uuid, ${queueId}::uuid, ${period}, ${from}, ${to},
      ${receipts}, ${firstNumber}, ${lastNumber}, ${object}, ${bytes},
      decode(${sha256}, 'hex'), ${verified}, ${findings}, ${storedAt})
    on conflict (account_id, queue_id, period_from) do nothing`
  return made === 1
}

export interface BackupRow extends Proof {
  accountName: string
  market: string
  identification: string
  right: Right
}

const ROW = `b.account_id as "accountId", b.id, b.queue_id as "queueId", b.period,
  b.period_from as from, b.period_to as to, b.receipts, b.first_number as "firstNumber",
  b.last_number as "lastNumber", b.object, b.bytes::float8 as bytes,
  encode(b.sha256, 'hex') as sha256, b.verified, b.findings, b.stored_at as "storedAt",
  a.name as "accountName", q.market, q.identification,
  case when b.account_id = $1 then 'Full' else (select c.rights from connection c
    where c.account_id = $1 and c.to_account_id = b.account_id) end as right`

const FROM = `from m join account a on a.id = m.id join backup b on b.account_id = m.id
  join queue q on q.account_id = b.account_id and q.id = b.queue_id`

export interface BackupQuestion {
  /** Who asks. */
  accountId: string
  operatorId: string | undefined
  queueId: string | undefined
  findings: boolean | undefined
  after: { at: string; id: string } | undefined
  limit: number
}

/** Newest first, of all accounts that may be read. */
export async function listBackups(
  { pool }: Pool,
  { accountId, operatorId, queueId, findings, after, limit }: BackupQuestion,
): Promise<BackupRow[]> {
  const { rows } = await pool.query<BackupRow>(
    `with m as (${READABLE}) select ${ROW} ${FROM}
     where ($2::uuid is null or b.account_id = $2) and ($3::uuid is null or b.queue_id = $3)
       and ($4::bool is null or (b.findings > 0) = $4)
       and ($5::timestamptz is null or (b.stored_at, b.id) < ($5, $6::uuid))
     order by b.stored_at desc, b.id desc limit $7`,
    [
      ...[accountId, operatorId ?? null, queueId ?? null, findings ?? null],
      ...[after?.at ?? null, after?.id ?? null, limit],
    ],
  )
  return rows
}

/** Undefined: there is none that the account may read. */
export async function findBackup(
  { pool }: Pool,
  { accountId, id }: { accountId: string; id: string },
): Promise<BackupRow | undefined> {
  const { rows } = await pool.query<BackupRow>(
    `with m as (${READABLE}) select ${ROW} ${FROM} where b.id = $2`,
    [accountId, id],
  )
  return rows[0]
}

/** All proofs with an object, in the order of their ids, for a second look at the archive. */
export async function* allProofs(
  { pool }: Pool,
  accountId: string | null,
): AsyncGenerator<Proof[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await pool.query<Proof>(
      `select b.account_id as "accountId", b.id, b.queue_id as "queueId", b.period, b.object,
         b.bytes::float8 as bytes, encode(b.sha256, 'hex') as sha256
       from backup b where b.object is not null and b.id > $1
         and ($2::uuid is null or b.account_id = $2) order by b.id limit 500`,
      [after, accountId],
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < 500) return
    after = last.id
  }
}
