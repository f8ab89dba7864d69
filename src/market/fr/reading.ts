// What a request means to the French queue: cases of either tagging, read into the v0 tables.
import type { Cased, CasedRequest } from '../../case/reader.js'
import {
  foreignItem,
  foreignReceipt,
  isRounded,
  type Unread,
  unknownReceipt,
} from '../../case/refusals.js'
import { isVersion2, type Tagging } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import { sha256 } from '../../lib/hash.js'
import type { ChargeItem, PayItem } from '../../model/receipt.js'
import type { Fault, LookUp } from '../contract.js'
import { chargeCodeOf, payCodeOf } from '../kit/item-mapping.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { receiptCodeOf, receiptFlagsOf } from '../kit/v0-cases.js'
import {
  COUNTER_ENTRY,
  caseRules,
  chargeBucket,
  payBucket,
  type ReceiptRow,
  receiptCases,
  receiptFlags,
  receiptRow,
} from './cases.js'
import { ITEM_TABLES, RECEIPT_TABLES } from './mapping.js'
import { refusals } from './text.js'
import type { Amounts, BlockMember } from './totals.js'

export interface Reading {
  kind: 'reading'
  tagging: Tagging
  /** v0 code. */
  code: number
  row: ReceiptRow
  training: boolean
  failed: boolean
  /** What its items add up to, by buckets. */
  amounts: Amounts
  /** Of the receipt that a copy copies; '' on others. */
  copied: string
}

/** Of a receipt that nobody looks at. */
export const NOTHING_READ: Omit<Reading, 'tagging'> = {
  ...{ kind: 'reading', code: receiptCases.unknown, copied: '', amounts: {} },
  row: { letter: null, items: 'any', document: 'receipt', told: undefined },
  ...{ training: false, failed: false },
}

interface Line {
  code: number
  bucket: BlockMember
  amount: Decimal
}

interface Lines {
  charges: Line[]
  pays: Line[]
}

export function readReceipt(read: CasedRequest): Reading | Refusal {
  const wrong = foreignReceipt(read, caseRules) ?? foreignItem(read, caseRules) ?? rounded(read)
  if (wrong !== undefined) return refuse(wrong.message, wrong.field)
  const lines = { charges: read.words.charges.map(chargeLine), pays: read.words.pays.map(payLine) }
  const code = codeOf(read, lines)
  const row = code === undefined ? undefined : receiptRow(code)
  if (code === undefined || row === undefined) {
    const { message, field } = unknownReceipt(read, 'is not known')
    return refuse(message, field)
  }
  const { receipt } = read.words
  const tagging = isVersion2(receipt) ? 'v2' : 'v0'
  if (tagging === 'v2') addCounterEntry(row, lines)
  const copied = code === receiptCases.copy ? copiedReference(read) : ''
  const reading: Reading = {
    ...{ kind: 'reading', tagging, code, row, copied },
    ...flagsOf(read, code),
    amounts: amountsOf(lines),
  }
  const faults = faultsOf(reading, lines)
  return faults.length === 0 ? reading : { kind: 'refusal', faults }
}

/** Words that a program has rounded. */
function rounded(read: CasedRequest): Unread | undefined {
  return isRounded(read) ? unknownReceipt(read, 'has lost its last digits') : undefined
}

function chargeLine({ item, ...word }: Cased<ChargeItem>): Line {
  const { code, flags } = word
  const rate = item.vatRate
  const v0 = isVersion2(word) ? chargeCodeOf({ code, flags, rate }, ITEM_TABLES) : code
  return { code: v0, bucket: chargeBucket(v0, rate), amount: item.amount }
}

function payLine({ item, ...word }: Cased<PayItem>): Line {
  const { code, flags } = word
  const v0 = isVersion2(word) ? payCodeOf(code, flags, item.amount) : code
  return { code: v0, bucket: payBucket(v0), amount: item.amount }
}

function codeOf({ words: { receipt } }: CasedRequest, lines: Lines): number | undefined {
  if (!isVersion2(receipt)) return receipt.code
  return receiptCodeOf(receipt, RECEIPT_TABLES, () => ({
    chargeItems: lines.charges.length,
    cash: sumOf(lines.pays.filter(({ bucket }) => bucket === 'pi-c')),
  }))
}

