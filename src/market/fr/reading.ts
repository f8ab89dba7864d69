// What a request means to the French queue: cases of either tagging, read into the v0 tables; and
// the receipt on its way from there.
import type { CasedRequest } from '../../case/reader.js'
import { foreignItem, foreignReceipt, isRounded, unknownReceipt } from '../../case/refusals.js'
import { isVersion2, type Tagging } from '../../case/word.js'
import type { JwsDevice } from '../../device/jws.js'
import { abs } from '../../lib/amounts.js'
import { Decimal, totalOf } from '../../lib/decimal.js'
import type { Fault, ReceiptInput, Sought } from '../contract.js'
import type { Draft } from '../kit/draft.js'
import { type Refusal, unread } from '../kit/refusal.js'
import { readV0, type V0Reading, type V0Rules } from '../kit/v0-reading.js'
import {
  COPY_OF_VERSION_2,
  COUNTER_ENTRY,
  caseRules,
  chargeBucket,
  chargeCode,
  payBucket,
  RECEIPT_TABLES,
  type ReceiptRow,
  receiptCases,
  receiptFlags,
  receiptRow,
} from './cases.js'
import type { FrState } from './queue.js'
import type { Letter } from './rows.js'
import { broken, type Rule } from './text.js'
import { type Amounts, BLOCK, type BlockMember } from './totals.js'

export type FrInput = ReceiptInput<FrState, JwsDevice>

export interface FrDraft extends Draft<FrState, JwsDevice> {
  readonly reading: Reading
}

export interface Reading {
  kind: 'reading'
  tagging: Tagging
  /** v0 code. */
  code: number
  row: ReceiptRow
  /** Of the chain in which it is signed; null: in none. */
  letter: Letter | null
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
  row: { letter: null, items: 'any', document: 'receipt' },
  ...{ letter: null, training: false, failed: false },
}

interface Line {
  code: number
  bucket: BlockMember
  amount: Decimal
}

type Lines = Pick<V0Reading<Line, Line>, 'charges' | 'pays'>

const RULES: V0Rules<Line, Line> = {
  receipts: RECEIPT_TABLES,
  chargeCode,
  charge: (code, { vatRate, amount }) => ({ code, bucket: chargeBucket(code, vatRate), amount }),
  pay: (code, { amount }) => ({ code, bucket: payBucket(code), amount }),
  cash: (pays) => totalOf(pays.filter(({ bucket }) => bucket === 'pi-c')),
}

export function readReceipt(read: CasedRequest): Reading | Refusal {
  const rounded = isRounded(read) ? unknownReceipt(read, 'has lost its last digits') : undefined
  const wrong = foreignReceipt(read, caseRules) ?? foreignItem(read, caseRules) ?? rounded
  if (wrong !== undefined) return unread(wrong)
  const { code, tagging, flags, ...lines } = readV0(read, RULES)
  const row = code === undefined ? undefined : receiptRow(code)
  if (code === undefined || row === undefined) return unread(unknownReceipt(read, 'is not known'))
  if (tagging === 'v2') addCounterEntry(row, lines)
  const training = (flags & receiptFlags.training) !== 0
  const reading: Reading = {
    kind: 'reading',
    tagging,
    code,
    row,
    letter: training ? 'X' : row.letter,
    amounts: amountsOf(lines),
    copied: code === receiptCases.copy ? copiedReference(read) : '',
    training,
    // a zero receipt ends the failure
    failed: (flags & receiptFlags.failed) !== 0 && code !== receiptCases.zero,
  }
  const faults = faultsOf(reading, lines)
  return faults.length === 0 ? reading : { kind: 'refusal', faults }
}

/** Receipts of version 2 that are no sale come without payment, or with payments alone. */
function addCounterEntry({ letter }: ReceiptRow, { charges, pays }: Lines): void {
  if (letter === 'T' || letter === 'I') return
  const amount = totalOf(charges).minus(totalOf(pays))
  if (amount.isZero) return
  pays.push({ code: COUNTER_ENTRY, bucket: payBucket(COUNTER_ENTRY), amount })
}

function amountsOf({ charges, pays }: Lines): Amounts {
  const sums: Partial<Record<BlockMember, Decimal>> = { total: totalOf(charges) }
  for (const { bucket, amount } of [...charges, ...pays]) {
    sums[bucket] = sums[bucket]?.plus(amount) ?? amount
  }
  const amounts: Partial<Record<BlockMember, string>> = {}
  for (const name of BLOCK) {
    const sum = sums[name]
    if (sum !== undefined) amounts[name] = sum.toShortString()
  }
  return amounts
}

/** Older programs put the reference into ftReceiptCaseData, as a plain text. */
function copiedReference({ request }: CasedRequest): string {
  const named = request.previousReceiptReference?.trim() ?? ''
  const data = request.receiptCaseData?.trim() ?? ''
  return named !== '' || /^[{["]/.test(data) ? named : data
}

/** Copies of the same receipt; practice is not counted. */
export function lookUp(read: CasedRequest): readonly Sought[] | undefined {
  const { receipt } = read.words
  if (receipt.code !== (isVersion2(receipt) ? COPY_OF_VERSION_2 : receiptCases.copy))
    return undefined
  const reading = readReceipt(read)
  if (reading.kind === 'refusal' || reading.training || reading.copied === '') return undefined
  return [{ reference: reading.copied, wants: 'rows' }]
}

/** Differences that programs of version 2 make, as they compute in floating point. */
const TOLERATED: Readonly<Record<Tagging, Decimal>> = { v0: Decimal.ZERO, v2: Decimal.of('0.01') }

/** One for each broken rule. */
function faultsOf({ row, tagging, code, copied }: Reading, { charges, pays }: Lines): Fault[] {
  const [charged, paid] = [totalOf(charges), totalOf(pays)]
  const isLater = tagging === 'v2'
  const takesCharges = row.items === 'any' || row.items === 'counted'
  const isMoved = isLater && row.items === 'transfer'
  const isCounted = pays.length === 1 && pays[0]?.code === COUNTER_ENTRY
  const rules: [isBroken: boolean, rule: Rule][] = [
    [abs(charged.minus(paid)).minus(TOLERATED[tagging]).isPositive, 'balance'],
    [!takesCharges && !isMoved && charges.length > 0, 'noCharges'],
    [row.items === 'none' && pays.length > 0, 'noPays'],
    [row.items === 'counted' && !isLater && !isCounted, 'counter'],
    [code === receiptCases.copy && copied === '', 'noReference'],
  ]
  return rules.flatMap(([isBroken, rule]) =>
    isBroken ? broken(rule, charged.toShortString(), paid.toShortString()) : [],
  )
}
