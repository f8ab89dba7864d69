// The sums of a cash point closing (Kassenabschluss): turnover by business case, payments by kind,
// cash by currency. Only slips of type Beleg count.
import { Decimal } from '../../../../lib/decimal.js'
import type { Bon } from './bons.js'
import { cellText } from './cells.js'
import type { Line } from './lines.js'
import { CASH } from './payments.js'

export interface CaseSum {
  type: string
  name: string
  agency: number
  key: number
  gross: Decimal
  net: Decimal
  tax: Decimal
}

export interface PaymentSum {
  type: string
  name: string
  amount: Decimal
}

/** Separates the parts of a group's name; no cell contains it. */
const GAP = '\u0000'
/** Longest ZAHLART_NAME and GV_NAME. */
const PAYMENT_NAME = 60
const CASE_NAME = 40

export class ClosingSums {
  readonly cases = new Map<string, CaseSum>()
  readonly payments = new Map<string, PaymentSum>()
  readonly currencies = new Map<string, Decimal>()
  /** All payments, and those in cash, in the base currency. */
  paid = new Decimal(0n, 2)
  paidInCash = new Decimal(0n, 2)

  add(bon: Bon, agencyOf: (line: Line) => number): void {
    if (bon.type !== 'Beleg') return
    for (const line of bon.lines) this.addLine(line, agencyOf(line))
    for (const { type, name: sent, currency, foreign, amount } of bon.payments) {
      const name = cellText(sent, PAYMENT_NAME)
      const group = type + GAP + name
      const sum = this.payments.get(group)
      if (sum === undefined) this.payments.set(group, { type, name, amount })
      else sum.amount = sum.amount.plus(amount)
      this.paid = this.paid.plus(amount)
      if (type !== CASH) continue
      this.paidInCash = this.paidInCash.plus(amount)
      const before = this.currencies.get(currency) ?? NOTHING
      this.currencies.set(currency, before.plus(foreign ?? amount))
    }
  }

  private addLine(line: Line, agency: number): void {
    const { gvType: type, key, gross, net, tax } = line
    const name = cellText(line.gvName, CASE_NAME)
    const group = [type, name, agency, key].join(GAP)
    const sum = this.cases.get(group)
    if (sum === undefined) this.cases.set(group, { type, name, agency, key, gross, net, tax })
    else {
      sum.gross = sum.gross.plus(gross)
      sum.net = sum.net.plus(net)
      sum.tax = sum.tax.plus(tax)
    }
  }
}

const NOTHING = new Decimal(0n, 2)
