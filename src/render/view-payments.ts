// The payments of a shown receipt: change, tips, foreign money, card receipts.

import type { DocumentKind, PayTraits } from '../case/traits.js'
import { Decimal } from '../lib/decimal.js'
import type { JsonObject } from '../lib/json.js'
import { dataIn, decimalIn, linesIn, textIn } from '../model/json-members.js'
import { moneyText, plainText, priceText } from './plain-text.js'
import type { Cases } from './view-cases.js'
import type { Charge, ItemView } from './view-items.js'
import { type Language, type Words, wordsOf } from './words.js'

export interface PaymentView {
  description: string
  amount: string
  /** What it is besides a payment: change, a tip, an amount of foreign money; '' for nothing. */
  note: string
  /** The receipt of the card terminal. */
  lines: string[]
  /** By which was paid: no change, no tip, nothing that was moved here from the items. */
  isWay: boolean
}

/** A pay item as it was read. */
export interface Payment {
  traits: PayTraits
  description: string
  amount: Decimal
  note: string
  lines: string[]
}

/** By PP of version 2. */
const NAMES = [
  ...['unknownPay', 'cash', 'nonCash', 'cheque', 'debitCard', 'creditCard', 'voucher'],
  ...['onlinePay', 'loyalty', 'receivable', 'bankTransfer', 'bankTransfer', 'moneyMoved'],
  ...['internal', 'grant', 'mealVoucher'],
] as readonly (keyof Words)[]

export const payName = (kind: number, words: Words): string => words[NAMES[kind] ?? 'unknownPay']

export function paymentIn(
  item: JsonObject,
  { cases, language }: { cases: Cases; language: Language },
): Payment {
  const words = wordsOf(language)
  const traits = cases.payOf(item)
  const data = dataIn(item, 'ftPayItemCaseData')
  const lines = (name: string): string[] =>
    data === undefined ? [] : linesIn(data, name).map(plainText)
  const receipt = lines('Receipt')
  const role = roleOf(traits, words)
  const given = plainText(textIn(item, 'Description')).trim()
  const description = given || role || payName(traits.kind, words)
  const notes = [
    // a description that says so already is not explained
    role.toLowerCase() === description.toLowerCase() ? '' : role,
    traits.void ? words.cancelled : '',
    traits.refund ? words.refund : '',
    traits.foreign && data !== undefined ? foreignText(data, language) : '',
  ]
  return {
    traits,
    description,
    amount: decimalIn(item, 'Amount') ?? Decimal.ZERO,
    note: notes.filter((note) => note !== '').join(' · '),
    lines: receipt.length > 0 ? receipt : lines('cbPayItemLines'),
  }
}

function roleOf(traits: PayTraits, words: Words): string {
  if (traits.tip) return words.tip
  return traits.change ? words.change : ''
}

/** `10,50 CHF`; '' where the amount is not told. */
function foreignText(data: JsonObject, language: Language): string {
  const amount = decimalIn(data, 'foreignCurrencyAmount')
  if (amount === undefined) return ''
  // versions 0 and 1 name it by its code
  const named = textIn(data, 'foreignCurrencySymbol') || textIn(data, 'CurrencyCode')
  const symbol = plainText(named)
  return priceText(amount, language, symbol)
}

/** Payments in their order, then the items that are shown among them. */
export function paymentsOf(
  payments: readonly Payment[],
  charges: readonly Charge[],
  language: Language,
): PaymentView[] {
  return [
    ...payments
      .filter(({ traits }) => !traits.amongItems)
      .map(({ traits, description, amount, note, lines }) => ({
        isWay: !traits.change && !traits.tip,
        description,
        amount: moneyText(amount, language),
        note,
        lines,
      })),
    ...charges
      .filter(({ traits }) => traits.amongPayments)
      .map(({ description, amount, lines }) => ({
        isWay: false,
        description,
        amount: moneyText(amount.negated(), language),
        note: '',
        lines,
      })),
  ]
}

/** PP of what is not paid yet: it goes on account. */
const RECEIVABLE = 9

interface Sold {
  document: DocumentKind
  payments: readonly Payment[]
  charges: readonly Charge[]
}

/**
 * What is still to be paid, for programs. Without any payment an invoice is open as a whole, and of
 * another receipt nothing is known: ''.
 */
export function dueOf(total: Decimal, { document, payments, charges }: Sold): string {
  const own = payments.filter(({ traits }) => !traits.amongItems)
  const among = charges.filter(({ traits }) => traits.amongPayments)
  if (own.length === 0 && among.length === 0 && document !== 'invoice') return ''
  const paid = [
    ...own.filter(({ traits }) => traits.kind !== RECEIVABLE).map(({ amount }) => amount),
    ...among.map(({ amount }) => amount.negated()),
  ]
  return amountText(paid.reduce((left, amount) => left.minus(amount), total))
}

/** In plain notation with at least two decimals. */
export function amountText(amount: Decimal): string {
  return amount.scale > 2 ? amount.toString() : Decimal.cents(amount.toCents()).toString()
}

/** Payments that are shown among the items, a voucher that is sold for example. */
export function paidItemsOf(payments: readonly Payment[], language: Language): ItemView[] {
  return payments
    .filter(({ traits }) => traits.amongItems)
    .map(({ description, amount, lines }) => ({
      description,
      lines,
      detail: '',
      letter: '',
      rate: '',
      amount: moneyText(amount.negated(), language),
      belongs: false,
      notes: [],
    }))
}
