// Runs the jobs of the queue in this process with graphile-worker, and starts it again when it
// gives up.
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import { JOB_SCHEMA } from '../postgres/job-schema.js'
import type { Store } from '../store/client.js'
import { freeJobs, holderOf, JOB_CONNECTIONS, openJobPool } from '../store/message/jobs.js'
import type { Tasks } from './tasks.js'

export interface Jobs {
  /** Returns at once; a database that is away is waited for. */
  start(): void
  /**
   * Resolves when no job runs any more, those that can are asked to leave off, and after six
   * seconds in any case: what still runs then is taken up as after a crash.
   */
  stop(): Promise<void>
}

export interface JobsDeps {
  store: Store
  /** The number of this process. */
  runner: number
  /** Resolves when others see by its lock that this process is alive. */
  alive(): Promise<void>
  tasks: Tasks
  /** Work of minutes and hours, which has room of its own; left out: there is none. */
  long?: { tasks: Tasks; carryLost(): Promise<number> }
  log: {
    warn(details: object, message: string): void
    error(details: object, message: string): void
  }
  /** Between two looks for what dead servers have left; left out: 5 seconds. */
  sweepMs?: number
}

/** Jobs at a time; each is at work for the length of a conversation with another server. */
const AT_A_TIME = 4
/** Long ones at a time: half the machine stays for signing. */
const LONG_AT_A_TIME = 2
/** New jobs are told of; this finds those whose pause is over. */
const POLL_MS = 2_000
const SWEEP_MS = 5_000
const AGAIN_MS = 2_000
/** So long a job that has ended here is not seen as lost: its row is about to go. */
const ENDING_MS = 15_000
/** A stop waits this long before it asks jobs to leave off. */
const LEAVE_MS = 1_000
const STOP_MS = 6_000

/** Does nothing, for servers that leave the jobs to others. */
export const noJobs: Jobs = { start: () => undefined, stop: async () => undefined }

export function createJobs(deps: JobsDeps): Jobs {
  return new JobRunner(deps)
}

class JobRunner implements Jobs {
  private readonly deps: JobsDeps
  /** Ids of the jobs that run here or have just ended, with how many times that is so. */
  private readonly running = new Map<string, number>()
  private readonly stopping = new AbortController()
  private working: Promise<void> | undefined
  private runners: Runner[] = []

  constructor(deps: JobsDeps) {
    this.deps = deps
  }

  start(): void {
    this.working ??= this.work()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    const stopped = Promise.allSettled([
      ...this.runners.map((one) => one.stop()),
      this.working,
    ]).then(() => true)
    const waited = sleep(STOP_MS, false, { ref: false })
    if (await Promise.race([stopped, waited])) return
    this.deps.log.warn({ jobs: this.running.size }, 'a job is left behind by a server that stops')
  }

  private async work(): Promise<void> {
    const { store, log, sweepMs = SWEEP_MS } = this.deps
    const pool = openJobPool(store, () => undefined)
    const sweep = setInterval(() => void Promise.allSettled([this.free()]), sweepMs)
    sweep.unref()
    try {
      while (!this.stopping.signal.aborted) {
        const [ended] = await Promise.allSettled([this.once(pool)])
        if (this.stopping.signal.aborted) return
        const reason = ended.status === 'rejected' ? ended.reason : undefined
        log.warn({ err: reason }, 'the job queue stopped and is started again')
        await this.pause()
      }
    } finally {
      clearInterval(sweep)
      await Promise.allSettled([pool.end()])
    }
  }

  /** Until it is stopped, or the library gives up. */
  private async once(pool: ReturnType<typeof openJobPool>): Promise<void> {
    const { alive, tasks, long } = this.deps
    await alive()
    await this.free()
    const lanes = [{ tasks, most: Math.min(AT_A_TIME, JOB_CONNECTIONS) }]
    if (long !== undefined) lanes.push({ tasks: long.tasks, most: LONG_AT_A_TIME })
    const runners = await Promise.all(lanes.map((lane) => this.begin(pool, lane)))
    this.runners = [...runners]
    // a stop that came meanwhile has found nothing to stop
    if (this.stopping.signal.aborted) await this.stopAll()
    // one that gives up takes the other with it: both are started again
    try {
      await Promise.race(runners.map(({ promise }) => promise))
    } finally {
      await this.stopAll()
      // one that was stopped already says so at once, while its workers still ask the pool
      await Promise.allSettled(runners.map(({ promise }) => promise))
    }
  }

  private async stopAll(): Promise<void> {
    await Promise.allSettled(this.runners.splice(0).map((one) => one.stop()))
  }

  private begin(
    pool: ReturnType<typeof openJobPool>,
    { tasks, most }: { tasks: Tasks; most: number },
  ): Promise<Runner> {
    const events: WorkerEvents = new EventEmitter()
    // by this name others see whose jobs are locked; the library would draw one
    events.on('pool:create', ({ workerPool }) => {
      workerPool.id = holderOf(this.deps.runner)
    })
    return run({
      pgPool: pool,
      schema: JOB_SCHEMA,
      events,
      taskList: this.taskList(tasks),
      parsedCronItems: [],
      concurrency: most,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: LEAVE_MS,
      logger: new Logger(() => (level, message, meta) => this.told(level, message, meta)),
      // without it a database that is away while a job ends is a rejection that nobody handles
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    })
  }

  private taskList(tasks: Tasks): TaskList {
    return Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        async (payload: unknown, { job, abortSignal }) => {
          const id = String(job.id)
          this.count(id, 1)
          try {
            const last = job.attempts >= job.max_attempts
            await task(payload, { signal: abortSignal, last })
          } finally {
            setTimeout(() => this.count(id, -1), ENDING_MS).unref()
          }
        },
      ]),
    ) satisfies TaskList
  }

  private count(id: string, by: 1 | -1): void {
    const count = (this.running.get(id) ?? 0) + by
    if (count === 0) this.running.delete(id)
    else this.running.set(id, count)
  }

  private async free(): Promise<void> {
    const { store, runner, log } = this.deps
    const freed = await freeJobs(store, { runner, running: [...this.running.keys()] })
    if (freed > 0)
      log.warn({ jobs: freed }, 'jobs that a dead server or a lost connection held are free again')
    const carried = (await this.deps.long?.carryLost()) ?? 0
    if (carried > 0) log.warn({ jobs: carried }, 'work that nobody does any more is taken up again')
  }

  /** What the library says; failures of jobs only by their number: their tasks say the rest. */
  private told(level: string, message: string, meta: unknown): void {
    const { failure, job } = Object(meta) as { failure?: boolean; job?: { id: string } }
    if (failure === true) return
    if (level === 'error') this.deps.log.warn({ jobId: job?.id }, `job queue: ${message}`)
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, AGAIN_MS)
      this.stopping.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
