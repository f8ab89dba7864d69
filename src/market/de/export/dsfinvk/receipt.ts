// A stored receipt as the export sees it: its request with German v0 codes, and its TSE data.

import type { CasedRequest } from '../../../../case/reader.js'
import { readStored } from '../../../../case/stored-receipt.js'
import type { StoredItem } from '../../../../model/journal.js'
import type { ReceiptRequest } from '../../../../model/receipt.js'
import { type BonType, bonTypeOf, caseOf, processTypes, receiptFlags } from '../../cases.js'
import { caseRules, type Lines, linesOf, receiptCodeOf } from '../../mapping.js'

import { answerOf, headOf, type TseData } from './answer.js'
import { type CaseData, readCaseData } from './case-data.js'

/** ftState of an answer of a queue that is not in operation: nothing of it is a receipt. */
const STATE_INACTIVE = 1n
/** The case of a receipt and of its items in v0/v1 numbers. */
export interface GermanCase extends Lines {
  /** Bits 16 and up of the receipt case. */
  flags: number
  /** Null: no slip (Bon). */
  bonType: BonType | null
  /** processType Bestellung-V1. */
  isOrder: boolean
}

export interface Receipt extends GermanCase {
  row: number
  timeStamp: bigint
  /** Number in the receipt journal: BON_NR. */
  number: number
  /** ftReceiptIdentification: BON_ID. */
  identification: string
  /** ftReceiptMoment. */
  moment: Date
  request: ReceiptRequest
  data: CaseData
  tse: TseData
  /** The transaction of a receipt that was answered without signature and finished later. */
  late?: TseData
}

/**
 * Undefined for items that are no receipts: refused ones, those without an answer, and answers of
 * a queue that is not in operation. Throws StoredTextError for texts that were never accepted.
 */
export function receiptOf(item: StoredItem): Receipt | undefined {
  if (item.response === null || item.receiptNumber === null) return undefined
  const answer = answerOf(item.response)
  if ((answer.state & STATE_INACTIVE) !== 0n) return undefined
  const read = readOf(item)
  const { request } = read
  const { flags, bonType, isOrder, charges, pays } = germanCaseOf(read)
  return {
    row: item.row,
    timeStamp: item.timeStamp,
    number: item.receiptNumber,
    identification: answer.identification,
    moment: answer.moment,
    request,
    flags,
    bonType,
    isOrder,
    charges,
    pays,
    data: readCaseData(request.receiptCaseData),
    tse: answer.tse,
  }
}

/** What only a header of the call named, terminal and POS system, is stored beside the request. */
function readOf(item: StoredItem): CasedRequest {
  const read = readStored(item.request, { version: item.version, cases: caseRules })
  const { request } = read
  request.terminalId ??= item.terminalId
  request.posSystemId ??= item.posSystemId
  return read
}

/** What another slip needs to know to refer to this one. */
export type ReferredSlip = Pick<Receipt, 'row' | 'timeStamp' | 'identification'>

/** Undefined for what is no slip. Throws as receiptOf. */
export function slipOf(item: StoredItem): ReferredSlip | undefined {
  if (item.response === null || item.receiptNumber === null) return undefined
  const { identification, state } = headOf(item.response)
  if ((state & STATE_INACTIVE) !== 0n) return undefined
  if (germanCaseOf(readOf(item)).bonType === null) return undefined
  return { row: item.row, timeStamp: item.timeStamp, identification }
}

/**
 * What a request means in the tables of v0/v1, whatever tagging it was sent with: the queue reads
 * it with the same functions when it signs.
 */
export function germanCaseOf(read: CasedRequest): GermanCase {
  const { receipt, tagging } = read.words
  const { charges, pays } = linesOf(read)
  const items = { charges: charges.length, pays: pays.length }
  const found = tagging === 'v2' ? receiptCodeOf(receipt, items) : receipt
  const row = found === undefined ? undefined : caseOf(found.code, items)
  if (found === undefined || row === undefined) {
    return { flags: 0, bonType: null, isOrder: false, charges, pays }
  }
  const { flags } = found
  return {
    flags,
    bonType: bonTypeOf(row, (flags & receiptFlags.training) !== 0),
    isOrder: row.processType === processTypes.order,
    charges,
    pays,
  }
}
