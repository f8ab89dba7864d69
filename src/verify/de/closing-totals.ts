// The sums of each closing, computed again from its receipts (DSFinV-K: only BON_TYP Beleg counts).

import { quote } from '../text.js'
import { plainOf, sumOf } from './amounts.js'
import { amountsOf } from './bon-lines.js'
import type { Bon } from './bons.js'
import {
  addSums,
  addTo,
  businessKey,
  type Closing,
  type Closings,
  paymentKey,
  type Sums,
} from './closings.js'
import type { DsfinvkCode } from './dsfinvk-rules.js'
import type { Row } from './table-reader.js'

interface Totals {
  first: string
  last: string
  business: Map<string, Sums>
  payments: Map<string, bigint>
  cash: Map<string, bigint>
  paid: bigint
  paidCash: bigint
}

export class ClosingTotals {
  private readonly totals = new Map<Closing, Totals>()
  private readonly closings: Closings

  constructor(closings: Closings) {
    this.closings = closings
  }

  add(bon: Bon): void {
    const totals = this.totals.get(bon.closing) ?? empty(bon.id)
    this.totals.set(bon.closing, totals)
    totals.last = bon.id
    if (bon.row.get('BON_TYP') !== 'Beleg') return
    addLines(totals, bon)
    for (const row of bon.rows('datapayment.csv') ?? []) addPayment(totals, row, bon.closing)
  }

  /** After the last receipt. */
  judge(): void {
    for (const closing of this.closings.all.values()) {
      const totals = this.totals.get(closing)
      this.judgeRange(closing, totals)
      this.judgeSums(closing, totals ?? empty(''))
    }
  }

  private judgeRange({ row }: Closing, totals: Totals | undefined): void {
    if (totals === undefined) return
    const range = [
      ['Z_START_ID', totals.first],
      ['Z_ENDE_ID', totals.last],
    ] as const
    for (const [column, expected] of range) {
      const found = row.get(column)
      if (found === expected) continue
      const text = `${column}: expected ${quote(expected)}, found ${quote(found)}`
      this.closings.add('CLOSING_RANGE', row, text)
    }
  }

  private judgeSums(closing: Closing, totals: Totals): void {
    const files = ['transactions.csv', 'lines.csv', 'lines_vat.csv', 'businesscases.csv']
    if (files.every((file) => this.closings.has(file))) this.judgeBusiness(closing, totals)
    if (!this.closings.has('transactions.csv') || !this.closings.has('datapayment.csv')) return
    const { row } = closing
    if (this.closings.has('payment.csv')) {
      this.compare(closing, [closing.payments, totals.payments], {
        code: 'CLOSING_PAYMENTS',
        file: 'payment.csv',
      })
    }
    if (this.closings.has('cash_per_currency.csv')) {
      this.compare(closing, [closing.cash, totals.cash], {
        code: 'CLOSING_CASH',
        file: 'cash_per_currency.csv',
      })
    }
    this.sum(row, { column: 'Z_SE_ZAHLUNGEN', code: 'CLOSING_PAYMENTS' }, totals.paid)
    this.sum(row, { column: 'Z_SE_BARZAHLUNGEN', code: 'CLOSING_CASH' }, totals.paidCash)
  }

  private judgeBusiness(closing: Closing, totals: Totals): void {
    const names = new Set([...closing.business.keys(), ...totals.business.keys()])
    for (const name of names) {
      const expected = totals.business.get(name) ?? NOTHING
      const found = closing.business.get(name) ?? NOTHING
      if (expected.every((amount, at) => amount === found[at])) continue
      const [typ = '', gvName = '', agency = '', key = ''] = name.split('\n')
      const which = `${typ} ${quote(gvName)} agency ${agency} key ${key}`
      const text = `businesscases.csv, ${which}: expected ${told(expected)}, found ${told(found)}`
      this.closings.add('CLOSING_BUSINESS', closing.row, text)
    }
  }

  private compare(
    closing: Closing,
    [found, expected]: [Map<string, bigint>, Map<string, bigint>],
    { code, file }: { code: DsfinvkCode; file: string },
  ): void {
    for (const name of new Set([...found.keys(), ...expected.keys()])) {
      const [right = 0n, there = 0n] = [expected.get(name), found.get(name)]
      if (right === there) continue
      const which = quote(name.replace('\n', ' '))
      const text = `${file}, ${which}: expected ${plainOf(right)}, found ${plainOf(there)}`
      this.closings.add(code, closing.row, text)
    }
  }

  private sum(
    row: Row,
    { column, code }: { column: string; code: DsfinvkCode },
    expected: bigint,
  ): void {
    const found = row.units(column)
    if (found === undefined || found === expected) return
    const text = `${column}: expected ${plainOf(expected)}, found ${plainOf(found)}`
    this.closings.add(code, row, text)
  }
}

const NOTHING: Sums = [0n, 0n, 0n]

function empty(first: string): Totals {
  return {
    first,
    last: first,
    business: new Map(),
    payments: new Map(),
    cash: new Map(),
    paid: 0n,
    paidCash: 0n,
  }
}

function addLines(totals: Totals, bon: Bon): void {
  const lines = new Map((bon.rows('lines.csv') ?? []).map((row) => [row.get('POS_ZEILE'), row]))
  for (const row of bon.rows('lines_vat.csv') ?? []) {
    const [line, amounts] = [lines.get(row.get('POS_ZEILE')), amountsOf(row)]
    if (line === undefined || amounts === undefined) continue
    addSums(totals.business, businessKey(line, row.get('UST_SCHLUESSEL')), amounts)
  }
}

function addPayment(totals: Totals, row: Row, closing: Closing): void {
  const amount = row.units('BASISWAEH_BETRAG') ?? 0n
  addTo(totals.payments, paymentKey(row), amount)
  totals.paid = sumOf([totals.paid, amount])
  if (row.get('ZAHLART_TYP') !== 'Bar') return
  totals.paidCash += amount
  const currency = row.get('ZAHLWAEH_CODE')
  const inCurrency = currency === closing.currency ? amount : row.units('ZAHLWAEH_BETRAG')
  addTo(totals.cash, currency, inCurrency ?? 0n)
}

function told([gross, net, vat]: Sums): string {
  return `${plainOf(gross)} = ${plainOf(net)} + ${plainOf(vat)}`
}
