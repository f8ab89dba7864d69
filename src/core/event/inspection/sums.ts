// Turnover per month and rate of the receipts that pass by, for the page that people read.
import { requestOfItem } from '../../../case/stored-receipt.js'
import { receiptTraits } from '../../../case/traits.js'
import { isVersion2, wordOf } from '../../../case/word.js'
import { Decimal } from '../../../lib/decimal.js'
import { JsonError } from '../../../lib/json.js'
import type { Market } from '../../../market/contract.js'
import type { StoredItem } from '../../../model/journal.js'
import { StoredTextError } from '../../../model/stored-texts.js'

/** `2026-11` → `20` → gross amount as text. */
export type Sums = Record<string, Record<string, string>>

/** More are not remembered. */
const MOST_RATES = 100

export class Turnover {
  private readonly market: Market
  /** `2026-11` where the register stands. */
  private readonly month: Intl.DateTimeFormat
  private readonly months = new Map<string, Map<string, Decimal>>()
  /** As it was written → as it is shown: there are few, and every line of every receipt has one. */
  private readonly rates = new Map<string, string>()

  constructor(market: Market) {
    this.market = market
    const { zone: timeZone } = market.facts
    this.month = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' })
  }

  /** The same pages; what is in them was counted. */
  async *through(pages: AsyncIterable<StoredItem[]>): AsyncGenerator<StoredItem[]> {
    for await (const page of pages) {
      for (const item of page) this.add(item)
      yield page
    }
  }

  get sums(): Sums {
    const months = [...this.months].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(
      months.map(([month, rates]) => {
        const sorted = [...rates].sort(([a], [b]) => Number(b) - Number(a))
        return [month, Object.fromEntries(sorted.map(([rate, sum]) => [rate, sum.toString()]))]
      }),
    )
  }

  private add(item: StoredItem): void {
    // one that was refused has no number, and a training receipt is no turnover
    if (item.receiptNumber === null) return
    const { cases, facts } = this.market
    try {
      const request = requestOfItem(item, cases)
      const word = wordOf(request.receiptCase)
      const isOld = !isVersion2(word) && facts.page !== undefined
      const traits = isOld ? facts.page?.receiptOf(word) : receiptTraits(word)
      if (traits?.training === true) return
      const month = this.month.format(item.receiptMoment)
      for (const { vatRate, amount } of request.chargeItems) {
        this.count(month, this.rateOf(vatRate.toString()), amount)
      }
    } catch (error) {
      if (!(error instanceof JsonError || error instanceof StoredTextError)) throw error
    }
  }

  private rateOf(text: string): string {
    const known = this.rates.get(text)
    if (known !== undefined) return known
    const rate = Decimal.stored(text).toString()
    if (this.rates.size < MOST_RATES) this.rates.set(text, rate)
    return rate
  }

  private count(month: string, rate: string, amount: Decimal): void {
    const rates = this.months.get(month) ?? new Map<string, Decimal>()
    this.months.set(month, rates)
    rates.set(rate, (rates.get(rate) ?? Decimal.ZERO).plus(amount))
  }
}

/** Of several queues together. */
export function joined(all: readonly Sums[]): Sums {
  const months = new Map<string, Map<string, Decimal>>()
  for (const sums of all) {
    for (const [month, rates] of Object.entries(sums)) {
      const own = months.get(month) ?? new Map<string, Decimal>()
      months.set(month, own)
      for (const [rate, text] of Object.entries(rates)) {
        own.set(rate, (own.get(rate) ?? Decimal.ZERO).plus(Decimal.of(text)))
      }
    }
  }
  return Object.fromEntries(
    [...months]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, rates]) => [
        month,
        Object.fromEntries(
          [...rates]
            .sort(([a], [b]) => Number(b) - Number(a))
            .map(([rate, sum]) => [rate, sum.toString()]),
        ),
      ]),
  )
}
