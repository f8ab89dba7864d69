// What a request means to the German queue: cases of either tagging, read into the v0/v1 tables,
// and the processData that the TSE will get.
import type { CasedRequest } from '../../case/reader.js'
import {
  foreignItem,
  foreignReceipt,
  isRounded,
  roundedItem,
  type Unread,
  unknownReceipt,
} from '../../case/refusals.js'
import type { Tagging, Word } from '../../case/word.js'
import { JsonObject, objectIn } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { caseRules } from './case-rules.js'
import {
  type BonType,
  bonTypeOf,
  caseOf,
  type ProcessType,
  processTypes,
  type ReceiptCase,
  receiptFlags,
} from './cases.js'
import { isChargeCode, isPayCode } from './item-cases.js'
import { type ChargeLine, linesOf, type PayLine } from './lines.js'
import { type Flow, type ReceiptCode, receiptCodeOf } from './mapping.js'
import { orderData, receiptData } from './process-data.js'

export interface Reading {
  kind: 'reading'
  tagging: Tagging
  /** v0/v1 code. */
  code: number
  /** v0/v1 flags, bits 16 and up moved down by 16. */
  flags: number
  row: ReceiptCase
  bonType: BonType | null
  flow: Flow
  processType: ProcessType
  processData: string
  /** ftReceiptCaseData in v0/v1 form. */
  caseData: string | null
  charges: readonly ChargeLine[]
  pays: readonly PayLine[]
}

export function readReceipt(read: CasedRequest): Reading | Refusal {
  const wrong = wrongCase(read)
  if (wrong !== undefined) return refuse(wrong.message, wrong.field)
  const { request, words } = read
  const { receipt, tagging = 'v0' } = words
  const { charges, pays } = linesOf(read)
  const items = { charges: charges.length, pays: pays.length }
  const code = tagging === 'v0' ? codeV0(receipt) : receiptCodeOf(receipt, items)
  const row = code === undefined ? undefined : caseOf(code.code, items)
  if (code === undefined || row === undefined || isRounded(read)) {
    const { message, field } = unknownReceipt(read, 'is not known')
    return refuse(message, field)
  }
  const bonType = bonTypeOf(row, (code.flags & receiptFlags.training) !== 0)
  const isVoid = (code.flags & receiptFlags.void) !== 0
  const processData = dataOf(row, { bonType, charges, pays, isVoid })
  if (typeof processData !== 'string') return processData
  const caseData = caseDataOf(request, tagging)
  const { processType } = row
  const parts = { row, bonType, processType, processData, caseData, charges, pays }
  return { kind: 'reading', tagging, ...code, ...parts }
}

function wrongCase(read: CasedRequest): Unread | undefined {
  const foreign = foreignReceipt(read, caseRules) ?? foreignItem(read, caseRules)
  if (foreign !== undefined || read.words.tagging === 'v2') return foreign
  return isRounded(read) ? undefined : roundedItem(read, isInTable)
}

/** Of either kind of item: what is meant is told apart by whoever reads it. */
function isInTable({ version, code }: Word): boolean {
  return version === 2 || isChargeCode(code) || isPayCode(code)
}

/** Bits 32 and 33 are flags like those below them. */
function codeV0({ code, flags, local }: Word): ReceiptCode {
  const all = flags | ((local & 0x3) << 16)
  return { code, flags: all, flow: (all & receiptFlags.implicit) === 0 ? 'explicit' : 'implicit' }
}

interface Content {
  bonType: BonType | null
  charges: readonly ChargeLine[]
  pays: readonly PayLine[]
  isVoid: boolean
}

function dataOf(row: ReceiptCase, { bonType, isVoid, ...items }: Content): string | Refusal {
  if (row.processType === processTypes.order) return orderData(items.charges)
  if (row.processType !== processTypes.receipt || bonType === null) return row.text
  return receiptData(bonType, items, isVoid)
}

/** The PosSystem API wraps the text of v0/v1 into an object, whose value may be one too. */
export function caseDataOf({ receiptCaseData }: ReceiptRequest, tagging: Tagging): string | null {
  if (receiptCaseData === null) return receiptCaseData
  // a case of v0 comes with such an object only from there
  if (tagging === 'v0' && !receiptCaseData.includes('"DE"')) return receiptCaseData
  const inner = objectIn(receiptCaseData)?.get('DE')
  if (inner instanceof JsonObject) return writeJson(inner)
  return typeof inner === 'string' ? inner : receiptCaseData
}