function flagsOf(
  { words: { receipt } }: CasedRequest,
  code: number,
): Pick<Reading, 'training' | 'failed'> {
  const flags = isVersion2(receipt) ? receiptFlagsOf(receipt, RECEIPT_TABLES) : receipt.flags
  return {
    training: (flags & receiptFlags.training) !== 0,
    // a zero receipt ends the failure
    failed: (flags & receiptFlags.failed) !== 0 && code !== receiptCases.zero,
  }
}

function sumOf(lines: readonly Line[]): Decimal {
  return lines.reduce((sum, { amount }) => sum.plus(amount), Decimal.ZERO)
}

/** Receipts of version 2 that are no sale come without payment, or with payments alone. */
function addCounterEntry({ letter }: ReceiptRow, { charges, pays }: Lines): void {
  if (letter === 'T' || letter === 'I') return
  const amount = sumOf(charges).minus(sumOf(pays))
  if (!amount.isZero) {
    pays.push({ code: COUNTER_ENTRY, bucket: payBucket(COUNTER_ENTRY), amount })
  }
}

function amountsOf({ charges, pays }: Lines): Amounts {
  const sums = new Map<BlockMember, Decimal>([['total', sumOf(charges)]])
  for (const { bucket, amount } of [...charges, ...pays]) {
    sums.set(bucket, amount.plus(sums.get(bucket) ?? Decimal.ZERO))
  }
  return Object.fromEntries([...sums].map(([name, sum]) => [name, sum.toShortString()]))
}

/** Older programs put the reference into ftReceiptCaseData, as a plain text. */
function copiedReference({ request }: CasedRequest): string {
  const { previousReceiptReference, receiptCaseData } = request
  const named = previousReceiptReference?.trim() ?? ''
  if (named !== '') return named
  const data = receiptCaseData?.trim() ?? ''
  return /^[{["]/.test(data) ? '' : data
}

/** Whole numbers that a double holds exactly. */
const KEY_BYTES = 6

const COPY_OF_VERSION_2 = 0x3010

/** By which the copies of a receipt are counted: the reference of the original, hashed. */
export function copyKey(reference: string): number {
  return sha256(reference).readUIntBE(0, KEY_BYTES)
}

/** Copies of the same receipt; practice is not counted. */
export function lookUp(read: CasedRequest): LookUp | undefined {
  const { receipt } = read.words
  const { code } = receipt
  if (code !== (isVersion2(receipt) ? COPY_OF_VERSION_2 : receiptCases.copy)) return undefined
  const reading = readReceipt(read)
  if (reading.kind === 'refusal' || reading.training || reading.copied === '') return undefined
  return { counts: copyKey(reading.copied) }
}

// ------------------------------------------------------------------------------------------- rules

/** Differences that programs of version 2 make, as they compute in floating point. */
const TOLERATED = Decimal.of('0.01')

/** One for each broken rule. */
function faultsOf({ row, tagging, code, copied }: Reading, { charges, pays }: Lines): Fault[] {
  const faults: Fault[] = []
  const fault = (message: string, member: string) => faults.push({ message, member })
  const difference = sumOf(charges).minus(sumOf(pays))
  const size = difference.isNegative ? difference.negated() : difference
  const isBalanced = size.isZero || (tagging === 'v2' && !size.minus(TOLERATED).isPositive)
  if (!isBalanced) {
    const sums = [sumOf(charges), sumOf(pays)].map((sum) => sum.toShortString())
    fault(refusals.balance(sums[0] ?? '', sums[1] ?? ''), 'cbPayItems')
  }
  const takesCharges = row.items === 'any' || row.items === 'counted'
  const isMoved = tagging === 'v2' && row.items === 'transfer'
  if (!takesCharges && !isMoved && charges.length > 0) fault(refusals.noCharges, 'cbChargeItems')
  if (row.items === 'none' && pays.length > 0) fault(refusals.noPays, 'cbPayItems')
  const isCounted = pays.length === 1 && pays[0]?.code === COUNTER_ENTRY
  if (row.items === 'counted' && tagging === 'v0' && !isCounted) {
    fault(refusals.counter, 'cbPayItems')
  }
  if (code === receiptCases.copy && copied === '') {
    fault(refusals.noReference, 'cbPreviousReceiptReference')
  }
  return faults
}
