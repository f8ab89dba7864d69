// An earlier document, as its stored answer shows it, and what was given back of its items.
import type { CasedRequest } from '../../case/reader.js'
import type { CaseRules } from '../../case/rules.js'
import { readStored } from '../../case/stored-receipt.js'
import { abs, two } from '../../lib/amounts.js'
import { Decimal } from '../../lib/decimal.js'
import { objectIn } from '../../lib/json.js'
import type { EarlierReceipt } from '../../model/journal.js'
import { textIn } from '../../model/json-members.js'
import type { Signature } from '../../model/receipt.js'
import type { ReceiptInput } from '../contract.js'
import { shownBy } from './audit.js'
import { onlyOne } from './counted.js'
import { newestOf } from './draft.js'

export interface Earlier<F> {
  stored: CasedRequest
  /** Both as they were stored. */
  request: string
  response: string
  /** Its number. */
  number: string
  /** What became of it; undefined: nothing yet. */
  fate: F | undefined
}

/** The receipt of this reference as it was read then; else the rule that is broken. */
export function earlierOf<F>(
  { previous }: Pick<ReceiptInput<unknown, never>, 'previous'>,
  reference: string,
  cases: CaseRules,
): Earlier<F> | Exclude<ReturnType<typeof onlyOne>, EarlierReceipt> {
  const receipt = onlyOne({ previous }, reference)
  if (typeof receipt === 'string') return receipt
  const { version, request, response } = receipt
  return {
    stored: readStored(request, { version, cases }),
    ...{ request, response, number: numberIn(response) },
    fate: newestOf<F>(previous, reference),
  }
}

/** The number of the document: what stands behind #. */
function numberIn(response: string): string {
  const answer = objectIn(response)
  const identification = answer === undefined ? '' : textIn(answer, 'ftReceiptIdentification')
  return identification.slice(identification.indexOf('#') + 1)
}

/** Signature items of the answer, without the mark of the sandbox. */
export const printedIn = (response: string): Signature[] =>
  shownBy(response)
    .items.filter(({ caption }) => caption !== 'S A N D B O X')
    .map(({ caption, data, format, type }) => ({
      ...{ caption, data, format: BigInt(format), type: BigInt(type) },
    }))

/** By product: quantity and amount. */
export type GivenBack = Readonly<Record<string, readonly [quantity: string, amount: string]>>

export interface Piece {
  product: string
  quantity: Decimal
  amount: Decimal
}

/** The same items, whatever their order and signs. */
export function samePieces(one: readonly Piece[], other: readonly Piece[]): boolean {
  const shown = ({ product, quantity, amount }: Piece) =>
    [product, abs(quantity).toShortString(), two(abs(amount))].join('|')
  const [left, right] = [one, other].map((list) => list.map(shown).toSorted().join('\n'))
  return left === right
}

/** The first product that was not sold, or not so often, or not for so much. */
export interface TooMuch {
  over: 'product' | 'quantity' | 'amount'
  product: string
  /** All that would be given back of it, and what was sold. */
  values: readonly [all: string, sold: string]
}

export const isTooMuch = (one: GivenBack | TooMuch): one is TooMuch => 'over' in one

/** What is given back of `sold` with these pieces; signs are not looked at. */
export function givenBack(
  pieces: readonly Piece[],
  sold: readonly Piece[],
  before: GivenBack,
): GivenBack | TooMuch {
  const there = sumsOf(sold)
  const next: Record<string, readonly [string, string]> = { ...before }
  for (const [product, sums] of sumsOf(pieces)) {
    const most = there.get(product)
    if (most === undefined) return { over: 'product', product, values: ['', ''] }
    const known = next[product] ?? ['0', '0']
    const all = PARTS.map((part, at) => sums[part].plus(Decimal.of(known[at] ?? '0')))
    const over = PARTS.find((part, at) => all[at]?.minus(most[part]).isPositive)
    const [quantity = '', amount = ''] = all.map((sum) => sum.toShortString())
    if (over !== undefined) {
      const told = over === 'quantity' ? quantity : amount
      return { over, product, values: [told, most[over].toShortString()] }
    }
    next[product] = [quantity, amount]
  }
  return next
}

type Sums = Pick<Piece, 'quantity' | 'amount'>
const PARTS = ['quantity', 'amount'] as const

function sumsOf(pieces: readonly Piece[]): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const { product, quantity, amount } of pieces) {
    const one = sums.get(product) ?? { quantity: Decimal.ZERO, amount: Decimal.ZERO }
    sums.set(product, { quantity: one.quantity.plus(quantity), amount: one.amount.plus(amount) })
  }
  const unsigned = ({ quantity, amount }: Sums) => ({
    quantity: abs(quantity),
    amount: abs(amount),
  })
  return new Map([...sums].map(([product, one]) => [product, unsigned(one)]))
}
