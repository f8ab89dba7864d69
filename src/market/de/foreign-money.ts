// Foreign money of a payment: currency and amount out of ftPayItemCaseData.
import { Decimal } from '../../lib/decimal.js'
import { JsonNumber, objectIn } from '../../lib/json.js'

export interface ForeignMoney {
  /** ISO 4217, three capital letters; never EUR. */
  currency: string
  amount: Decimal
}

const CURRENCY = /^[A-Za-z]{3}$/
const BASE_CURRENCY = 'EUR'

/** Names in v0/v1 and in v2, in lower case. */
const CURRENCY_NAMES: ReadonlySet<string> = new Set(['currencycode', 'foreigncurrencysymbol'])
const AMOUNT_NAME = 'foreigncurrencyamount'

/**
 * `{"CurrencyCode":"CHF","ForeignCurrencyAmount":5.00}`, or v2's `foreignCurrencySymbol`.
 * Undefined when one of both is missing or wrong; `euro` when the currency is the receipt's own.
 */
export function foreignMoney(caseData: string | null): ForeignMoney | 'euro' | undefined {
  const data = objectIn(caseData)
  if (data === undefined) return undefined
  const names = data.names.map((name) => name.toLowerCase())
  const currency = data.values[names.findIndex((name) => CURRENCY_NAMES.has(name))]
  const amount = decimalOf(data.values[names.indexOf(AMOUNT_NAME)])
  if (typeof currency !== 'string' || !CURRENCY.test(currency)) return undefined
  if (amount === undefined) return undefined
  const code = currency.toUpperCase()
  return code === BASE_CURRENCY ? 'euro' : { currency: code, amount }
}

/**
 * The foreign amount with the sign that counts: negative where it or the payment itself, in base
 * currency, is negative. Tills send either sign with money that leaves the drawer.
 */
export function signedForeign(amount: Decimal, payment: Decimal): Decimal {
  return payment.isNegative && !amount.isNegative ? amount.negated() : amount
}

function decimalOf(value: unknown): Decimal | undefined {
  if (value instanceof JsonNumber) return Decimal.parse(value.text)
  return typeof value === 'string' ? Decimal.parse(value) : undefined
}
