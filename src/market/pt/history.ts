// What became of an earlier document: annulled, invoiced, credited, paid. Each act leaves a row of
// kind `counted` under the hashed reference of the document, with all that holds since then.
import type { CasedRequest } from '../../case/reader.js'
import { payTraits, receiptTraits } from '../../case/traits.js'
import type { Line } from '../../device/pt/document.js'
import { abs, sumOf, two } from '../../lib/amounts.js'
import { Decimal } from '../../lib/decimal.js'
import { objectIn } from '../../lib/json.js'
import { momentIn } from '../../model/json-members.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import type { Sought } from '../contract.js'
import { noteCounted } from '../kit/counted.js'
import { referredTo } from '../kit/draft.js'
import { earlierOf, type GivenBack, givenBack, isTooMuch, samePieces } from '../kit/earlier.js'
import type { Refusal } from '../kit/refusal.js'
import { caseRules, ON_ACCOUNT, receiptCases, receipts, slotOf } from './cases.js'
import { localDay, type PtDraft, type PtInput } from './draft.js'
import { isWorkingChain, type Paper, paperIn, type Reading, readReceipt } from './reading.js'
import { firstOf, refuse } from './text.js'

/** Amounts are gross. */
export interface Fate {
  reference: string
  status: 'N' | 'A' | 'F'
  credited: GivenBack
  creditedAmount: string
  paid: string
}

export interface Original {
  number: string
  /** Its date. */
  date: string
  reading: Reading
  request: ReceiptRequest
  response: string
  /** What of it was to be paid later. */
  open: Decimal
  fate: Fate
}

/** Under which it is noted that a number on paper was used. */
const paperReference = ({ series, number }: Paper): string => `FTM ${series}/${number}`
/** Four digits at least. */
export const fourDigits = (number: number): string => String(number).padStart(4, '0')
export const paperText = ({ series, number }: Paper): string => `${series}/${fourDigits(number)}`

/** Receipts under its own reference and the one before, and what became of that. */
export function lookUp(read: CasedRequest): readonly Sought[] | undefined {
  const { receiptReference, previousReceiptReference, receiptCaseData } = read.request
  if (receipts[read.words.receipt.code] === undefined) return undefined
  const own = receiptReference?.trim() ?? ''
  const previous = previousReceiptReference?.trim() ?? ''
  const paper = receiptTraits(read.words.receipt).handwritten ? paperIn(receiptCaseData) : undefined
  const sought: Sought[] = [
    { reference: own, wants: 'receipts' },
    { reference: previous, wants: paper === undefined ? 'both' : 'receipts' },
    { reference: paper === undefined ? '' : paperReference(paper), wants: 'rows' },
  ]
  return sought.filter(({ reference }) => reference !== '')
}

/** The document that a receipt refers to. */
export function originalOf(draft: PtDraft, reference: string): Original | Refusal {
  const earlier = earlierOf<Fate>(draft.input, reference, caseRules)
  if (typeof earlier === 'string') return refuse(earlier)
  const { stored, response, number, fate } = earlier
  // limits of the queue may have changed since: it was accepted
  const reading = readReceipt(stored, {
    ...draft.settings,
    ...{ 'fs-limit': Number.MAX_SAFE_INTEGER, 'training-enabled': true, 'user-required': false },
  })
  if (reading.kind === 'refusal') return reading
  const answer = objectIn(response)
  const moment = answer && momentIn(answer, 'ftReceiptMoment')
  const onPaper = reading.paper === undefined ? moment : stored.request.receiptMoment
  const later = stored.words.pays.filter((one) => payTraits(one).kind === ON_ACCOUNT)
  return {
    ...{ number, date: localDay(onPaper ?? draft.input.moment, draft.settings) },
    ...{ reading, request: stored.request, response },
    open: sumOf(later.map(({ item }) => item.amount)),
    fate: fate ?? { reference, status: 'N', credited: {}, creditedAmount: '0.00', paid: '0.00' },
  }
}

export const isUsed = ({ previous }: Pick<PtInput, 'previous'>, paper: Paper): boolean =>
  (referredTo(previous, paperReference(paper))?.counted ?? 0) > 0

export const notePaper = (draft: PtDraft, paper: Paper): void =>
  noteCounted(draft, paperReference(paper), `FTM ${paperText(paper)}`)

// -------------------------------------------------------------------------------------- its rules

