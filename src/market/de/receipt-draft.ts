// One receipt on its way through the German queue: what it found, and what it will leave behind.
// The steps fill it.

import type { Tagging } from '../../case/word.js'
import type { Tse } from '../../device/tse/tse.js'
import type { MarketRow } from '../../model/journal.js'
import type { Signature } from '../../model/receipt.js'
import type { ReceiptInput, Unit } from '../contract.js'
import { type Draft, plainIdentification } from '../kit/draft.js'
import { type SignatureKind, signatureKinds, signatureWords } from './case-words.js'
import { receiptCases, receiptFlags } from './cases.js'
import type { QueueConfiguration } from './configuration.js'
import type { Reading } from './reading.js'
import { type DeState, openOf } from './state.js'
import { captions } from './text.js'

export type DeInput = ReceiptInput<DeState, Tse>
export type TseSlot = Unit<Tse>

export interface ReceiptDraft extends Draft<DeState, Tse> {
  readonly configuration: QueueConfiguration
  readonly reading: Reading
  /** Of the words of the answer. */
  readonly words: Tagging
  /** cbReceiptReference; '' when there is none. */
  readonly reference: string
  /** True when the receipt starts and ends its own transaction. */
  readonly implicit: boolean
  /** Its lists are replaced, never changed. */
  readonly state: DeState
  /** Units whose log messages belong to this receipt. */
  readonly touched: Set<TseSlot>
  /** elapsedMs when the first call of a TSE began. */
  began: number | undefined
  bits: number
  /** Members of ftStateData; none: it stays null. */
  stateData: Record<string, unknown>
  /** Rows beside those of the log messages. */
  journal: MarketRow[]
}

export function newDraft(input: DeInput, reading: Reading): ReceiptDraft {
  // checked by the market's schema before the queue was stored
  const configuration = input.queue.configuration as QueueConfiguration
  const reference = input.receipt.request.receiptReference ?? ''
  return {
    input,
    configuration,
    reading,
    words: input.receipt.answersV2 ? 'v2' : reading.tagging,
    reference,
    implicit: isImplicit(reading, reference, input.state),
    state: {
      ...input.state,
      masterData: masterDataOf(input.state, configuration),
      startsLost: input.state.startsLost || skipsRow(input),
    },
    touched: new Set(),
    began: undefined,
    bits: 0,
    identification: plainIdentification(input.queue),
    stateData: {},
    signatures: [],
    journal: [],
    actions: [],
    life: undefined,
  }
}

/**
 * A row between this receipt and the last: an item that a crash left unfinished while the TSE was
 * asked, or a refused one. What the TSE did for it, nobody knows.
 */
function skipsRow({ state: { lastRow }, receipt: { row } }: DeInput): boolean {
  return lastRow !== undefined && row > lastRow + 1
}

/** The configured ones are taken once; later ones only by a closing that says so. */
function masterDataOf({ masterData }: DeState, configuration: QueueConfiguration) {
  return masterData === undefined ? (configuration.init_masterData ?? null) : masterData
}

/** A v2 receipt ends the running transaction of its reference when there is one. */
function isImplicit({ flow }: Reading, reference: string, state: DeState): boolean {
  if (flow !== 'auto') return flow === 'implicit'
  if (state.failedStarts.some((one) => one.reference === reference)) return false
  const ended = state.failedFinishes.some((one) => one.reference === reference)
  return ended || openOf(state, reference) === undefined
}

export function has({ reading }: ReceiptDraft, flag: keyof typeof receiptFlags): boolean {
  return (reading.flags & receiptFlags[flag]) !== 0
}

const suffixes: Record<number, string> = {
  [receiptCases.startTransaction]: 'ST',
  [receiptCases.updateTransaction]: 'UT',
  [receiptCases.deltaTransaction]: 'DT',
}

/** `ft3#T5`: the receipt belongs to this transaction. */
export function identify(draft: ReceiptDraft, transactionNumber: number): void {
  const suffix = suffixes[draft.reading.code] ?? (draft.implicit ? 'IT' : 'T')
  draft.identification = `${draft.identification}${suffix}${transactionNumber}`
}

export interface ItemText {
  kind: SignatureKind
  caption: string
  data: string
}

export function item(draft: ReceiptDraft, { kind, caption, data }: ItemText): Signature {
  const flagOptional = draft.configuration.FlagOptionalSignatures
  const { format, type } = signatureWords(kind, { tagging: draft.words, flagOptional })
  return { format, type, caption, data }
}

export function addItem(draft: ReceiptDraft, text: ItemText): void {
  draft.signatures.push(item(draft, text))
}

/** A training receipt says so. */
export function addTraining(draft: ReceiptDraft): void {
  if (!has(draft, 'training')) return
  const now = draft.input.moment.toISOString()
  addItem(draft, { kind: signatureKinds.information, caption: captions.training, data: now })
}

/** `2026-01-31T10:15:00Z`. */
export function secondsText(moment: Date | number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`
}
