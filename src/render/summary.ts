// A receipt at a glance: how much, when, and how it was paid; for pages and e-mails.
import type { ReceiptView } from './view.js'
import type { Fact } from './view-facts.js'

export interface Summary {
  /** `16,60 €`; '' for a receipt that tells of no money. */
  sum: string
  /** `01.07.2026 12:15 · Bar` */
  under: string
}

/** More ways to pay than these are in the list of payments alone. */
const MOST_WAYS = 3

export function summaryOf(view: ReceiptView): Summary {
  return { sum: sumOf(view), under: toldUnder(view).join(' · ') }
}

/**
 * The number by which the document is known: where the law has one in the head, that one; the whole
 * one of the queue is a technical line then.
 */
export function documentNumber({ number, facts }: ReceiptView): { number: string; own?: Fact } {
  const behind = number.slice(number.indexOf('#') + 1)
  const own = facts.find(({ is, value }) => is === undefined && value === behind)
  return own === undefined ? { number } : { number: behind, own }
}

/** '' for a receipt that tells of no money: it has no sum that counts. */
export function sumOf(view: ReceiptView): string {
  return view.items.length > 0 || view.payments.length > 0 ? view.total : ''
}

export function toldUnder({ facts, payments }: ReceiptView): string[] {
  const when = facts.filter(({ is }) => is === 'moment').map(({ value }) => value)
  const ways = payments.filter(({ isWay }) => isWay).map(({ description }) => description)
  const all = [...new Set(ways)]
  const told = all.slice(0, MOST_WAYS)
  const last = told.pop()
  if (last === undefined) return when
  return [...when, ...told, all.length > MOST_WAYS ? `${last}\u00a0\u2026` : last]
}
