// Long work of accounts: as it is asked for, shown and called off.
import { BEHIND, type Direction } from '../../../model/direction.js'
import type { JobData, JobKey, JobState } from '../../../model/job.js'
import { JOB_SCHEMA } from '../../../postgres/job-schema.js'
import type { Right } from '../../account/connections.js'
import type { Store } from '../../client.js'
import { instantText } from '../../instant.js'
import type { Connection, Transaction } from '../../transaction.js'
import { READABLE } from '../outages.js'

/** The task of the queue that carries all kinds. */
export const JOB_TASK = 'job'
/** The row itself counts its attempts; the queue never gives up before it. */
const QUEUE_ATTEMPTS = 10_000

/** SQL that has the queue carry the job of a row `j`. */
export const CARRY = `${JOB_SCHEMA}.add_job('${JOB_TASK}',
  json_build_object('accountId', j.account_id, 'id', j.id), max_attempts => ${QUEUE_ATTEMPTS},
  job_key => 'job:' || j.id)`

export interface NewJob extends JobKey {
  kind: string
  askedBy: string
  args: JobData
  at: Date
}

export interface JobRow extends JobKey {
  /** `createdAt` to the microsecond. */
  place: string
  accountName: string
  kind: string
  askedBy: string
  state: JobState
  phase: string | null
  done: bigint
  total: bigint | null
  unit: string | null
  bytes: bigint | null
  etaSeconds: number | null
  /** JSON objects. */
  args: string
  result: string | null
  error: string | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
  heartbeatAt: Date | null
  interruptedAt: Date | null
  resumedAt: Date | null
}

/** Work that is shown as running was heard of in these seconds. */
export const STATE = `case when j.state = 'running' and j.lease_until < now() then 'interrupted'
  else j.state end`

const ROW = `j.account_id as "accountId", j.id, a.name as "accountName", j.kind,
  j.asked_by as "askedBy", ${STATE} as state, j.phase, j.done, j.total, j.unit, j.bytes,
  case when j.state = 'running' and j.lease_until >= now()
    then greatest(0, ceil(extract(epoch from j.eta - now())))::int4 end as "etaSeconds",
  j.args, j.result, j.error, j.created_at as "createdAt",
  ${instantText('j.created_at')} as place, j.started_at as "startedAt",
  j.finished_at as "finishedAt", j.heartbeat as "heartbeatAt", j.resumed_at as "resumedAt",
  case when ${STATE} = 'interrupted' then j.heartbeat
    else j.interrupted_at end as "interruptedAt"`

/** Commits with whatever else the transaction writes. */
export async function insertJob(tx: Transaction, job: NewJob): Promise<void> {
  const { accountId, id, kind, askedBy, args, at } = job
  await tx.$executeRaw`insert into job (account_id, id, kind, asked_by, state, args, created_at)
    values (${accountId}::uuid, ${id}::uuid, ${kind}, ${askedBy}::uuid, 'queued',
      ${JSON.stringify(args)}, ${at})`
  await tx.$executeRawUnsafe(
    `select ${CARRY} from job j where j.account_id = $1::uuid and j.id = $2::uuid`,
    accountId,
    id,
  )
}

/** Several at once. */
export async function insertJobs(client: Connection, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  await client.query(
    `with j as (
       insert into job (account_id, id, kind, asked_by, state, args, created_at)
       select account_id, id, kind, asked_by, 'queued', args, at
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[])
         n(account_id, id, kind, asked_by, args, at)
       returning account_id, id)
     select ${CARRY} from j`,
    [
      ...[jobs.map((one) => one.accountId), jobs.map((one) => one.id)],
      ...[jobs.map((one) => one.kind), jobs.map((one) => one.askedBy)],
      ...[jobs.map((one) => JSON.stringify(one.args)), jobs.map((one) => one.at)],
    ],
  )
}

/** Jobs of a kind that have not ended, of one account; others that ask wait for the answer. */
export async function countOpenJobs(
  tx: Transaction,
  { accountId, kind }: { accountId: string; kind: string },
): Promise<number> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext(${`job ${kind} ${accountId}`}))`
  const rows = await tx.$queryRaw<{ count: number }[]>`select count(*)::int4 as count from job
    where account_id = ${accountId}::uuid and kind = ${kind} and state in ('queued', 'running')`
  return rows[0]?.count ?? 0
}

export interface JobQuestion {
  /** Who asks. */
  accountId: string
  kind: string | undefined
  state: JobState | undefined
  operatorId: string | undefined
  /** The last one of the page before. */
  after: { createdAt: string; id: string } | undefined
  direction: Direction
  limit: number
}

/** By when they were asked for, of all accounts that may be read. */
export async function listJobs(
  { pool }: Pick<Store, 'pool'>,
  { accountId, kind, state, operatorId, after, direction, limit }: JobQuestion,
): Promise<JobRow[]> {
  const { rows } = await pool.query<JobRow>(
    `with m as (${READABLE})
     select ${ROW} from m join account a on a.id = m.id join job j on j.account_id = m.id
     where ($2::text is null or j.kind = $2) and ($3::text is null or ${STATE} = $3)
       and ($4::uuid is null or j.account_id = $4)
       and ($5::timestamptz is null or (j.created_at, j.id) ${BEHIND[direction]} ($5, $6::uuid))
     order by j.created_at ${direction}, j.id ${direction} limit $7`,
    [
      ...[accountId, kind ?? null, state ?? null, operatorId ?? null],
      ...[after?.createdAt ?? null, after?.id ?? null, limit],
    ],
  )
  return rows
}

/** Undefined: there is none that the account may read. */
export async function findJob(
  { pool }: Pick<Store, 'pool'>,
  { accountId, id }: JobKey,
): Promise<(JobRow & { right: Right }) | undefined> {
  const { rows } = await pool.query<JobRow & { right: Right }>(
    `with m as (${READABLE})
     select ${ROW}, case when j.account_id = $1 then 'Full' else
       (select c.rights from connection c where c.account_id = $1
         and c.to_account_id = j.account_id) end as right
     from m join account a on a.id = m.id join job j on j.account_id = m.id
     where j.id = $2`,
    [accountId, id],
  )
  return rows[0]
}

export type JobStand = Pick<JobRow, 'kind' | 'askedBy' | 'phase' | 'done' | 'total'> & {
  state: string
}

/** Within a transaction that has just changed it. */
export async function jobStand(
  tx: Transaction,
  { accountId, id }: JobKey,
): Promise<JobStand | undefined> {
  const rows = await tx.$queryRaw<
    JobStand[]
  >`select kind, asked_by as "askedBy", state, phase, done,
    total from job where account_id = ${accountId}::uuid and id = ${id}::uuid`
  return rows[0]
}

/** False: it has ended already. */
export async function cancelJob(tx: Transaction, { accountId, id }: JobKey): Promise<boolean> {
  const changed = await tx.$executeRaw`update job set state = 'canceled', finished_at = now(),
      lease = null, runner = null, lease_until = null
    where account_id = ${accountId}::uuid and id = ${id}::uuid and state in ('queued', 'running')`
  return changed === 1
}

/** Rows that ended before; returns how many. */
export async function forgetJobs({ pool }: Pick<Store, 'pool'>, before: Date): Promise<number> {
  const { rowCount } = await pool.query('delete from job where finished_at < $1', [before])
  return rowCount ?? 0
}
