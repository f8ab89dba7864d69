// The pulse of a job that runs: its lease is renewed, and how far it is is written down, at most
// four times a second; events tell of it far less often.
import type { JobData, Progress } from '../../../model/job.js'
import { type Store, TRANSACTION } from '../../../store/client.js'
import {
  type JobHold,
  type ProgressRow,
  renewJob,
  writeCheckpoint,
  writeProgress,
} from '../../../store/event/job/job-lease.js'
import { progressEvent } from './progress-event.js'

export interface PulseDeps {
  store: Store
  now(): Date
  log: { warn(details: object, message: string): void }
}

const RENEW_MS = 5_000
const WRITE_MS = 250
const EVENT_MS = 5_000
/** Without a word to the database for so long it may be somebody else's: before the lease ends. */
const LOST_MS = 12_000

export class Pulse {
  /** It was called off, or somebody else has it. */
  isLost = false
  readonly signal: AbortSignal
  private readonly deps: PulseDeps
  private readonly hold: JobHold
  private readonly leaving = new AbortController()
  private readonly renewing: NodeJS.Timeout
  private readonly writing: NodeJS.Timeout
  private stand: Omit<ProgressRow, 'etaSeconds'>
  private isNew = false
  private phaseBegan: { at: number; done: number }
  private heardAt = performance.now()
  private toldAt = 0
  private toldPhase: string | null = null
  private under: Promise<void> = Promise.resolve()
  private isWriting = false

  constructor(deps: PulseDeps, hold: JobHold, { stop }: { stop: AbortSignal }) {
    this.deps = deps
    this.hold = hold
    this.signal = AbortSignal.any([stop, this.leaving.signal])
    this.stand = { phase: null, done: 0, total: null, unit: null, bytes: null }
    this.phaseBegan = { at: performance.now(), done: 0 }
    this.renewing = setInterval(() => this.renew(), RENEW_MS).unref()
    this.writing = setInterval(() => this.write(), WRITE_MS).unref()
  }

  note({ phase, done, total, unit, bytes }: Progress): void {
    const { stand } = this
    if (phase !== undefined && phase !== stand.phase) {
      this.phaseBegan = { at: performance.now(), done: done ?? 0 }
    }
    this.stand = {
      phase: phase ?? stand.phase,
      done: done ?? stand.done,
      total: total ?? stand.total,
      unit: unit ?? stand.unit,
      bytes: bytes ?? stand.bytes,
    }
    this.isNew = true
  }

  async save(checkpoint: JobData): Promise<void> {
    this.signal.throwIfAborted()
    if (!(await writeCheckpoint(this.deps.store, this.hold, checkpoint))) {
      this.lose()
      this.signal.throwIfAborted()
    }
    this.heardAt = performance.now()
  }

  /** What was noted last is written. */
  async end(): Promise<void> {
    clearInterval(this.renewing)
    clearInterval(this.writing)
    await this.under
    if (this.isNew && !this.isLost) await Promise.allSettled([this.written()])
  }

  private renew(): void {
    this.soon(async () => {
      if (await renewJob(this.deps.store, this.hold)) this.heardAt = performance.now()
      else this.lose()
    })
  }

  private write(): void {
    if (this.isNew && !this.isWriting) this.soon(() => this.written())
    if (performance.now() - this.heardAt > LOST_MS) this.lose()
  }

  /** One after the other; a database that is away is waited for until the lease is over. */
  private soon(work: () => Promise<void>): void {
    this.isWriting = true
    this.under = this.under
      .then(() => (this.isLost ? undefined : work()))
      .catch((error: unknown) => {
        this.deps.log.warn(
          { err: error, jobId: this.hold.id },
          'the pulse of a job was not written',
        )
      })
      .finally(() => {
        this.isWriting = false
      })
  }

  private async written(): Promise<void> {
    const { store, now } = this.deps
    const { hold } = this
    const { stand } = this
    const row = { ...stand, etaSeconds: this.etaSeconds() }
    const at = performance.now()
    const isTold = row.phase !== this.toldPhase || at - this.toldAt >= EVENT_MS
    const isOurs = isTold
      ? await store.prisma.$transaction(async (tx) => {
          const ours = await writeProgress(tx, hold, row)
          if (ours) await progressEvent(tx, hold, { at: now() })
          return ours
        }, TRANSACTION)
      : await writeProgress(store.prisma, hold, row)
    if (!isOurs) return this.lose()
    this.isNew = this.stand !== stand
    this.heardAt = at
    if (!isTold) return
    this.toldAt = at
    this.toldPhase = row.phase
  }

  /** From how long this phase has taken so far. */
  private etaSeconds(): number | undefined {
    const { done, total } = this.stand
    const did = done - this.phaseBegan.done
    if (total === null || did <= 0) return undefined
    const seconds = (performance.now() - this.phaseBegan.at) / 1_000
    return (seconds * Math.max(0, total - done)) / did
  }

  private lose(): void {
    this.isLost = true
    this.leaving.abort(new Error('the job is no longer ours'))
  }
}
