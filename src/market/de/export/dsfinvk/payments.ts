// The payments of a slip: pay items that are money, in the base currency and in their own.
import { Decimal } from '../../../../lib/decimal.js'
import { effectivePayAmount, foreignMoney, signedForeign } from '../../item-cases.js'

import type { PayLine } from '../../mapping.js'
import { absolute, rounded } from './amounts.js'
import { readCaseData } from './case-data.js'

export interface Payment {
  type: string
  name: string
  currency: string
  /** In that currency; null when it is the base currency. */
  foreign: Decimal | null
  /** In the base currency. */
  amount: Decimal
}

export const CASH = 'Bar'
const CENTS = 2

/** A slip without any payment. */
export function noPayment(baseCurrency: string): Payment {
  const amount = new Decimal(0n, CENTS)
  return { type: 'Keine', name: '', currency: baseCurrency, foreign: null, amount }
}

/** As exact as it was sent; undefined for a pay item that is a line. */
export function paymentOf(line: PayLine, baseCurrency: string): Payment | undefined {
  const { item, code, flags, found } = line
  const { zahlart, foreign } = found
  if (zahlart === null) return undefined
  const data = readCaseData(item.payItemCaseData)
  const effective = effectivePayAmount(code, item, flags)
  const name = data.text('ItemCaseName') || item.description
  const own = withSignOf(item.amount, effective)
  const payment = { type: zahlart, name, currency: baseCurrency, foreign: null, amount: own }
  const money = foreign === 'never' ? undefined : foreignMoney(item.payItemCaseData)
  if (money === undefined || money === 'euro' || money.currency === baseCurrency) return payment
  const base = withSignOf(data.decimal('BaseCurrencyAmount') ?? item.amount, effective)
  const given = signedForeign(money.amount, effective)
  return { ...payment, currency: money.currency, foreign: given, amount: base }
}

function withSignOf(amount: Decimal, sign: Decimal): Decimal {
  return sign.isNegative ? absolute(amount).negated() : absolute(amount)
}

/**
 * Two decimals each. Payments of a kind and currency are rounded together, so that their sum is
 * what processData says of them: 1.005 and 1.005 are 1.01 and 1.00.
 */
export function roundPayments(payments: readonly Payment[]): void {
  const before = new Map<string, Sums>()
  for (const payment of payments) {
    const group = `${payment.type === CASH ? CASH : ''} ${payment.currency}`
    const { amount, foreign } = before.get(group) ?? { amount: NOTHING, foreign: NOTHING }
    const after = {
      amount: amount.plus(payment.amount),
      foreign: foreign.plus(payment.foreign ?? NOTHING),
    }
    before.set(group, after)
    payment.amount = difference(after.amount, amount)
    if (payment.foreign !== null) payment.foreign = difference(after.foreign, foreign)
  }
}

interface Sums {
  amount: Decimal
  foreign: Decimal
}

const NOTHING = new Decimal(0n, CENTS)

function difference(after: Decimal, before: Decimal): Decimal {
  return rounded(after, CENTS).minus(rounded(before, CENTS))
}
