// The items of a shown receipt: merged, grouped, with what belongs to the one above.

import type { ChargeTraits } from '../case/traits.js'
import { Decimal } from '../lib/decimal.js'
import type { JsonObject } from '../lib/json.js'
import { dataIn, decimalIn, linesIn, textIn } from '../model/json-members.js'
import { moneyText, numberText, plainText, priceText, rateText } from './plain-text.js'
import { type TaxedItem, vatLetter } from './vat.js'
import type { Cases } from './view-cases.js'
import { type Language, type Words, wordsOf } from './words.js'

export interface ItemView {
  description: string
  lines: string[]
  /** `2 × 3,80 €`; '' for one piece. */
  detail: string
  /** Of the VAT table; '' where no tax is shown. */
  letter: string
  rate: string
  amount: string
  /** A discount or an extra for the item above, or a further line of its group. */
  belongs: boolean
  /** What has happened to it: cancelled, returned. */
  notes: string[]
}

/** A charge item as it was read. */
export interface Charge extends TaxedItem {
  traits: ChargeTraits
  word: string
  description: string
  /** Nobody knows what it is: two of them are not the same. */
  nameless: boolean
  lines: string[]
  unit: string
  unitPrice: Decimal | undefined
  quantity: Decimal
  position: Decimal | undefined
}

const ONE = new Decimal(1n, 0)

export function chargeIn(item: JsonObject, cases: Cases, words: Words): Charge {
  const rate = decimalIn(item, 'VATRate') ?? Decimal.ZERO
  const traits = cases.chargeOf(item, rate)
  const data = dataIn(item, 'ftChargeItemCaseData')
  return {
    traits,
    word: textIn(item, 'ftChargeItemCase'),
    ...named(item, traits, words),
    lines: data === undefined ? [] : linesIn(data, 'cbChargeItemLines').map(plainText),
    unit: plainText(textIn(item, 'Unit')),
    unitPrice: decimalIn(item, 'UnitPrice'),
    quantity: decimalIn(item, 'Quantity') ?? ONE,
    position: decimalIn(item, 'Position'),
    letter: vatLetter(traits.vat),
    rate,
    amount: decimalIn(item, 'Amount') ?? Decimal.ZERO,
    tax: decimalIn(item, 'VATAmount'),
  }
}

/** Blanks are no description. A name that is made up says nothing about the goods. */
function named(
  item: JsonObject,
  traits: ChargeTraits,
  words: Words,
): Pick<Charge, 'description' | 'nameless'> {
  const given = plainText(textIn(item, 'Description'))
  const name = given.trim() === '' ? nameOf(traits, words) : given
  return { description: name || words.noName, nameless: name === '' }
}

/** What an item without description is called. */
function nameOf(traits: ChargeTraits, words: Words): string {
  if (traits.discount) return words.discount
  if (traits.tip) return words.tip
  if (traits.voucher) return words.voucher
  if (traits.downPayment) return words.downPayment
  return traits.returnable ? words.deposit : ''
}

export interface ItemSetting {
  language: Language
  currency: string
  /** Items are grouped by the integer part of their positions. */
  grouped: boolean
  /** No tax is shown at all. */
  untaxed: boolean
}

export function itemsOf(charges: readonly Charge[], setting: ItemSetting): ItemView[] {
  if (!setting.grouped) return merged(charges).map((charge) => itemOf(charge, setting))
  return grouped(charges).map(({ charge, belongs }) => {
    const item = itemOf(charge, setting)
    if (!charge.quantity.isZero || !charge.amount.isZero) return { ...item, belongs }
    return { ...item, belongs, detail: '', amount: '', letter: '', rate: '' }
  })
}

/** By position; the first line of a group is its headline. Without positions nothing moves. */
function grouped(charges: readonly Charge[]): { charge: Charge; belongs: boolean }[] {
  const sorted = [...charges].sort(byPosition)
  let group = ''
  return sorted.map((charge) => {
    const [whole = ''] = (charge.position ?? Decimal.ZERO).toString().split('.')
    const belongs = whole === group && whole !== '0'
    group = whole
    return { charge, belongs: belongs || charge.traits.discount }
  })
}

