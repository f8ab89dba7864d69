// The signature items of a TSE transaction and the QR code (DSFinV-K Annex I, KassenSichV § 6).

import type { FinishSignature, TseIdentity, TseSignature } from '../../device/tse/tse.js'
import type { Signature } from '../../model/receipt.js'
import { type SignatureKind, signatureKinds } from './case-words.js'
import { addItem, item, type ReceiptDraft } from './receipt-draft.js'
import { itemCaptions } from './text.js'

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
  draft.signatures.push(...itemsOf(draft, BUSINESS_ROWS, values))
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
    publicKey: identity.publicKey.toString('base64'),
    actionStart: '',
  }
}
