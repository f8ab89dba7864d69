// What a kind of long work is, and what it is handed when it runs.
import type { NewEvent } from '../../../model/event.js'
import type { JobData, JobKey, Progress } from '../../../model/job.js'

export interface JobContext {
  job: JobKey & { kind: string; askedBy: string; args: unknown }
  /** What the last try has kept; undefined: this is the first, or it kept nothing. */
  checkpoint: unknown
  /** Called off, lost to somebody else, or the server stops: leave off soon. */
  signal: AbortSignal
  /** Cheap: as often as there is something to tell. What is left out stays as it was. */
  progress(progress: Progress): void
  /** Resolves when it is kept: what is behind it is not done again. Throws when it is not ours. */
  save(checkpoint: JobData): Promise<void>
}

export interface JobKind {
  name: string
  /** What is told in the transaction in which it succeeds, beside that it has. */
  ready?(id: string, result: JobData): NewEvent
  /**
   * What came of it. Must stand being ended at any point and run again. A FiscalError that says no
   * is the end; one of the kinds `unavailable` and `limited`, and whatever else it throws, is tried
   * again.
   */
  run(context: JobContext): Promise<JobData>
}
