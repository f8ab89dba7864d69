// A slip (Bon) with its lines, payments and sums: what the rows of one receipt are made from.
import { Decimal } from '../../../../lib/decimal.js'
import type { BonType } from '../../cases.js'
import { LINE_DECIMALS, rounded } from './amounts.js'
import { chargeLine, type Line, payLine } from './lines.js'
import { noPayment, type Payment, paymentOf, roundPayments } from './payments.js'
import type { Receipt } from './receipt.js'

export interface Bon {
  receipt: Receipt
  type: BonType
  lines: Line[]
  payments: Payment[]
  /** Sum of the lines, two decimals: UMS_BRUTTO. */
  gross: Decimal
  taxes: TaxSum[]
}

/** What falls on one tax key: rounded to cents, net = gross - tax. */
export interface TaxSum {
  key: number
  gross: Decimal
  net: Decimal
  tax: Decimal
}

export interface BonOptions {
  /** ExcludeDsfinvkOrders of the queue. */
  excludeOrders: boolean
  baseCurrencyOf(receipt: Receipt): string
}

const CENTS = 2

/** Undefined for receipts that are no slips, and for orders where those are left out. */
export function bonOf(receipt: Receipt, options: BonOptions): Bon | undefined {
  const { bonType: type, isOrder, charges, pays } = receipt
  if (type === null || (options.excludeOrders && isOrder)) return undefined
  const lines = charges.map(chargeLine)
  const payments: Payment[] = []
  const currency = options.baseCurrencyOf(receipt)
  for (const item of pays) {
    const line = payLine(item)
    if (line !== undefined) lines.push(line)
    const payment = paymentOf(item, currency)
    if (payment !== undefined) payments.push(payment)
  }
  if (payments.length === 0) payments.push(noPayment(currency))
  else roundPayments(payments)
  const gross = lines.reduce((sum, line) => sum.plus(line.gross), NOTHING)
  return { receipt, type, lines, payments, gross: rounded(gross, CENTS), taxes: taxesOf(lines) }
}

const NOTHING = new Decimal(0n, LINE_DECIMALS)

function taxesOf(lines: readonly Line[]): TaxSum[] {
  const sums = new Map<number, { gross: Decimal; tax: Decimal }>()
  for (const { key, gross, tax } of lines) {
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { gross, tax })
    else {
      sum.gross = sum.gross.plus(gross)
      sum.tax = sum.tax.plus(tax)
    }
  }
  return Array.from(sums, ([key, sum]) => {
    const gross = rounded(sum.gross, CENTS)
    const tax = rounded(sum.tax, CENTS)
    return { key, gross, net: gross.minus(tax), tax }
  })
}
