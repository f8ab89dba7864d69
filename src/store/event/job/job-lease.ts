// Long work as whoever does it holds it: taken by a lease, renewed, written down, given back. Every
// statement names the lease, so one that was lost changes nothing any more.
import type { JobData, JobKey } from '../../../model/job.js'
import { JOB_SCHEMA } from '../../../postgres/job-schema.js'
import type { Store } from '../../client.js'
import { runnerAlive } from '../../message/jobs.js'
import type { Transaction } from '../../transaction.js'
import { CARRY } from './jobs.js'

const LEASE_SECONDS = 15
const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`
const FREE = 'lease = null, runner = null, lease_until = null'

/** Condition on a row `j`: whoever worked on it does so no longer. */
const LOST = `j.state = 'running' and (j.lease_until < now() or not ${runnerAlive('j.runner')})`

export interface JobHold extends JobKey {
  lease: string
}

export interface ClaimedJob extends JobKey {
  kind: string
  askedBy: string
  /** JSON objects. */
  args: string
  checkpoint: string | null
  /** Since the last checkpoint, with this one. */
  attempts: number
}

/** Undefined: somebody works on it, or it has ended. */
export async function claimJob(
  { pool }: Pick<Store, 'pool'>,
  { accountId, id, lease }: JobHold,
  runner: number,
): Promise<ClaimedJob | undefined> {
  const { rows } = await pool.query<ClaimedJob>(
    `update job j set state = 'running', lease = $3, runner = $4, lease_until = ${LEASE},
       interrupted_at = case j.state when 'running' then j.heartbeat else j.interrupted_at end,
       resumed_at = case j.state when 'running' then now() else j.resumed_at end,
       heartbeat = now(), attempts = attempts + 1, started_at = coalesce(started_at, now()),
       eta = null
     where account_id = $1 and id = $2 and (j.state = 'queued' or ${LOST})
     returning account_id as "accountId", id, kind, asked_by as "askedBy", args, checkpoint,
       attempts`,
    [accountId, id, lease, runner],
  )
  return rows[0]
}

const HELD = 'account_id = $1 and id = $2 and lease = $3'
const keyOf = ({ accountId, id, lease }: JobHold) => [accountId, id, lease]

/** False: it is no longer ours. */
export async function renewJob({ pool }: Pick<Store, 'pool'>, hold: JobHold): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update job set lease_until = ${LEASE}, heartbeat = now() where ${HELD}`,
    keyOf(hold),
  )
  return rowCount === 1
}

export interface ProgressRow {
  phase: string | null
  done: number
  total: number | null
  unit: string | null
  bytes: number | null
  /** Undefined: nobody knows. */
  etaSeconds: number | undefined
}

/** A pulse as well. False: it is no longer ours. */
export async function writeProgress(
  on: Pick<Transaction, '$executeRawUnsafe'>,
  { accountId, id, lease }: JobHold,
  { phase, done, total, unit, bytes, etaSeconds }: ProgressRow,
): Promise<boolean> {
  const changed = await on.$executeRawUnsafe(
    `update job set phase = $4, done = $5::int8, total = $6::int8, unit = $7, bytes = $8::int8,
       eta = now() + make_interval(secs => $9::float8), lease_until = ${LEASE}, heartbeat = now()
     where account_id = $1::uuid and id = $2::uuid and lease = $3::uuid`,
    ...[accountId, id, lease, phase, done, total, unit, bytes, etaSeconds ?? null],
  )
  return changed === 1
}

/** Work behind it is never done again. False: it is no longer ours. */
export async function writeCheckpoint(
  { pool }: Pick<Store, 'pool'>,
  hold: JobHold,
  checkpoint: JobData,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update job set checkpoint = $4, attempts = 1, lease_until = ${LEASE}, heartbeat = now()
     where ${HELD}`,
    [...keyOf(hold), JSON.stringify(checkpoint)],
  )
  return rowCount === 1
}

export interface JobEnd {
  state: 'succeeded' | 'failed'
  result: JobData | null
  error: JobData | null
}

/** False: it is no longer ours. */
export async function endJob(
  tx: Transaction,
  { accountId, id, lease }: JobHold,
  { state, result, error }: JobEnd,
): Promise<boolean> {
  const changed = await tx.$executeRawUnsafe(
    `update job set state = $4, result = $5, error = $6, finished_at = now(), eta = null, ${FREE}
     where account_id = $1::uuid and id = $2::uuid and lease = $3::uuid`,
    ...[accountId, id, lease, state],
    ...[result === null ? null : JSON.stringify(result)],
    ...[error === null ? null : JSON.stringify(error)],
  )
  return changed === 1
}

/**
 * Gives it back for somebody else, or for a later try. `now` has the queue carry it at once; its
 * own entry of the queue ends, or is tried again after a pause.
 */
export async function releaseJob(
  { pool }: Pick<Store, 'pool'>,
  hold: JobHold,
  when: 'now' | 'later',
): Promise<void> {
  const attempts = when === 'now' ? 'greatest(0, attempts - 1)' : 'attempts'
  await pool.query(
    `with j as (update job set state = 'queued', attempts = ${attempts}, eta = null, ${FREE}
       where ${HELD} returning account_id, id)
     select ${when === 'now' ? CARRY : '1'} from j`,
    keyOf(hold),
  )
}

const KEYED = `from ${JOB_SCHEMA}._private_jobs q where q.key = 'job:' || j.id`

/** Has the queue carry what nobody works on and nothing carries; returns how many. */
export async function carryLostJobs({ pool }: Pick<Store, 'pool'>): Promise<number> {
  const { rowCount } = await pool.query(
    `select ${CARRY} from job j where j.state in ('queued', 'running') and
       ((j.state = 'queued' and not exists (select ${KEYED}))
       or (${LOST} and not exists (select ${KEYED} and q.locked_at is null)))
     limit 100`,
  )
  return rowCount ?? 0
}