function byPosition(a: Charge, b: Charge): number {
  if (a.position === undefined || b.position === undefined) return 0
  const difference = a.position.minus(b.position)
  if (difference.isZero) return 0
  return difference.isNegative ? -1 : 1
}

/** Equal lines become one, which stands where the first of them stood. */
function merged(charges: readonly Charge[]): Charge[] {
  const lines: Charge[] = []
  const places = new Map<string, number>()
  charges.forEach((charge, at) => {
    const key = mergeKey(charge, charges[at + 1])
    const place = key === undefined ? undefined : places.get(key)
    const found = place === undefined ? undefined : lines[place]
    if (place !== undefined && found !== undefined) {
      lines[place] = both(found, charge)
      return
    }
    if (key !== undefined) places.set(key, lines.length)
    lines.push(charge)
  })
  return lines
}

/** Undefined for a line that stands for itself: it has lines of its own or refers to another. */
function mergeKey(charge: Charge, next: Charge | undefined): string | undefined {
  const { traits, lines, quantity, description, nameless, unit, unitPrice, rate, word } = charge
  const refers = (one: Charge | undefined): boolean =>
    one !== undefined && (one.traits.discount || one.traits.void)
  if (lines.length > 0 || quantity.isZero || nameless) return undefined
  if (refers(charge) || refers(next) || traits.refund) return undefined
  const price = `${unitPrice?.toShortString() ?? ''} ${fractionOf(charge)}`
  return JSON.stringify([description, rate.toShortString(), word, unit, price])
}

/** The exact price of one as a reduced fraction; its sign is that of the amount. */
function fractionOf({ amount, quantity }: Charge): string {
  const above = amount.units * 10n ** BigInt(quantity.scale)
  const below = quantity.units * 10n ** BigInt(amount.scale)
  const by = divisorOf(above, below)
  return `${above / by}/${below / by}`
}

/** The greatest common one, with the sign of the second number. */
function divisorOf(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other]
  while (b !== 0n) [a, b] = [b, a % b]
  return a < 0n === other < 0n ? a : -a
}

function both(one: Charge, other: Charge): Charge {
  return {
    ...one,
    quantity: one.quantity.plus(other.quantity),
    amount: one.amount.plus(other.amount),
  }
}

function itemOf(charge: Charge, { language, currency, untaxed }: ItemSetting): ItemView {
  const { traits, description, lines, letter, rate, amount } = charge
  const words = wordsOf(language)
  const hidden = untaxed || traits.marginScheme
  return {
    description,
    lines,
    detail: detailOf(charge, { language, currency }),
    letter: hidden ? '' : letter,
    rate: hidden ? '' : rateText(rate, language),
    amount: moneyText(amount, language),
    belongs: traits.discount,
    notes: [...(traits.void ? [words.cancelled] : []), ...(traits.refund ? [words.returned] : [])],
  }
}

/** Quantity and price of one, where there is not just one. */
function detailOf(
  { quantity, unit, unitPrice, amount }: Charge,
  { language, currency }: { language: Language; currency: string },
): string {
  if (quantity.isZero || quantity.equals(ONE)) return ''
  const price = unitPrice ?? Decimal.cents(quotient(amount, quantity))
  const count = `${numberText(quantity, language)}${unit === '' ? '' : `\u00a0${unit}`}`
  return `${count}\u00a0\u00d7\u00a0${priceText(price, language, currency)}`
}

/** Cents of `amount` by `quantity`, halves away from zero; a price has no sign of its own. */
function quotient(amount: Decimal, quantity: Decimal): bigint {
  const absolute = (value: bigint): bigint => (value < 0n ? -value : value)
  const scale = BigInt(quantity.scale + 2) - BigInt(amount.scale)
  const units = absolute(amount.units)
  const above = scale >= 0n ? units * 10n ** scale : units
  const below = absolute(quantity.units) * (scale >= 0n ? 1n : 10n ** -scale)
  return (above * 2n + below) / (below * 2n)
}
