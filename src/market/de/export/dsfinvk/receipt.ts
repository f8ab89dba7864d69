// A stored receipt as the export sees it: the request with German v0 codes, and what the TSE signed.
// Called by bons.ts and references.ts.
import { Decimal } from '../../../../lib/decimal.js'
import { parseMoment } from '../../../../lib/moment.js'
import type { ReceiptRequest, Signature } from '../../../../model/receipt.js'
import { decodeResponse, decodeStoredRequest } from '../../../../model/stored-texts.js'
import type { StoredItem } from '../../../market.js'
import { type CaseData, readCaseData } from './case-data.js'

/** Low 16 bits of ftSignatureType in the signatures of a German receipt. */
const signatureTypes = {
  information: 0x02,
  processType: 0x15,
  processData: 0x16,
  transactionNumber: 0x17,
  signatureCounter: 0x18,
  startTime: 0x19,
  logTime: 0x1a,
  algorithm: 0x1b,
  timeFormat: 0x1c,
  signature: 0x1d,
  actionStart: 0x1f,
  serial: 0x23,
  notice: 0x1000,
} as const

/** Bits 16 to 31 of a v0 ftReceiptCase. */
export const receiptFlags = { training: 0x0002, void: 0x0004 } as const

/** ftState of an answer of a queue that is not in operation: nothing of it is a receipt. */
const STATE_INACTIVE = 1n
const TRAINING_NOTICE = 'Trainingsbuchung'
/** For receipts without any signature, which nothing explains (SCU switch in progress). */
const NO_TSE = 'Ohne TSE'

export interface Receipt {
  row: number
  timeStamp: bigint
  /** Number in the receipt journal: BON_NR. */
  number: number
  /** ftReceiptIdentification: BON_ID. */
  identification: string
  /** ftReceiptMoment. */
  moment: Date
  request: ReceiptRequest
  /** Low 16 bits of the v0 ftReceiptCase, and its bits 16 to 31. */
  code: number
  flags: number
  data: CaseData
  tse: TseData
}

/** What the signatures of the answer say about the TSE transaction. */
export interface TseData {
  /** Vorgangsbeginn. */
  actionStart: Date | undefined
  startTime: Date | undefined
  logTime: Date | undefined
  processType: string
  processData: string
  transactionNumber: Decimal | null
  signatureCounter: Decimal | null
  /** Base64; '' where the TSE did not sign. */
  signature: string
  algorithm: string
  timeFormat: string
  /** As the answer has it. */
  serial: string
  /** Why there is no signature; '' where there is one. */
  fault: string
}

/**
 * Undefined for items that are no receipts: refused ones, those without an answer, and answers of
 * a queue that is not in operation. Throws StoredTextError for texts that were never accepted.
 */
export function receiptOf(item: StoredItem): Receipt | undefined {
  if (item.response === null || item.receiptNumber === null) return undefined
  const response = decodeResponse(item.response)
  if ((response.state & STATE_INACTIVE) !== 0n) return undefined
  const request = germanCaseOf(decodeStoredRequest(item.request))
  return {
    row: item.row,
    timeStamp: item.timeStamp,
    number: item.receiptNumber,
    identification: response.receiptIdentification,
    moment: response.receiptMoment,
    request,
    ...wordParts(request.receiptCase),
    data: readCaseData(request.receiptCaseData),
    tse: tseDataOf(response.signatures),
  }
}

/**
 * The request with German v0 codes in place of whatever it was sent with. Requests of interface
 * versions 0 and 1 carry them already.
 */
export function germanCaseOf(request: ReceiptRequest): ReceiptRequest {
  return request
}

/** The code and the flags of a v0 case word: its low 16 bits and the 16 above them. */
export function wordParts(word: bigint): { code: number; flags: number } {
  const low = Number(BigInt.asUintN(32, word))
  return { code: low & 0xffff, flags: low >>> 16 }
}

function tseDataOf(signatures: readonly Signature[]): TseData {
  const texts = new Map<number, string>()
  for (const { type, data } of signatures) {
    const low = Number(BigInt.asUintN(16, type))
    // further transactions that the receipt closed come behind its own
    if (!texts.has(low)) texts.set(low, data)
  }
  const text = (type: number) => texts.get(type) ?? ''
  const moment = (type: number) => parseMoment(text(type))?.date
  const number = (type: number) => Decimal.parse(text(type)) ?? null
  const signature = text(signatureTypes.signature)
  return {
    actionStart: moment(signatureTypes.actionStart),
    startTime: moment(signatureTypes.startTime),
    logTime: moment(signatureTypes.logTime),
    processType: text(signatureTypes.processType),
    processData: text(signatureTypes.processData),
    transactionNumber: number(signatureTypes.transactionNumber),
    signatureCounter: number(signatureTypes.signatureCounter),
    signature,
    algorithm: text(signatureTypes.algorithm),
    timeFormat: text(signatureTypes.timeFormat),
    serial: text(signatureTypes.serial),
    fault: signature === '' ? faultOf(signatures) : '',
  }
}

/** The caption of the text that tells of failed mode, late signing or a handwritten receipt. */
function faultOf(signatures: readonly Signature[]): string {
  const found = signatures.find(({ type, caption }) => {
    const low = Number(BigInt.asUintN(16, type))
    const tells = low === signatureTypes.information || low === signatureTypes.notice
    return tells && caption !== TRAINING_NOTICE
  })
  return found?.caption ?? NO_TSE
}
