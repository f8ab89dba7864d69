// One receipt on its way through a German queue, and the signatures that it gets.
import type { Tagging } from '../../case/word.js'
import type { DeviceError } from '../../device/device.js'
import type { FinishSignature, Tse, TseIdentity, TseSignature } from '../../device/tse/tse.js'
import { keptBase64 } from '../../lib/hash.js'
import type { MarketRow } from '../../model/journal.js'
import type { Signature } from '../../model/receipt.js'
import type { ReceiptInput, Unit } from '../contract.js'
import { type Draft, plainIdentification } from '../kit/draft.js'
import {
  receiptCases,
  receiptFlags,
  type SignatureKind,
  signatureKinds,
  signatureWords,
} from './cases.js'
import { type DeState, openOf, type QueueConfiguration } from './queue.js'
import type { Reading } from './reading.js'
import { captions, itemCaptions } from './text.js'

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
  /** Units that did not let this server in, with what they said: they are not asked again. */
  readonly closed: Map<TseSlot, DeviceError>
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
    closed: new Map(),
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

// -------------------------------------------------------------------------------------- signatures

/** A transaction that was finished. */
export interface Finished {
  identity: TseIdentity
  /** Base64 of the start signature; null when it is not known. */
  startSignature: string | null
  finish: FinishSignature
  processType: string
  processData: string
}

const QR_VERSION = 'V0'
const { qr: QR } = signatureKinds

type Values = Record<keyof typeof itemCaptions, string>

type Row = readonly [kind: SignatureKind, caption: keyof typeof itemCaptions]

/** The twelve fields of the QR code in their order. */
const QR_ROWS: readonly Row[] = [
  [signatureKinds.qrVersion, 'qrVersion'],
  [signatureKinds.serial, 'serial'],
  [signatureKinds.processType, 'processType'],
  [signatureKinds.processData, 'processData'],
  [signatureKinds.transactionNumber, 'transactionNumber'],
  [signatureKinds.counter, 'counter'],
  [signatureKinds.startTime, 'startTime'],
  [signatureKinds.logTime, 'logTime'],
  [signatureKinds.algorithm, 'algorithm'],
  [signatureKinds.logTimeFormat, 'logTimeFormat'],
  [signatureKinds.signature, 'signature'],
  [signatureKinds.publicKey, 'publicKey'],
]

const BUSINESS_ROWS: readonly Row[] = [
  [signatureKinds.start, 'businessStart'],
  [signatureKinds.finishPayload, 'finishPayload'],
  [signatureKinds.finish, 'businessFinish'],
  [signatureKinds.certificationId, 'certificationId'],
  [signatureKinds.tseSerial, 'tseSerial'],
  ...QR_ROWS,
]

const SPECIAL_ROWS: readonly Row[] = [
  [signatureKinds.start, 'specialStart'],
  [signatureKinds.finishPayload, 'finishPayload'],
  [signatureKinds.finish, 'specialFinish'],
  [signatureKinds.processType, 'processType'],
  [signatureKinds.serial, 'serial'],
  [signatureKinds.processData, 'processData'],
  [signatureKinds.transactionNumber, 'transactionNumber'],
  [signatureKinds.counter, 'counter'],
  [signatureKinds.startTime, 'startTime'],
  [signatureKinds.logTime, 'logTime'],
  [signatureKinds.signature, 'signature'],
  [signatureKinds.algorithm, 'algorithm'],
  [signatureKinds.logTimeFormat, 'logTimeFormat'],
  [signatureKinds.certificationId, 'certificationId'],
  [signatureKinds.publicKey, 'publicKey'],
]

const CLOSED_ROWS: readonly Row[] = [
  [signatureKinds.finishPayload, 'finishPayload'],
  [signatureKinds.finish, 'businessFinish'],
  [signatureKinds.processType, 'processType'],
]

/** Items of a business receipt, the QR code first. */
export function addBusiness(draft: ReceiptDraft, finished: Finished): void {
  const values = valuesOf(serialOf(draft), finished)
  addItem(draft, { kind: QR, caption: draft.configuration['qr-caption'], data: qrText(values) })
  for (const [kind, name] of BUSINESS_ROWS) {
    addItem(draft, { kind, caption: itemCaptions[name], data: values[name] })
  }
}

/** Twelve fields between semicolons; nothing is escaped (DSFinV-K 2.2, annex I). */
export function qrText(values: Values): string {
  return QR_ROWS.map(([, name]) => values[name]).join(';')
}

/** Items of an operation, or of a transaction that was finished later. */
export function specialItems(draft: ReceiptDraft, finished: Finished): Signature[] {
  return itemsOf(draft, SPECIAL_ROWS, valuesOf(serialOf(draft), finished))
}

/** Items of a transaction that another receipt closed. */
export function closedItems(draft: ReceiptDraft, finished: Finished): Signature[] {
  return itemsOf(draft, CLOSED_ROWS, valuesOf(serialOf(draft), finished))
}

export function startItem(draft: ReceiptDraft, { signature }: TseSignature): Signature {
  const data = signature.toString('base64')
  return item(draft, { kind: signatureKinds.start, caption: itemCaptions.businessStart, data })
}

/** An update says nothing: its payload and processType are empty. */
export function addUpdate(draft: ReceiptDraft, { signature }: TseSignature): void {
  addItem(draft, {
    kind: signatureKinds.updatePayload,
    caption: itemCaptions.updatePayload,
    data: '',
  })
  addItem(draft, {
    kind: signatureKinds.update,
    caption: itemCaptions.update,
    data: signature.toString('base64'),
  })
  addItem(draft, { kind: signatureKinds.processType, caption: itemCaptions.processType, data: '' })
}

/** Start of the business act (Vorgangsbeginn): the smallest moment on the receipt. */
export function addActionStart(draft: ReceiptDraft): void {
  const { receiptMoment, chargeItems, payItems } = draft.input.receipt.request
  const moments = [...chargeItems, ...payItems].map(({ moment }) => moment ?? receiptMoment)
  const first = moments.reduce((min, one) => (one < min ? one : min), receiptMoment)
  addItem(draft, {
    kind: signatureKinds.actionStart,
    caption: itemCaptions.actionStart,
    data: first.toISOString(),
  })
}

function itemsOf(draft: ReceiptDraft, rows: readonly Row[], values: Values): Signature[] {
  return rows.map(([kind, name]) =>
    item(draft, { kind, caption: itemCaptions[name], data: values[name] }),
  )
}

function serialOf({ input }: ReceiptDraft): string {
  return input.queue.identification
}

/** What the items of a transaction say; `serial`: the register under which the TSE knows it. */
export function valuesOf(serial: string, finished: Finished): Values {
  const { identity, finish, processType, processData } = finished
  const signature = finish.signature.toString('base64')
  const start = finished.startSignature ?? ''
  return {
    businessStart: start,
    specialStart: start,
    businessFinish: signature,
    specialFinish: signature,
    signature,
    finishPayload: Buffer.from(processData, 'utf8').toString('base64'),
    updatePayload: '',
    update: '',
    certificationId: identity.certificationId,
    tseSerial: identity.serialHex,
    qrVersion: QR_VERSION,
    serial,
    processType,
    processData,
    transactionNumber: String(finish.transactionNumber),
    counter: String(finish.signatureCounter),
    startTime: finish.startMoment.toISOString(),
    logTime: finish.moment.toISOString(),
    algorithm: identity.algorithm,
    logTimeFormat: identity.logTimeFormat,
    publicKey: keptBase64(identity.publicKey),
    actionStart: '',
  }
}
