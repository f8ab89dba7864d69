// A rule of the law that says no, as a value: the receipt is stored as an error, and the queue
// stays as it is.
import type { Fault, ReceiptInput, ReceiptOutcome } from '../contract.js'
import { plainIdentification } from './draft.js'

export interface Refusal {
  kind: 'refusal'
  faults: readonly Fault[]
}

/** `member`: wire name of the member at fault. */
export function refuse(message: string, member?: string): Refusal {
  return { kind: 'refusal', faults: [member === undefined ? { message } : { message, member }] }
}

export function isRefusal(value: { kind: string } | undefined): value is Refusal {
  return value?.kind === 'refusal'
}

/** The outcome of a refusal; `left`: what a device has logged before the rule was found broken. */
export function refused<S>(
  { queue, state }: Pick<ReceiptInput<S, never>, 'queue' | 'state'>,
  { faults }: Refusal,
  left: { stateWord: bigint } & Partial<Pick<ReceiptOutcome<S>, 'journal' | 'actions'>>,
): ReceiptOutcome<S> {
  return {
    faults,
    identification: plainIdentification(queue),
    stateWord: left.stateWord,
    signatures: [],
    stateData: null,
    state,
    journal: left.journal ?? [],
    actions: left.actions ?? [],
  }
}
