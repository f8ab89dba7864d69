// Quantity, reference quantity and price of a line: MENGE x STK_BR / FAKTOR is its gross amount to
// the cent (rule 5070 of the receipt validation), with the decimals that the file has.
import { Decimal } from '../../../../lib/decimal.js'
import { absolute, LINE_DECIMALS, quotient, rounded } from './amounts.js'

export interface Quantities {
  /** With the sign of the gross amount. */
  quantity: Decimal
  /** What the price is for: 1.5 when it is that of 1.5 kg. Positive. */
  factor: Decimal
  /** Never negative. */
  price: Decimal
}

interface Sent {
  quantity: Decimal
  unitQuantity: Decimal | null
  unitPrice: Decimal | null
}

/** Decimals of MENGE and FAKTOR. */
const DECIMALS = 3
const ONE = new Decimal(1n, 0)
const CENT = new Decimal(1n, 2)
/** For prices too small for five decimals: what a thousand cost. */
const THOUSAND = new Decimal(1000n, 0)

export function quantitiesOf(sent: Sent, gross: Decimal): Quantities {
  const quantity = absolute(rounded(sent.quantity, DECIMALS))
  const signed = gross.isNegative ? quantity.negated() : quantity
  const given = factorOf(sent.unitQuantity)
  const factor = given ?? ONE
  // nothing of something that costs: one of it
  if (quantity.isZero && !gross.isZero) {
    return { quantity: gross.isNegative ? ONE.negated() : ONE, factor: ONE, price: absolute(gross) }
  }
  if (sent.unitPrice !== null) {
    return { quantity: signed, factor, price: absolute(sent.unitPrice) }
  }
  const price = priceOf({ quantity, factor, gross })
  if (given !== undefined || isExact({ quantity, price, gross })) {
    return { quantity: signed, factor, price }
  }
  return {
    quantity: signed,
    factor: THOUSAND,
    price: priceOf({ quantity, factor: THOUSAND, gross }),
  }
}

/** Undefined where none was sent, or none that a price can be for. */
function factorOf(unitQuantity: Decimal | null): Decimal | undefined {
  if (unitQuantity === null) return undefined
  const factor = absolute(rounded(unitQuantity, DECIMALS))
  return factor.isZero ? undefined : factor
}

interface Whole {
  quantity: Decimal
  factor: Decimal
  gross: Decimal
}

/** |gross / quantity| x factor. */
function priceOf({ quantity, factor, gross }: Whole): Decimal {
  const amount = absolute(gross).times(factor)
  return quantity.isZero ? amount : quotient(amount, quantity, LINE_DECIMALS)
}

function isExact({ quantity, price, gross }: Omit<Whole, 'factor'> & { price: Decimal }): boolean {
  const off = absolute(quantity.times(price).minus(absolute(gross)))
  return !off.minus(CENT).isPositive
}
