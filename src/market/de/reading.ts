// What a request means to the German queue: cases of either tagging, read into the v0/v1 tables,
// and the processData that the TSE will get. First step of process.ts; used by exports as well.
import { JsonObject, objectIn } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { hexWord } from '../../model/case.js'
import { itemCaseThat } from '../../model/case-rules.js'
import { looksAllRounded, looksRounded, lostDigitsHint, roundedHint } from '../../model/lost-digits.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import { type Tagging, taggingOf, type Word, wordOf } from '../../model/tagged-word.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { isHome } from './case-words.js'
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

export function readReceipt(request: ReceiptRequest): Reading | Refusal {
  const word = wordOf(request.receiptCase)
  const tagging = taggingOf(word)
  if (!isHome(word)) return refuse(foreign(request.receiptCase), 'ftReceiptCase')
  if (tagging === undefined) {
    const text = hexWord(request.receiptCase)
    return refuse(`The receipt case ${text} has an unknown version.`, 'ftReceiptCase')
  }
  const wrong = tagging === 'v2' ? foreignItem(request) : undefined
  if (wrong !== undefined) return wrong
  const rounded = tagging === 'v0' ? roundedItem(request) : undefined
  if (rounded !== undefined) return rounded
  const { charges, pays } = linesOf(request, tagging)
  const items = { charges: charges.length, pays: pays.length }
  const code = tagging === 'v0' ? codeV0(word) : receiptCodeOf(word, items)
  const row = code === undefined ? undefined : caseOf(code.code, items)
  if (code === undefined || row === undefined || looksAllRounded(request)) {
    const text = `The receipt case ${hexWord(request.receiptCase)} is not known.`
    return refuse(`${text} ${lostDigitsHint(request.receiptCase)}`, 'ftReceiptCase')
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

/** The first item of a v2 receipt with another country or another version than 0 and 2. */
function foreignItem(request: ReceiptRequest): Refusal | undefined {
  const wrong = itemCaseThat((word) => !isV2Item(word), request)
  return wrong && refuse(foreign(wrong.word), wrong.field)
}

/** The first item of v0 whose case a program has rounded, where what is left is in no table. */
function roundedItem(request: ReceiptRequest): Refusal | undefined {
  if (looksAllRounded(request)) return undefined
  const wrong = itemCaseThat((word) => looksRounded(word) && !isInTable(word), request)
  if (wrong === undefined) return undefined
  const text = `The case ${hexWord(wrong.word)} is not known. ${lostDigitsHint(wrong.word)}`
  return refuse(text, wrong.field)
}

/** Of either kind of item: what is meant is told apart by whoever reads it. */
function isInTable(value: bigint): boolean {
  const { version, code } = wordOf(value)
  return version === 2 || isChargeCode(code) || isPayCode(code)
}

function isV2Item(value: bigint): boolean {
  const word = wordOf(value)
  return isHome(word) && (word.version === 0 || word.version === 2)
}

function foreign(value: bigint): string {
  const text = `The case ${hexWord(value)} is none of Germany: this queue belongs to DE.`
  return text + roundedHint(value)
}
