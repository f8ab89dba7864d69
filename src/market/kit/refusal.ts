// A rule of the law that says no, as a value: the receipt is stored as an error, and the queue
// stays as it is.
import type { Unread } from '../../case/refusals.js'
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

/** A receipt that no table of the country can read. */
export const unread = ({ message, field }: Unread): Refusal => refuse(message, field)

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

/** Words of a rule with its places filled from the left. */
export function filled(text: string, values: readonly string[]): string {
  const rest = [...values]
  return text.replace(/\{\}/g, () => rest.shift() ?? '')
}

export interface Broken {
  /** As the field names it. */
  rule: string
  text: string
  values: readonly string[]
  /** Wire name of the member at fault, and of which item, from 0 on. */
  member?: string | undefined
  index?: number | undefined
}

/** As the field tells of a rule that is broken: its code, and where. */
export function ruleFault({ rule, text, values, member, index }: Broken): Fault {
  const where = [
    ...(member === undefined ? [] : [`Field: ${member}`]),
    ...(index === undefined ? [] : [`Index: ${index}`]),
  ]
  const at = where.length === 0 ? '' : ` (${where.join(', ')})`
  const message = `Validation error [EEEE_${rule}]: ${filled(text, values)}${at}`
  return member === undefined ? { message } : { message, member }
}
