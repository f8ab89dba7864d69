// What a request means to the Portuguese queue, and every rule that it can break by itself.
import type { CasedRequest } from '../../case/reader.js'
import { chargeTraits, payTraits, receiptTraits } from '../../case/traits.js'
import type { Word } from '../../case/word.js'
import {
  anonymous,
  type Customer,
  type Line,
  type Payment,
  type Totals,
} from '../../device/pt/document.js'
import { abs, sumOf, two } from '../../lib/amounts.js'
import { Decimal } from '../../lib/decimal.js'
import { objectIn } from '../../lib/json.js'
import { objectMember, textMember } from '../../lib/json-object.js'
import { isEncodable } from '../../lib/windows-1252.js'
import type { Fault } from '../contract.js'
import { knownAs, type PlainReading } from '../kit/known.js'
import type { Refusal } from '../kit/refusal.js'
import { paidTotals, totalsOf } from './amounts.js'
import * as c from './cases.js'
import { customerOf } from './customer.js'
import { type Lines, linesOf } from './lines.js'
import type { QueueConfiguration } from './queue.js'
import { broken, faultsOf, firstOf } from './text.js'

export interface Paper {
  series: string
  number: number
}

export interface Reading extends PlainReading {
  /** Where its document is numbered; undefined: it makes none. */
  chain: c.Chain | undefined
  lines: Line[]
  totals: Totals
  payments: Payment[]
  customer: Customer
  /** The document on paper that is recovered. */
  paper: Paper | undefined
}

type Settings = QueueConfiguration

const SIGNED: ReadonlySet<string> = new Set(c.SLOTS)
const TOLERATED = Decimal.of('0.01')
const CASH_LIMIT = new Decimal(3000n, 0)

export function readReceipt(read: CasedRequest, settings: Settings): Reading | Refusal {
  const known = knownAs(read, c.caseRules, c.receipts)
  if ('kind' in known) return known
  const { what } = known
  const { receipt, charges } = read.words
  const plain: Reading = {
    ...{ ...known.plain, chain: undefined, lines: [], totals: totalsOf([]), payments: [] },
    ...{ customer: anonymous, paper: undefined },
  }
  const traits = receiptTraits(receipt)
  const base = SIGNED.has(what) ? (what as c.Slot) : undefined
  if (base === undefined && what !== 'checked') return plain
  const stopped = firstFault(read, settings, base)
  if (stopped !== undefined) return stopped
  const { voids, refunds } = plain
  const lines = linesOf(read, { settings, turned: voids || refunds, slot: base })
  const found = customerOf(read.request.customer)
  const [customer, wrong] = 'rule' in found ? [anonymous, found] : [found, undefined]
  const reading: Reading = {
    ...{ ...plain, lines: lines.lines, customer },
    chain: base && chainOf(base, receipt, refunds),
    totals: base === 'R' ? paidTotals(abs(lines.gross)) : totalsOf(lines.lines),
    payments: paymentsOf(read),
    paper: traits.handwritten ? paperIn(read.request.receiptCaseData) : undefined,
  }
  const isMixed = !refunds && charges.some((one) => chargeTraits(one).refund)
  const faults = [
    ...lines.faults,
    ...faultsOf([isMixed, 'MixedRefundItemsNotAllowed']),
    ...(wrong === undefined ? [] : [broken(wrong.rule, [wrong.value])]),
    ...(traits.handwritten ? [] : sumFaults(read, reading, { lines, settings })),
  ]
  return faults.length === 0 ? reading : { kind: 'refusal', faults }
}

function chainOf(base: c.Slot, receipt: Word, isRefund: boolean): c.Chain {
  const { training, handwritten } = receiptTraits(receipt)
  let slot = base
  // of its local flags
  if (base === 'P' && (receipt.local & c.BUDGET_FLAG) !== 0) slot = 'O'
  if (isRefund && c.documents[base].table === 'SalesInvoices') slot = 'N'
  if (handwritten) slot = 'H'
  return training && slot !== 'H' ? (slot.toLowerCase() as c.Chain) : slot
}

