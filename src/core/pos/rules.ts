// The rules for a receipt of the PosSystem API that need nothing but the request: codes and
// tolerances are those of the interface. Called for every request before it is signed.
import { Decimal } from '../../lib/decimal.js'
import { casePartsOf } from '../../model/case.js'
import type { CaseFault, CaseRules } from '../../model/case-rules.js'
import type { PosFacts } from '../../model/pos-fields.js'
import type { ChargeItem, ReceiptRequest } from '../../model/receipt.js'
import type { Problem } from './problem.js'

export interface Judged {
  request: ReceiptRequest
  facts: PosFacts
  /** What the reading of the cases has found. */
  caseFaults: readonly CaseFault[]
  rules: CaseRules
}

/** Every problem of a request whose cases were read. */
export function problemsOf(judged: Judged): Problem[] {
  const always = [...judged.caseFaults, ...currencies(judged)]
  if (judged.caseFaults.length > 0) return always.map((one) => ({ ...one, always: true }))
  const rest = [
    ...missingLists(judged),
    ...balance(judged),
    ...references(judged),
    ...customer(judged),
    ...judged.request.chargeItems.flatMap((item, at) => chargeItem(judged, item, at)),
    ...discounts(judged),
  ]
  return [
    ...always.map((one) => ({ ...one, always: true })),
    ...rest.map((one) => ({ ...one, always: false })),
  ]
}

/** `t` of a receipt case. */
const categories = { receipt: 0, invoice: 1 } as const

const receiptFlags = { void: 0x0004n, handwritten: 0x0008n, refund: 0x0100n } as const
const itemFlags = {
  void: 0x0001n,
  refund: 0x0002n,
  discount: 0x0004n,
  downPayment: 0x0008n,
  returnable: 0x0010n,
} as const

/** Cases of version 2; under the tables of v0 the flags and categories mean other things. */
function wordOf({ request: { receiptCase } }: Judged) {
  const { version, global, code } = casePartsOf(receiptCase)
  const isV2 = version === 2n
  return {
    isV2,
    category: isV2 ? Number(code >> 12n) : -1,
    code: isV2 ? Number(code) : -1,
    isVoid: (global & receiptFlags.void) !== 0n,
    isRefund: isV2 && (global & receiptFlags.refund) !== 0n,
    isHandwritten: (global & receiptFlags.handwritten) !== 0n,
  }
}

function currencies({ facts, rules }: Judged): CaseFault[] {
  return facts.currencies
    .filter(({ code }) => code !== rules.currency)
    .map(({ path, code }) => ({
      code: 'OnlyEuroCurrencySupported',
      path,
      message: `The currency is ${code}; this queue takes ${rules.currency} only.`,
    }))
}

function missingLists({ facts }: Judged): CaseFault[] {
  return facts.nullLists.map((path) => ({
    code: `${path.slice(2)}Missing`,
    path,
    message: `${path} is null; an empty list was taken.`,
  }))
}

const TABLE_CHECK = 0x0006
const PRO_FORMA = 0x0007
const TOLERANCE = Decimal.of('0.01')

/** Receipts and invoices; logs and operations of the queue have nothing to balance. */
function balance(judged: Judged): CaseFault[] {
  const { category, code, isHandwritten } = wordOf(judged)
  if (category !== categories.receipt && category !== categories.invoice) return []
  if (isHandwritten || code === TABLE_CHECK || code === PRO_FORMA) return []
  const charged = sumOf(judged.request.chargeItems)
  const paid = sumOf(judged.request.payItems)
  if (!exceeds(charged.minus(paid), TOLERANCE)) return []
  const message =
    `The charge items are ${charged.toShortString()} together, ` +
    `the pay items ${paid.toShortString()}.`
  return [{ code: 'ReceiptNotBalanced', path: 'cbPayItems', message }]
}

export function sumOf(items: readonly { amount: Decimal }[]): Decimal {
  return items.reduce((sum, { amount }) => sum.plus(amount), Decimal.ZERO)
}

const absolute = (value: Decimal): Decimal => (value.isNegative ? value.negated() : value)

function exceeds(difference: Decimal, most: Decimal): boolean {
  return absolute(difference).minus(most).isPositive
}

const PAYMENT_TRANSFER = 0x0002
const PREVIOUS = 'cbPreviousReceiptReference'

/** What takes a receipt back has to say which one, and only one. */
function references(judged: Judged): CaseFault[] {
  const { code, category, isVoid, isRefund } = wordOf(judged)
  const { references: given, isGroup } = judged.facts
  const corrects = category === categories.receipt || category === categories.invoice
  const kinds: [boolean, string][] = [
    [corrects && isVoid, 'Void'],
    [corrects && isRefund, 'Refund'],
  ]
  const found: CaseFault[] = []
  for (const [applies, kind] of kinds) {
    if (applies) found.push(...oneReference(kind, given.length))
  }
  if (code === PAYMENT_TRANSFER && given.length === 0) found.push(missing('PaymentTransfer'))
  const partial = corrects && !isVoid && !isRefund && isGroup && given.length > 1
  if (
    partial &&
    judged.request.chargeItems.some(({ chargeItemCase }) => isRefunded(chargeItemCase))
  )
    found.push(group('PartialRefund'))
  return found
}

function oneReference(kind: string, given: number): CaseFault[] {
  if (given === 0) return [missing(kind)]
  return given > 1 ? [group(kind)] : []
}

