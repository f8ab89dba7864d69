// What a request means to the Austrian queue: cases of either tagging, read into the v0/v1 tables.
// Everything after it knows no tagging but for the words of the answer.
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
import { type Decimal, totalOf } from '../../lib/decimal.js'
import type { ChargeItem } from '../../model/receipt.js'
import { type Refusal, unread } from '../kit/refusal.js'
import { readV0, type V0Rules } from '../kit/v0-reading.js'
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
  if (wrong !== undefined) return unread(wrong)
  return readKnown(read)
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

const RULES: V0Rules<ChargeLine, PayLine> = {
  receipts: RECEIPT_TABLES,
  chargeCode: ({ code, flags, rate }) => chargeCodeOf(code, flags, rate),
  charge: (code, item) => ({ row: chargeRow(code, item.vatRate), item }),
  pay: (code, { amount }) => ({ code, cash: isCash(code), amount }),
  cash: (pays) => totalOf(pays.filter(({ cash }) => cash)),
}

function readKnown(read: CasedRequest): Reading | Refusal {
  const { code, tagging, flags, charges, pays } = readV0(read, RULES)
  if (code === undefined || !isReceiptCode(code))
    return unread(unknownReceipt(read, 'is not known'))
  const result = reading({ tagging, code, flags, charges, pays })
  const { receipt } = read.words
  if (tagging === 'v2') result.wantsCertificate = wantsCertificate(receipt.code, receipt.flags)
  return result
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
