// Long work of an account as everybody sees it.

/** interrupted: whoever worked on it is not heard of any more; it is taken up again. */
export const JOB_STATES = [
  'queued',
  'running',
  'interrupted',
  'succeeded',
  'failed',
  'canceled',
] as const

export type JobState = (typeof JOB_STATES)[number]

/** A JSON object; no secrets and no personal data, it lies there in clear. */
export type JobData = Readonly<Record<string, unknown>>

export interface JobKey {
  accountId: string
  id: string
}

export interface Progress {
  /** A word for programs; of a kind there are few. */
  phase?: string
  done?: number
  /** Undefined: not known yet. */
  total?: number
  /** What is counted. */
  unit?: string
  /** Written so far. */
  bytes?: number
}
