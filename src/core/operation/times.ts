// How long the record of operations waits for what.

export interface OperationTimes {
  /** A server may seem to be gone so long before its work is given up. */
  goneMs: number
  /** Between two looks at what another server works on, and two tries to write an end. */
  againMs: number
  /** Between two looks whether an id was taken by another body; few calls ever take one. */
  soonMs: number
  /** What a stop leaves to payments that have ended. */
  endMs: number
}

export const TIMES: OperationTimes = { goneMs: 3_000, againMs: 1_000, soonMs: 100, endMs: 1_000 }
