// A rule of the market that says no, as a value: stored as an error, and the queue stays as it is.
// Returned by the reading of a request and by the paths; process.ts turns it into the outcome.

export interface Refusal {
  kind: 'refusal'
  message: string
  /** Wire name of the member at fault. */
  field?: string
}

export function refuse(message: string, field?: string): Refusal {
  return field === undefined ? { kind: 'refusal', message } : { kind: 'refusal', message, field }
}

export function isRefusal(value: { kind: string } | undefined): value is Refusal {
  return value?.kind === 'refusal'
}