function isRefunded(word: bigint): boolean {
  const { version, global } = casePartsOf(word)
  return version === 2n && (global & itemFlags.refund) !== 0n
}

/** Of a receipt that takes back another one without saying which. */
export const MISSING_REFERENCE = /^(Void|Refund)MissingPreviousReceiptReference$/

function missing(kind: string): CaseFault {
  return {
    code: `${kind}MissingPreviousReceiptReference`,
    path: PREVIOUS,
    message: `${PREVIOUS} does not say which earlier receipt this one belongs to.`,
  }
}

function group(kind: string): CaseFault {
  return {
    code: `${kind}GroupReferenceNotSupported`,
    path: PREVIOUS,
    message: `${PREVIOUS} names several receipts; this one can belong to one only.`,
  }
}

function customer(judged: Judged): CaseFault[] {
  const { category } = wordOf(judged)
  if (category !== categories.invoice || judged.request.customer !== null) return []
  const message = 'An invoice needs its receiver in cbCustomer.'
  return [{ code: 'CustomerRequiredForInvoice', path: 'cbCustomer', message }]
}

// ------------------------------------------------------------------ charge items

function chargeItem(judged: Judged, item: ChargeItem, at: number): CaseFault[] {
  const path = `cbChargeItems[${at}]`
  return [
    ...vatAmount(item, path),
    ...vatCase(judged, item, path),
    ...nature(judged, item, path),
    ...negative(judged, item, path),
  ]
}

const HUNDRED = Decimal.of('100')

/** |given − amount × rate / (100 + rate)| > 0.01, without a division. */
function vatAmount({ amount, vatAmount: given, vatRate }: ChargeItem, path: string): CaseFault[] {
  if (given === null) return []
  const whole = HUNDRED.plus(vatRate)
  const difference = given.times(whole).minus(amount.times(vatRate))
  if (!exceeds(difference, absolute(TOLERANCE.times(whole)))) return []
  const message =
    `VATAmount is ${given.toShortString()}, which ${amount.toShortString()} ` +
    `at ${vatRate.toShortString()} % does not contain.`
  return [{ code: 'VatAmountMismatch', path: `${path}.VATAmount`, message }]
}

const ZERO_RATE = 7
const NOT_TAXABLE = 8
/** V that the case decides; 0, 5 and 6 go by the rate. */
const DECIDED: ReadonlySet<number> = new Set([1, 2, 3, 4, ZERO_RATE, NOT_TAXABLE])

/** The case is believed all the same. */
function vatCase({ request, rules }: Judged, item: ChargeItem, path: string): CaseFault[] {
  const { version, code } = casePartsOf(item.chargeItemCase)
  const sent = Number(code & 0xfn)
  if (version !== 2n || !DECIDED.has(sent)) return []
  const ofRate = rules.vatOfRate(item.vatRate, item.moment ?? request.receiptMoment)
  const expected = sent === NOT_TAXABLE ? ZERO_RATE : sent
  if (ofRate === 0 || ofRate === expected) return []
  const message = `The case says VAT ${sent}, and ${item.vatRate.toShortString()} % is ${ofRate}.`
  return [{ code: 'VatRateCaseMismatch', path: `${path}.VATRate`, message }]
}

function nature({ rules }: Judged, item: ChargeItem, path: string): CaseFault[] {
  if (rules.wantsNature !== true || !item.vatRate.isZero) return []
  if (casePartsOf(item.chargeItemCase).code >> 8n !== 0n) return []
  const message = 'An item without tax needs the nature of the exemption (NN of its case).'
  return [{ code: 'ZeroVatRateMissingNature', path: `${path}.ftChargeItemCase`, message }]
}

/** Services whose sign says what happens: vouchers, grants, receivables, cash transfers. */
const SIGNED_SERVICES: ReadonlySet<number> = new Set([4, 8, 9, 0xa])
const { void: isVoided, refund, discount, downPayment, returnable } = itemFlags
const SIGNED_FLAGS = isVoided | refund | discount | downPayment | returnable

function negative(judged: Judged, item: ChargeItem, path: string): CaseFault[] {
  const { isV2, isVoid, isRefund } = wordOf(judged)
  const { version, global, code } = casePartsOf(item.chargeItemCase)
  if (!isV2 || version !== 2n || isVoid || isRefund || (global & SIGNED_FLAGS) !== 0n) return []
  if (SIGNED_SERVICES.has(Number((code >> 4n) & 0xfn))) return []
  return (['Quantity', 'Amount'] as const)
    .filter((name) => (name === 'Quantity' ? item.quantity : item.amount).isNegative)
    .map((name) => ({
      code: `Negative${name}NotAllowed`,
      path: `${path}.${name}`,
      message: `${name} is negative, and nothing is taken back, voided or discounted.`,
    }))
}

/** Discounts belong to the position before them. */
function discounts({ request: { chargeItems } }: Judged): CaseFault[] {
  const found: CaseFault[] = []
  let left = Decimal.ZERO
  for (const [at, { chargeItemCase, amount }] of chargeItems.entries()) {
    const { version, global } = casePartsOf(chargeItemCase)
    if (version !== 2n || (global & discount) === 0n) {
      left = absolute(amount)
    } else if (amount.isNegative) {
      left = left.plus(amount)
      if (!left.isNegative) continue
      const message = 'The discounts are larger than the position to which they belong.'
      found.push({
        code: 'DiscountExceedsArticleAmount',
        path: `cbChargeItems[${at}].Amount`,
        message,
      })
    }
  }
  return found
}
