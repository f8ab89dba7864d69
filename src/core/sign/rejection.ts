// A receipt that becomes an error: why, in which state, and whether the error is the answer.
import type { ReceiptWords } from '../../case/reader.js'
import type { Fault, ReceiptOutcome } from '../../market/contract.js'

export interface Rejection {
  /** `broken`: the program is at fault, not the receipt. */
  kind: 'refused' | 'broken'
  faults: readonly Fault[]
  stateWord: bigint
  /** The stored answer is returned; false: an error. */
  answered: boolean
  /** What the refusal has taught the queue; left out: nothing. */
  state?: unknown
  /** What a device has logged before. */
  journal?: ReceiptOutcome<unknown>['journal']
  actions?: ReceiptOutcome<unknown>['actions']
  /** What integrators are told of it all the same; left out: nothing. */
  stateData?: string | null
}

/** What the market refuses; the error is the answer of everything that is not tagged v0/v1. */
export function rejectionOf(
  outcome: ReceiptOutcome<unknown> | Rejection,
  { tagging }: ReceiptWords,
): Rejection {
  if ('kind' in outcome) return outcome
  const { faults, stateWord, state, journal, stateData } = outcome
  const answered = tagging !== 'v0'
  return { kind: 'refused', faults, stateWord, state, journal, stateData, answered }
}

/** ftState of an error in version 2 numbering, which every version shows. */
export function errorState(country: bigint): bigint {
  return (country << 48n) | 0x2000_eeee_eeeen
}

/** All of them as one text. */
export function faultText(faults: readonly Fault[]): string {
  return faults
    .map(({ code, message }) => (code === undefined ? message : `${code}: ${message}`))
    .join(' ')
}
