// The payments of a slip: pay items that are money, in the base currency and in their own.
// Called by bons.ts.
import { Decimal } from '../../../../lib/decimal.js'
import { foreignMoney, signedForeign } from '../../foreign-money.js'
import { effectivePayAmount } from '../../item-cases.js'
import type { PayLine } from '../../lines.js'
import { absolute, rounded } from './amounts.js'
import { readCaseData } from './case-data.js'

export interface Payment {
  type: string
  name: string
  currency: string
  /** In that currency; null when it is the base currency. Two decimals, as `amount`. */
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

/** Undefined for a pay item that is a line. */
export function paymentOf(line: PayLine, baseCurrency: string): Payment | undefined {
  const { item, code, flags, found } = line
  const { zahlart, foreign } = found
  if (zahlart === null) return undefined
  const data = readCaseData(item.payItemCaseData)
  const effective = effectivePayAmount(code, item, flags)
  const turned = (amount: Decimal) => rounded(withSignOf(amount, effective), CENTS)
  const name = data.text('ItemCaseName') || item.description
  const base = turned(data.decimal('BaseCurrencyAmount') ?? item.amount)
  const payment = { type: zahlart, name, currency: baseCurrency, foreign: null, amount: base }
  const money = foreign === 'never' ? undefined : foreignMoney(item.payItemCaseData)
  if (money === undefined || money === 'euro' || money.currency === baseCurrency) return payment
  const own = rounded(signedForeign(money.amount, effective), CENTS)
  return { ...payment, currency: money.currency, foreign: own }
}

function withSignOf(amount: Decimal, sign: Decimal): Decimal {
  return sign.isNegative ? absolute(amount).negated() : absolute(amount)
}
