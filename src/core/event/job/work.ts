// Does one job: takes its lease, keeps its pulse, writes down how far it is, and ends it.
import { FiscalError } from '../../../errors.js'
import { randomId } from '../../../lib/id.js'
import type { NewEvent } from '../../../model/event.js'
import type { JobData, JobKey } from '../../../model/job.js'
import { type Store, TRANSACTION } from '../../../store/client.js'
import {
  type ClaimedJob,
  claimJob,
  endJob,
  type JobEnd,
  type JobHold,
  releaseJob,
} from '../../../store/event/job/job-lease.js'
import type { JobKind } from './kind.js'
import { progressEvent } from './progress-event.js'
import { Pulse } from './pulse.js'

export interface WorkDeps {
  store: Store
  /** The number of this process. */
  runner: number
  kinds: readonly JobKind[]
  now(): Date
  log: {
    warn(details: object, message: string): void
    error(details: object, message: string): void
  }
}

export type WorkOn = (key: JobKey, run: { signal: AbortSignal }) => Promise<void>

/** Tries without a checkpoint between them. */
const MOST_ATTEMPTS = 8

/** Throws what went wrong where another try may help; the queue makes it after a pause. */
export function createWork(deps: WorkDeps): WorkOn {
  return async (key, { signal }) => {
    const hold: JobHold = { ...key, lease: randomId() }
    const claimed = await claimJob(deps.store, hold, deps.runner)
    if (claimed === undefined) return
    const pulse = new Pulse(deps, hold, { stop: signal })
    try {
      const work = kindOf(deps, claimed)
      const result = await work.run(contextOf(claimed, pulse))
      await pulse.end()
      const told = work.ready?.(key.id, result)
      await endWith(deps, hold, { state: 'succeeded', result, error: null }, told)
    } catch (error) {
      await pulse.end()
      if (pulse.isLost) return
      if (signal.aborted) return await releaseJob(deps.store, hold, 'now')
      await failed(deps, { claimed, hold }, error)
    }
  }
}

function kindOf({ kinds }: WorkDeps, { kind }: ClaimedJob): JobKind {
  const found = kinds.find(({ name }) => name === kind)
  // of a newer server: that one takes it up
  if (found === undefined) throw new Error(`no work is known by the name ${kind}`)
  return found
}

function contextOf(claimed: ClaimedJob, pulse: Pulse): Parameters<JobKind['run']>[0] {
  const { accountId, id, kind, askedBy, args, checkpoint } = claimed
  return {
    job: { accountId, id, kind, askedBy, args: JSON.parse(args) as unknown },
    checkpoint: checkpoint === null ? undefined : (JSON.parse(checkpoint) as unknown),
    signal: pulse.signal,
    progress: (progress) => pulse.note(progress),
    save: (kept) => pulse.save(kept),
  }
}

async function failed(
  deps: WorkDeps,
  { claimed, hold }: { claimed: ClaimedJob; hold: JobHold },
  error: unknown,
): Promise<void> {
  const { id: jobId, kind, attempts } = claimed
  const known = error instanceof FiscalError ? error : undefined
  if (known !== undefined && !passes(known)) {
    return endWith(deps, hold, { state: 'failed', result: null, error: told(known) })
  }
  if (attempts >= MOST_ATTEMPTS) {
    deps.log.error({ err: error, jobId, kind }, 'a job is given up')
    const last = known === undefined ? GIVEN_UP : told(known)
    return endWith(deps, hold, { state: 'failed', result: null, error: last })
  }
  deps.log.warn({ err: error, jobId, kind, attempts }, 'a job is tried again')
  await releaseJob(deps.store, hold, 'later')
  throw error
}

/** Nobody has said no: what does not answer now, or has no room, does later. */
const passes = ({ kind }: FiscalError): boolean => kind === 'unavailable' || kind === 'limited'

const GIVEN_UP = { code: 'INTERNAL', text: 'It failed too often; the log of the server says why.' }

const told = ({ code, message: text }: FiscalError): JobData => ({ code, text })

/** With the event that tells of it; nothing, where it is no longer ours. */
async function endWith(
  { store, now }: WorkDeps,
  hold: JobHold,
  ...[end, event]: [end: JobEnd, event?: NewEvent | undefined]
): Promise<void> {
  await store.prisma.$transaction(async (tx) => {
    if (await endJob(tx, hold, end)) await progressEvent(tx, hold, { at: now(), event })
  }, TRANSACTION)
}
