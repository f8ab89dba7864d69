// What a request means to the Austrian queue: cases of either tagging, read into the v0/v1 tables.
// Everything after it knows no tagging but for the words of the answer.
import type { Cased, CasedRequest } from '../../case/reader.js'
import {
  foreignItem,
  foreignReceipt,
  isRounded,
  roundedItem,
  type Unread,
  unknownReceipt,
} from '../../case/refusals.js'
import { isVersion2, type Tagging, type Word } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import type { ChargeItem, PayItem } from '../../model/receipt.js'
import { payCodeOf } from '../kit/item-mapping.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { receiptCodeOf, receiptFlagsOf } from '../kit/v0-cases.js'
import {
  type ChargeRow,
  caseRules,
  chargeRow,
  isCash,
  isChargeCode,
  isPayCode,
  isReceiptCode,
  type Path,
  pathOf,
  receiptFlags,
} from './cases.js'
import { chargeCodeOf, RECEIPT_TABLES, wantsCertificate } from './mapping.js'

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

export function readReceipt(read: CasedRequest): Reading | Refusal {
  const wrong = wrongCase(read)
  if (wrong !== undefined) return refuse(wrong.message, wrong.field)
  return read.words.tagging === 'v0' ? readV0(read) : readV2(read)
}

/** Cases that a program has rounded count also where what is left of one is a case of the table. */
function wrongCase(read: CasedRequest): Unread | undefined {
  const foreign = foreignReceipt(read, caseRules)
  if (foreign !== undefined) return foreign
  if (isRounded(read)) return unknownReceipt(read, 'has lost its last digits')
  return roundedItem(read, isInTable) ?? foreignItem(read, caseRules)
}

/** Of either kind of item: what is meant is told apart by whoever reads it. */
function isInTable({ version, code }: Word): boolean {
  if (version !== 2) return isChargeCode(code) || isPayCode(code)
  // a service of the table with one of its tax cases; pay codes lie inside of these
  return (code & 0xf) <= LAST_VAT && ((code >>> 4) & 0xf) <= LAST_SERVICE
}

const LAST_VAT = 8
const LAST_SERVICE = 0xa

function notKnown(read: CasedRequest): Refusal {
  const { message, field } = unknownReceipt(read, 'is not known')
  return refuse(message, field)
}

function readV0(read: CasedRequest): Reading | Refusal {
  const { receipt, charges, pays } = read.words
  if (!isReceiptCode(receipt.code)) return notKnown(read)
  return reading({
    tagging: 'v0',
    code: receipt.code,
    flags: receipt.flags,
    charges: charges.map((word) =>
      isVersion2(word) ? chargeV2(word) : chargeLine(word.code, word),
    ),
    pays: pays.map((word) => (isVersion2(word) ? payV2(word) : payLine(word.code, word))),
  })
}

function readV2(read: CasedRequest): Reading | Refusal {
  const { receipt } = read.words
  const charges = read.words.charges.map(chargeV2)
  const pays = read.words.pays.map(payV2)
  const code = receiptCodeOf(receipt, RECEIPT_TABLES, () => ({
    chargeItems: charges.length,
    cash: pays.reduce((sum, pay) => (pay.cash ? sum.plus(pay.amount) : sum), Decimal.ZERO),
  }))
  if (code === undefined) return notKnown(read)
  const flags = receiptFlagsOf(receipt, RECEIPT_TABLES)
  const result = reading({ tagging: 'v2', code, flags, charges, pays })
  result.wantsCertificate = wantsCertificate(receipt.code, receipt.flags)
  return result
}

/** An item of a v2 receipt is read as v2, with or without version nibble. */
function chargeV2(word: Cased<ChargeItem>): ChargeLine {
  return chargeLine(chargeCodeOf(word.code, word.flags, word.item.vatRate), word)
}

function chargeLine(code: number, { item }: Cased<ChargeItem>): ChargeLine {
  return { row: chargeRow(code, item.vatRate), item }
}

function payV2(word: Cased<PayItem>): PayLine {
  return payLine(payCodeOf(word.code, word.flags, word.item.amount), word)
}

function payLine(code: number, { item }: Cased<PayItem>): PayLine {
  return { code, cash: isCash(code), amount: item.amount }
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
