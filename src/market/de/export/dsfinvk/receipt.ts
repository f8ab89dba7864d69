// A stored receipt as the export sees it: its request with German v0 codes, and its TSE data.
// Called by bons.ts and references.ts.
import type { ReceiptRequest } from '../../../../model/receipt.js'
import { decodeStoredRequest } from '../../../../model/stored-texts.js'
import type { StoredItem } from '../../../market.js'
import { answerOf, type TseData } from './answer.js'
import { type CaseData, readCaseData } from './case-data.js'

/** Bits 16 to 31 of a v0 ftReceiptCase. */
export const receiptFlags = { training: 0x0002, void: 0x0004 } as const

/** ftState of an answer of a queue that is not in operation: nothing of it is a receipt. */
const STATE_INACTIVE = 1n
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

/**
 * Undefined for items that are no receipts: refused ones, those without an answer, and answers of
 * a queue that is not in operation. Throws StoredTextError for texts that were never accepted.
 */
export function receiptOf(item: StoredItem): Receipt | undefined {
  if (item.response === null || item.receiptNumber === null) return undefined
  const answer = answerOf(item.response)
  if ((answer.state & STATE_INACTIVE) !== 0n) return undefined
  const request = germanCaseOf(decodeStoredRequest(item.request))
  return {
    row: item.row,
    timeStamp: item.timeStamp,
    number: item.receiptNumber,
    identification: answer.identification,
    moment: answer.moment,
    request,
    ...wordParts(request.receiptCase),
    data: readCaseData(request.receiptCaseData),
    tse: answer.tse,
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