/** What holds of the document before when this receipt is made; undefined: nothing changes. */
export function nextFate(reading: Reading, original: Original): Fate | Refusal | undefined {
  const { fate, number, reading: before } = original
  const { reference } = fate
  const { chain } = before
  const isBare = chain === undefined || before.voids
  const isVoided = fate.status === 'A'
  const wrong = firstOf(
    [isBare, 'PreviousReceiptType', reference, 'receipt without document'],
    [
      isTraining(reading) !== isTraining(before),
      'PreviousReceiptType',
      reference,
      'document of another kind',
    ],
    [isVoided && reading.voids, 'VoidAlreadyExists', reference],
    [isVoided, 'PreviousReceiptIsVoided', reference],
  )
  if (wrong !== undefined) return wrong
  if (reading.voids) return voided(reading, original)
  if (reading.refunds) return credited(reading, original)
  if (reading.code === receiptCases.payment) return paid(reading, original)
  if (chain === undefined || !isWorkingChain(chain)) return undefined
  if (fate.status === 'F') return refuse('WorkingDocumentAlreadyInvoiced', [number])
  if (reading.chain === undefined || isWorkingChain(reading.chain)) return undefined
  const shared = reading.lines.some((one) => before.lines.some((other) => one.text === other.text))
  if (!shared) return refuse('PreviousReceiptLineItemMismatch')
  return { ...fate, status: 'F' }
}

const isTraining = ({ chain }: Reading): boolean => chain !== undefined && chain !== slotOf(chain)

function voided({ lines }: Reading, { fate, number, reading }: Original): Fate | Refusal {
  if (fate.status === 'F') return refuse('CannotVoidInvoicedDocument', [number])
  const isTouched = Object.keys(fate.credited).length > 0 || !Decimal.of(fate.paid).isZero
  if (isTouched) return refuse('CannotVoidRefundedDocument', [number])
  const isSame = samePieces(lines.map(pieceOf), reading.lines.map(pieceOf))
  if (!isSame) return refuse('VoidItemsMismatch', [number])
  return { ...fate, status: 'A' }
}

const productOf = ({ text, tax, exempt }: Line): string => `${text}|${tax}${exempt}`

function credited(reading: Reading, { fate, number, reading: before }: Original): Fate | Refusal {
  const { chain } = before
  if (chain === undefined || !/^[sih]$/i.test(chain)) {
    return refuse('PreviousReceiptType', [number, 'document that is not refunded'])
  }
  const isWhole = Decimal.of(fate.creditedAmount).minus(Decimal.of(before.totals.gross)).isZero
  if (isWhole && Object.keys(fate.credited).length > 0)
    return refuse('RefundAlreadyExists', [number])
  const next = givenBack(reading.lines.map(pieceOf), before.lines.map(pieceOf), fate.credited)
  if (isTooMuch(next)) {
    const { over, product, values } = next
    const name = product.slice(0, product.lastIndexOf('|'))
    if (over === 'product') return refuse('PartialRefundItemsMismatch', [number, name])
    const rule = over === 'quantity' ? 'Quantity' : 'Amount'
    return refuse(`PartialRefundExceedsOriginal${rule}`, [name, ...values])
  }
  const sum = Decimal.of(fate.creditedAmount).plus(Decimal.of(reading.totals.gross))
  return { ...fate, credited: next, creditedAmount: two(sum) }
}

const pieceOf = (line: Line) => ({
  product: productOf(line),
  ...{ quantity: Decimal.of(line.quantity), amount: Decimal.of(line.gross) },
})

function paid(reading: Reading, { fate, number, reading: before, open }: Original): Fate | Refusal {
  const isInvoice = before.chain !== undefined && slotOf(before.chain) === 'I'
  const { nif, id } = before.customer
  const isOther = reading.customer.nif !== nif || reading.customer.id !== id
  const [credited, earlier] = [Decimal.of(fate.creditedAmount), Decimal.of(fate.paid)]
  const left = open.minus(credited).minus(earlier)
  const amount = Decimal.of(reading.totals.gross)
  const values = [amount, left].map((one) => two(abs(one)))
  const wrong = firstOf(
    [!isInvoice, 'PreviousReceiptType', number, 'document that is not paid later'],
    [isOther, 'PaymentTransferCustomerMismatch', number],
    [!left.isPositive && !credited.isZero, 'PaymentTransferForRefundedReceipt', number],
    [amount.minus(left).isPositive, 'PaymentTransferExceedsRemainingAmount', ...values, number],
  )
  return wrong ?? { ...fate, paid: two(amount.plus(earlier)) }
}
