// What a request means to the Austrian queue: cases of either tagging, read into the v0/v1 tables.
// First step of process.ts; everything after it knows no tagging but for the words of the answer.
import { Decimal } from '../../lib/decimal.js'
import { hexWord } from '../../model/case.js'
import { itemCaseThat } from '../../model/case-rules.js'
import { looksAllRounded, looksRounded, lostDigitsHint, roundedHint } from '../../model/lost-digits.js'
import type { ChargeItem, PayItem, ReceiptRequest } from '../../model/receipt.js'
import { type Tagging, taggingOf, type Word, wordOf } from '../../model/tagged-word.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { isHome } from './case-words.js'
import {
  type ChargeRow,
  chargeRow,
  isCash,
  isChargeCode,
  isPayCode,
  isReceiptCode,
  type Path,
  pathOf,
  receiptFlags,
} from './cases.js'
import {
  chargeCodeOf,
  payCodeOf,
  receiptCodeOf,
  receiptFlagsOf,
  wantsCertificate,
} from './mapping.js'

export interface ChargeLine {
  row: ChargeRow
  item: ChargeItem
}

export interface PayLine {
  /** v0/v1 code. */
  code: number
  cash: boolean
  amount: Decimal
}

export interface Reading {
  kind: 'reading'
  tagging: Tagging
  path: Path
  /** v0/v1 code. */
  code: number
  training: boolean
  void: boolean
  lateSigning: boolean
  handwritten: boolean
  wantsCertificate: boolean
  charges: readonly ChargeLine[]
  pays: readonly PayLine[]
}

export function readReceipt(request: ReceiptRequest): Reading | Refusal {
  const word = wordOf(request.receiptCase)
  const tagging = taggingOf(word)
  if (!isHome(word)) {
    return refuse(foreign(request.receiptCase), 'ftReceiptCase')
  }
  if (tagging === undefined) {
    const text = hexWord(request.receiptCase)
    return refuse(`The receipt case ${text} has an unknown version.`, 'ftReceiptCase')
  }
  const rounded = roundedCase(request)
  if (rounded !== undefined) return rounded
  return tagging === 'v0' ? readV0(request, word) : readV2(request, word)
}

/** Cases that a program has rounded, also where what is left of one is a case of the table. */
function roundedCase(request: ReceiptRequest): Refusal | undefined {
  if (looksAllRounded(request)) {
    const hint = lostDigitsHint(request.receiptCase)
    const text = `The receipt case ${hexWord(request.receiptCase)} has lost its last digits.`
    return refuse(`${text} ${hint}`, 'ftReceiptCase')
  }
  const wrong = itemCaseThat((item) => looksRounded(item) && !isInTable(wordOf(item)), request)
  if (wrong === undefined) return undefined
  const text = `The case ${hexWord(wrong.word)} is not known. ${lostDigitsHint(wrong.word)}`
  return refuse(text, wrong.field)
}

/** Of either kind of item: what is meant is told apart by whoever reads it. */
function isInTable({ version, code }: Word): boolean {
  if (version !== 2) return isChargeCode(code) || isPayCode(code)
  // a service of the table with one of its tax cases; pay codes lie inside of these
  return (code & 0xf) <= LAST_VAT && ((code >>> 4) & 0xf) <= LAST_SERVICE
}

const LAST_VAT = 8
const LAST_SERVICE = 0xa

function notKnown(receiptCase: bigint): Refusal {
  const text = `The receipt case ${hexWord(receiptCase)} is not known.`
  return refuse(`${text} ${lostDigitsHint(receiptCase)}`, 'ftReceiptCase')
}

function readV0(request: ReceiptRequest, word: Word): Reading | Refusal {
  if (!isReceiptCode(word.code)) return notKnown(request.receiptCase)
  const charges = request.chargeItems.map(readCharge)
  const pays = request.payItems.map(readPay)
  return reading({ tagging: 'v0', code: word.code, flags: word.flags, charges, pays })
}

/** An item of a v0/v1 receipt: version nibble 2 means v2; `admit` has looked at the country. */
function readCharge(item: ChargeItem): ChargeLine {
  const { version, code, flags } = wordOf(item.chargeItemCase)
  const v0 = version === 2 ? chargeCodeOf(code, flags, item.vatRate) : code
  return { row: chargeRow(v0, item.vatRate), item }
}

function readPay(item: PayItem): PayLine {
  const { version, code, flags } = wordOf(item.payItemCase)
  const v0 = version === 2 ? payCodeOf(code, flags, item.amount) : code
  return { code: v0, cash: isCash(v0), amount: item.amount }
}

function readV2(request: ReceiptRequest, word: Word): Reading | Refusal {
  const wrong = foreignItem(request)
  if (wrong !== undefined) return wrong
  const charges = request.chargeItems.map(readChargeV2)
  const pays = request.payItems.map(readPayV2)
  const code = receiptCodeOf(word.code, word.flags, () => ({
    chargeItems: charges.length,
    cash: pays.reduce((sum, pay) => (pay.cash ? sum.plus(pay.amount) : sum), Decimal.ZERO),
  }))
  if (code === undefined) return notKnown(request.receiptCase)
  const flags = receiptFlagsOf(word.code, word.flags)
  const result = reading({ tagging: 'v2', code, flags, charges, pays })
  result.wantsCertificate = wantsCertificate(word.code, word.flags)
  return result
}

/** An item of a v2 receipt is read as v2, with or without version nibble. */
function readChargeV2(item: ChargeItem): ChargeLine {
  const { code, flags } = wordOf(item.chargeItemCase)
  return { row: chargeRow(chargeCodeOf(code, flags, item.vatRate), item.vatRate), item }
}

function readPayV2(item: PayItem): PayLine {
  const { code, flags } = wordOf(item.payItemCase)
  const v0 = payCodeOf(code, flags, item.amount)
  return { code: v0, cash: isCash(v0), amount: item.amount }
}

/** The first item of a v2 receipt with another country or another version than 0 and 2. */
function foreignItem(request: ReceiptRequest): Refusal | undefined {
  const wrong = itemCaseThat((word) => !isV2Item(word), request)
  return wrong && refuse(foreign(wrong.word), wrong.field)
}

function isV2Item(value: bigint): boolean {
  const word = wordOf(value)
  return isHome(word) && (word.version === 0 || word.version === 2)
}

function foreign(value: bigint): string {
  const text = `The case ${hexWord(value)} is none of Austria: this queue belongs to AT.`
  return text + roundedHint(value)
}

interface Parts {
  tagging: Tagging
  code: number
  flags: number
  charges: readonly ChargeLine[]
  pays: readonly PayLine[]
}

function reading({ tagging, code, flags, charges, pays }: Parts): Reading {
  return {
    kind: 'reading',
    tagging,
    path: pathOf(code),
    code,
    training: (flags & receiptFlags.training) !== 0,
    void: (flags & receiptFlags.void) !== 0,
    lateSigning: (flags & receiptFlags.lateSigning) !== 0,
    handwritten: (flags & receiptFlags.handwritten) !== 0,
    wantsCertificate: false,
    charges,
    pays,
  }
}