/** Rules after which nothing else is looked at. */
function firstFault(read: CasedRequest, settings: Settings, base: c.Slot | undefined) {
  const { request, words } = read
  const { training, handwritten, void: voids, refund } = receiptTraits(words.receipt)
  const { flags, code } = words.receipt
  const user = request.user?.trim() ?? ''
  const isPlain = user.startsWith('{') && !textMember(objectIn(user), 'UserId')
  const isLinked = (request.previousReceiptReference ?? '').trim() !== ''
  const paper = paperIn(request.receiptCaseData)
  const isWritten = /^[^\s/^]{1,40}$/.test(paper?.series ?? '') && isEncodable(paper?.series ?? '')
  return firstOf(
    [training && !settings['training-enabled'], 'TrainingModeNotSupported'],
    [(flags & c.TRANSPORT_FLAG) !== 0, 'TransportationIsNotSupported', code.toString(16)],
    [user === '' && base !== undefined && settings['user-required'], 'UserRequiredForSignatures'],
    [user !== '' && user.length < 3, 'UserTooShort'],
    [isPlain, 'InvalidUserStructure'],
    [handwritten && (voids || refund || isLinked), 'HandwrittenReceiptsNotSupported'],
    [handwritten && base !== 'I', 'HandwrittenReceiptOnlyForInvoices'],
    [handwritten && paper === undefined, 'HandwrittenReceiptSeriesAndNumberMandatory'],
    [handwritten && !isWritten, 'HandwrittenReceiptSeriesInvalidCharacter'],
  )
}

/** `{"PT":{"Series":"A","Number":7}}` */
export function paperIn(data: string | null): Paper | undefined {
  const given = objectMember(objectIn(data), 'PT')
  const series = textMember(given, 'Series')?.trim() ?? ''
  const number = textMember(given, 'Number') ?? ''
  return series === '' || !/^[1-9]\d{0,14}$/.test(number)
    ? undefined
    : { series, number: Number(number) }
}

function paymentsOf({ words }: CasedRequest): Payment[] {
  return words.pays.flatMap((one) => {
    const { kind } = payTraits(one)
    if (kind === c.ON_ACCOUNT) return []
    return { mechanism: c.mechanismOf(kind), amount: two(abs(one.item.amount)) }
  })
}

type Read = { lines: Lines; settings: Settings }

function sumFaults({ words }: CasedRequest, reading: Reading, { lines, settings }: Read): Fault[] {
  const { code, totals, chain, voids } = reading
  const isWorking = chain !== undefined && isWorkingChain(chain)
  const isEmpty = chain !== undefined && words.charges.length === 0
  const isPaid = code === c.receiptCases.payment
  const paid = sumOf(words.pays.map(({ item }) => item.amount))
  const difference = lines.gross.minus(paid)
  const isOff = !isWorking && abs(difference).minus(TOLERATED).isPositive
  const cash = words.pays.filter((one) => payTraits(one).kind === c.CASH)
  const inCash = abs(sumOf(cash.map(({ item }) => item.amount)))
  const other = lines.lines.filter(({ service }) => service === c.OTHER_SERVICE)
  const limit = String(settings['fs-limit'])
  const isSimple = chain?.toUpperCase() === 'S' && !voids
  const isOver = (...nets: string[]) =>
    isSimple && sumOf(nets.map(Decimal.of)).minus(Decimal.of(limit)).isPositive
  const sums = [lines.gross, paid, difference].map((sum) => sum.toShortString())
  return faultsOf(
    [isWorking && words.pays.length > 0, 'WorkingDocumentPayItemsNotAllowed'],
    [isOff, 'ReceiptNotBalanced', ...sums],
    [isEmpty && isPaid, 'PaymentTransferRequiresAccountReceivableItem'],
    [isEmpty && !isPaid, 'ChargeItemsMissing'],
    [inCash.minus(CASH_LIMIT).isPositive, 'CashPaymentExceedsLimit', CASH_LIMIT.toShortString()],
    [isOver(totals.net), 'PosReceiptNetAmountExceedsLimit', limit],
    [isOver(...other.map(({ net }) => net)), 'OtherServiceNetAmountExceedsLimit', limit],
  )
}

export const isWorkingChain = (chain: c.Chain): boolean => /^[poc]$/i.test(chain)
