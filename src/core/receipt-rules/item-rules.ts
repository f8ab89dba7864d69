// The rules for single charge items: tax amount, tax case, nature, signs, discounts.

import type { Cased } from '../../case/reader.js'
import type { CaseFault } from '../../case/rules.js'
import { Decimal } from '../../lib/decimal.js'
import type { ChargeItem } from '../../model/receipt.js'
import { absolute, exceeds, isTagged, type Subject } from './subject.js'

export const itemFlags = {
  void: 0x0001,
  refund: 0x0002,
  discount: 0x0004,
  downPayment: 0x0008,
  returnable: 0x0010,
} as const

/** Filled by the rules in the order of the items. */
export function itemFaults(subject: Subject): CaseFault[] {
  const found: CaseFault[] = []
  const looked = { subject, found }
  const { charges } = subject.words
  for (let at = 0; at < charges.length; at += 1) {
    const item = charges[at]
    if (item === undefined) continue
    vatAmount(looked, item, at)
    if (!isTagged(item)) continue
    vatCase(looked, item, at)
    nature(looked, item, at)
    negative(looked, item, at)
  }
  discounts(looked)
  return found
}

interface Looked {
  subject: Subject
  found: CaseFault[]
}

type Tagged = Cased<ChargeItem>

interface Told {
  code: string
  at: number
  member: string
  message: string
}

function tell({ found }: Looked, { code, at, member, message }: Told): void {
  found.push({ code, path: `cbChargeItems[${at}].${member}`, message })
}

const HUNDRED = Decimal.of('100')
export const TOLERANCE = Decimal.of('0.01')

/** |given − amount × rate / (100 + rate)| > 0.01, without a division. */
function vatAmount(looked: Looked, { item }: Tagged, at: number): void {
  const { amount, vatAmount: given, vatRate } = item
  if (given === null) return
  const whole = HUNDRED.plus(vatRate)
  const difference = given.times(whole).minus(amount.times(vatRate))
  if (!exceeds(difference, absolute(TOLERANCE.times(whole)))) return
  const message =
    `VATAmount is ${given.toShortString()}, which ${amount.toShortString()} ` +
    `at ${vatRate.toShortString()} % does not contain.`
  tell(looked, { code: 'VatAmountMismatch', at, member: 'VATAmount', message })
}

const ZERO_RATE = 7
const NOT_TAXABLE = 8
/** V that the case decides; 0, 5 and 6 go by the rate. */
const DECIDED: ReadonlySet<number> = new Set([1, 2, 3, 4, ZERO_RATE, NOT_TAXABLE])

/** The case is believed all the same. */
function vatCase(looked: Looked, { item, code }: Tagged, at: number): void {
  const { request, rules } = looked.subject
  const sent = code & 0xf
  if (!DECIDED.has(sent)) return
  const ofRate = rules.vatOfRate(item.vatRate, item.moment ?? request.receiptMoment)
  const expected = sent === NOT_TAXABLE ? ZERO_RATE : sent
  if (ofRate === 0 || ofRate === expected) return
  const message = `The case says VAT ${sent}, and ${item.vatRate.toShortString()} % is ${ofRate}.`
  tell(looked, { code: 'VatRateCaseMismatch', at, member: 'VATRate', message })
}

function nature(looked: Looked, { item, code }: Tagged, at: number): void {
  if (looked.subject.rules.wantsNature !== true || !item.vatRate.isZero) return
  if (code >>> 8 !== 0) return
  const message = 'An item without tax needs the nature of the exemption (NN of its case).'
  tell(looked, { code: 'ZeroVatRateMissingNature', at, member: 'ftChargeItemCase', message })
}

/** Services whose sign says what happens: vouchers, grants, receivables, cash transfers. */
const SIGNED_SERVICES: ReadonlySet<number> = new Set([4, 8, 9, 0xa])
const { void: voided, refund, discount, downPayment, returnable } = itemFlags
const SIGNED_FLAGS = voided | refund | discount | downPayment | returnable

function negative(looked: Looked, { item, flags, code }: Tagged, at: number): void {
  if (!item.quantity.isNegative && !item.amount.isNegative) return
  const { isV2, isVoid, isRefund } = looked.subject.word
  if (!isV2 || isVoid || isRefund || (flags & SIGNED_FLAGS) !== 0) return
  if (SIGNED_SERVICES.has((code >>> 4) & 0xf)) return
  for (const member of ['Quantity', 'Amount'] as const) {
    if (!(member === 'Quantity' ? item.quantity : item.amount).isNegative) continue
    const message = `${member} is negative, and nothing is taken back, voided or discounted.`
    tell(looked, { code: `Negative${member}NotAllowed`, at, member, message })
  }
}

/** Discounts belong to the position before them. */
function discounts(looked: Looked): void {
  let left = Decimal.ZERO
  for (const [at, tagged] of looked.subject.words.charges.entries()) {
    const { amount } = tagged.item
    if (!isTagged(tagged) || (tagged.flags & discount) === 0) {
      left = absolute(amount)
    } else if (amount.isNegative) {
      left = left.plus(amount)
      if (!left.isNegative) continue
      const message = 'The discounts are larger than the position to which they belong.'
      tell(looked, { code: 'DiscountExceedsArticleAmount', at, member: 'Amount', message })
    }
  }
}
