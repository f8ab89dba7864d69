// One receipt on its way through the French queue: what it found, and what it will leave behind.
import type { JwsDevice } from '../../device/jws.js'
import type { Signature } from '../../model/receipt.js'
import type { ReceiptInput } from '../contract.js'
import { type Draft, plainIdentification } from '../kit/draft.js'
import { formats, type SignatureName, signatureType } from './cases.js'
import type { FrState } from './queue.js'
import type { Reading } from './reading.js'

export type FrInput = ReceiptInput<FrState, JwsDevice>

export interface FrDraft extends Draft<FrState, JwsDevice> {
  readonly reading: Reading
}

export function newDraft(input: FrInput, reading: Reading): FrDraft {
  return {
    input,
    reading,
    state: { ...input.state },
    identification: plainIdentification(input.queue),
    signatures: [],
    journal: [],
    actions: [],
    life: undefined,
  }
}

export interface Item {
  name: SignatureName
  caption: string
  data: string
}

/** A text below the signature. */
export function text({ reading }: FrDraft, { name, caption, data }: Item): Signature {
  return { format: formats.text, type: signatureType(name, reading.tagging), caption, data }
}
