// One receipt on its way through the Austrian queue: what it found, and what it will leave behind.
// The steps fill it.

import type { RksvDevice } from '../../device/rksv.js'
import type { Signature } from '../../model/receipt.js'
import type { ReceiptInput } from '../contract.js'
import { type Draft, formats, plainIdentification } from '../kit/draft.js'
import { type SignatureTypes, signatureTypes } from './cases.js'
import { type AtState, type QueueConfiguration, workingCopy } from './queue.js'
import type { Reading } from './reading.js'

export type AtInput = ReceiptInput<AtState, RksvDevice>

export interface ReceiptDraft extends Draft<AtState, RksvDevice> {
  readonly configuration: QueueConfiguration
  readonly reading: Reading
  readonly types: SignatureTypes
  /** Bits of ftState that are not read off the state at the end. */
  bits: number
  stateData: string | null
  /** Signature items by their place on the receipt: before and after the others. */
  explanations: Signature[]
  notifications: Signature[]
  secrets: string | undefined
}

export function newDraft(input: AtInput, reading: Reading): ReceiptDraft {
  return {
    // member by member: a spread with further members costs V8 five kilobytes
    input,
    state: workingCopy(input.state),
    identification: plainIdentification(input.queue),
    signatures: [],
    journal: [],
    actions: [],
    life: undefined,
    // checked by the market's schema before the queue was stored
    configuration: input.queue.configuration as QueueConfiguration,
    reading,
    types: signatureTypes[reading.tagging],
    bits: 0,
    stateData: null,
    explanations: [],
    notifications: [],
    secrets: undefined,
  }
}

/** A text that has to be archived with the receipt. */
export function addText(draft: ReceiptDraft, caption: string, data: string): void {
  draft.signatures.push({ format: formats.text, type: draft.types.archive, caption, data })
}

/** A text for information. */
export function hint(draft: ReceiptDraft, caption: string, data: string): Signature {
  return { format: formats.text, type: draft.types.unknown, caption, data }
}
