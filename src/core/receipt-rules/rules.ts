// The rules for a receipt of the PosSystem API that need nothing but the request: codes and
// tolerances are those of the interface. Called for every request before it is signed.

import type { Cased } from '../../case/reader.js'
import type { CaseFault } from '../../case/rules.js'
import { Decimal } from '../../lib/decimal.js'
import type { ChargeItem } from '../../model/receipt.js'
import { itemFaults, itemFlags, TOLERANCE } from './item-rules.js'
import type { Problem } from './problem.js'
import { exceeds, isTagged, type Judged, type Subject, subjectOf } from './subject.js'

const NONE: readonly Problem[] = Object.freeze([])

/** Every problem of a request whose cases were read. */
export function problemsOf(judged: Judged): readonly Problem[] {
  const wrongMoney = currencies(judged)
  const always = wrongMoney.length === 0 ? judged.caseFaults : [...judged.caseFaults, ...wrongMoney]
  // under words that belong elsewhere no rule of this country says anything
  const rest = judged.caseFaults.length > 0 ? NO_FAULTS : faultsOf(subjectOf(judged))
  if (always.length === 0 && rest.length === 0) return NONE
  return [
    ...always.map((one) => ({ ...one, always: true })),
    ...rest.map((one) => ({ ...one, always: false })),
  ]
}

const RULES: readonly ((subject: Subject) => readonly CaseFault[])[] = [
  missingLists,
  balance,
  references,
  customer,
  itemFaults,
]

/** Nearly every receipt keeps all of them. */
function faultsOf(subject: Subject): readonly CaseFault[] {
  let found: readonly CaseFault[] = NO_FAULTS
  for (const rule of RULES) {
    const faults = rule(subject)
    if (faults.length > 0) found = [...found, ...faults]
  }
  return found
}

const NO_FAULTS: readonly CaseFault[] = Object.freeze([])

/** `t` of a receipt case. */
const RECEIPT = 0
const INVOICE = 1

const isSale = ({ word: { category } }: Subject): boolean =>
  category === RECEIPT || category === INVOICE

function currencies({ facts, rules }: Judged): CaseFault[] {
  return facts.currencies
    .filter(({ code }) => code !== rules.currency)
    .map(({ path, code }) => ({
      code: 'OnlyEuroCurrencySupported',
      path,
      message: `The currency is ${code}; this queue takes ${rules.currency} only.`,
    }))
}

function missingLists({ facts }: Subject): CaseFault[] {
  return facts.nullLists.map((path) => ({
    code: `${path.slice(2)}Missing`,
    path,
    message: `${path} is null; an empty list was taken.`,
  }))
}

const TABLE_CHECK = 0x0006
const PRO_FORMA = 0x0007

/** Receipts and invoices; logs and operations of the queue have nothing to balance. */
function balance(subject: Subject): CaseFault[] {
  const { code, isHandwritten } = subject.word
  if (!isSale(subject) || isHandwritten || code === TABLE_CHECK || code === PRO_FORMA) return []
  const charged = sumOf(subject.request.chargeItems)
  const paid = sumOf(subject.request.payItems)
  if (!exceeds(charged.minus(paid), TOLERANCE)) return []
  const message =
    `The charge items are ${charged.toShortString()} together, ` +
    `the pay items ${paid.toShortString()}.`
  return [{ code: 'ReceiptNotBalanced', path: 'cbPayItems', message }]
}

export function sumOf(items: readonly { amount: Decimal }[]): Decimal {
  return items.reduce((sum, { amount }) => sum.plus(amount), Decimal.ZERO)
}

const PAYMENT_TRANSFER = 0x0002
const PREVIOUS = 'cbPreviousReceiptReference'

/** What takes a receipt back has to say which one, and only one. */
function references(subject: Subject): CaseFault[] {
  const { code, isVoid, isRefund } = subject.word
  const given = subject.facts.references.length
  const found: CaseFault[] = []
  if (isSale(subject)) {
    if (isVoid) found.push(...oneReference('Void', given))
    if (isRefund) found.push(...oneReference('Refund', given))
    const takesBack = isVoid || isRefund
    if (!takesBack && given > 1 && subject.words.charges.some(isRefunded))
      found.push(group('PartialRefund'))
  }
  if (code === PAYMENT_TRANSFER && given === 0) found.push(missing('PaymentTransfer'))
  return found
}

function oneReference(kind: string, given: number): CaseFault[] {
  if (given === 0) return [missing(kind)]
  return given > 1 ? [group(kind)] : []
}

function isRefunded(item: Cased<ChargeItem>): boolean {
  return isTagged(item) && (item.flags & itemFlags.refund) !== 0
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

function customer({ word, request }: Subject): CaseFault[] {
  if (word.category !== INVOICE || request.customer !== null) return []
  const message = 'An invoice needs its receiver in cbCustomer.'
  return [{ code: 'CustomerRequiredForInvoice', path: 'cbCustomer', message }]
}
