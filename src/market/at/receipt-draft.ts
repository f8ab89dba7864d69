// One receipt on its way through the Austrian queue: what it found, and what it will leave behind.
// The steps fill it.

import type { RksvDevice } from '../../device/rksv.js'
import type { Signature } from '../../model/receipt.js'
import type { ActionRow, MarketRow, SignInput } from '../contract.js'
import { formats, type SignatureTypes, signatureTypes } from './case-words.js'
import type { QueueConfiguration } from './configuration.js'
import type { Reading } from './reading.js'
import type { AtState } from './state.js'
import { captions } from './text.js'

export type AtInput = SignInput<AtState, RksvDevice>

/** Priorities of the action journal. */
export const priority = { report: -1, error: 0x10, warning: 0x20, information: 0x30 } as const

export interface ReceiptDraft {
  readonly input: AtInput
  readonly configuration: QueueConfiguration
  readonly reading: Reading
  readonly types: SignatureTypes
  /** The state's working copy; paths assign to its members. */
  state: AtState
  /** Bits of ftState that are not read off the state at the end. */
  bits: number
  /** Complete ftReceiptIdentification: `ft1A#` until the receipt gets a cash number. */
  identification: string
  stateData: string | null
  /** Signature items by their place on the receipt. */
  explanations: Signature[]
  signatures: Signature[]
  notifications: Signature[]
  journal: MarketRow[]
  actions: ActionRow[]
  secrets: string | undefined
  startMoment: Date | undefined
  stopMoment: Date | undefined
}

export function newDraft(input: AtInput, reading: Reading): ReceiptDraft {
  return {
    input,
    // checked by the market's schema before the queue was stored
    configuration: input.queue.configuration as QueueConfiguration,
    reading,
    types: signatureTypes[reading.tagging],
    state: { ...input.state },
    bits: 0,
    identification: `ft${input.queue.receiptNumerator.toString(16).toUpperCase()}#`,
    stateData: null,
    explanations: [],
    signatures: [],
    notifications: [],
    journal: [],
    actions: [],
    secrets: undefined,
    startMoment: undefined,
    stopMoment: undefined,
  }
}

export function isActive({ input: { queue } }: ReceiptDraft): boolean {
  return queue.startMoment !== null && queue.stopMoment === null
}

export function hasItems({ input: { request } }: ReceiptDraft): boolean {
  return request.chargeItems.length > 0 || request.payItems.length > 0
}

/** A text that has to be archived with the receipt. */
export function addText(draft: ReceiptDraft, caption: string, data: string): void {
  draft.signatures.push({ format: formats.text, type: draft.types.archive, caption, data })
}

/** A text for information. */
export function hint(draft: ReceiptDraft, caption: string, data: string): Signature {
  return { format: formats.text, type: draft.types.unknown, caption, data }
}

/** The mark of the sandbox, last on the receipt. */
export function sandboxMark(queueId: string): Signature {
  return { format: formats.text, type: 0n, caption: captions.sandbox, data: queueId }
}

export interface Action {
  priority: number
  type: string
  message: string
  dataJson?: string
}

export function addAction(
  draft: ReceiptDraft,
  { priority, type, message, dataJson }: Action,
): string {
  const id = draft.input.newId()
  const row = { id, priority, type, message, dataJson: dataJson ?? null, dataBase64: null }
  draft.actions.push(row)
  return id
}
