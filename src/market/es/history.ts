// What became of an earlier invoice: voided, replaced by a full one, refunded. Each act leaves a
// row of kind `counted` under the hashed reference of the receipt, with all that holds since then.
import type { CasedRequest } from '../../case/reader.js'
import { readStored } from '../../case/stored-receipt.js'
import type { TaxRegime } from '../../device/es/unit.js'
import { Decimal } from '../../lib/decimal.js'
import { objectIn } from '../../lib/json.js'
import { memberOf, objectMember, textMember } from '../../lib/json-object.js'
import { objectsIn, textIn } from '../../model/json-members.js'
import type { Signature } from '../../model/receipt.js'
import type { LookUp } from '../contract.js'
import { abs, two } from '../kit/amounts.js'
import { keyOf, noteCounted, onlyOne } from '../kit/counted.js'
import type { Refusal } from '../kit/refusal.js'
import type { Line } from './amounts.js'
import { caseRules, receipts } from './cases.js'
import { dayOf, type EsDraft } from './draft.js'
import { type Reading, readReceipt } from './reading.js'
import { refuse } from './text.js'

export interface Fate {
  reference: string
  /** N normal, A voided, F replaced. */
  status: 'N' | 'A' | 'F'
  /** By product: quantity and amount that were given back. */
  refunded: Readonly<Record<string, readonly [quantity: string, amount: string]>>
}

export interface Original {
  /** Series and number: the text behind #. */
  number: string
  /** FechaExpedicion. */
  date: string
  reading: Reading
  request: string
  response: string
  fate: Fate
}

/** The receipt that is referred to, and what became of it. */
export function lookUp({ request, words }: CasedRequest): LookUp | undefined {
  const previous = request.previousReceiptReference?.trim() ?? ''
  if (previous === '' || receipts[words.receipt.code] === undefined) return undefined
  return { references: [previous], counts: keyOf(previous) }
}

export function originalOf(
  draft: EsDraft,
  reference: string,
  regime: TaxRegime,
): Original | Refusal {
  const { previous } = draft.input
  const receipt = onlyOne(draft.input, reference)
  if (receipt === 'none') return refuse('PreviousReceiptNotFound')
  if (receipt === 'several') return refuse('MultipleReceiptReferences')
  const { version, request, response } = receipt
  const stored = readStored(request, { version, cases: caseRules })
  const reading = readReceipt(stored, regime)
  if (reading.kind === 'refusal') return reading
  const answer = objectIn(response)
  const identification = answer === undefined ? '' : textIn(answer, 'ftReceiptIdentification')
  const newest = previous.newest
  return {
    number: identification.slice(identification.indexOf('#') + 1),
    date: dayOf(stored.request.receiptMoment, draft.settings),
    ...{ reading, request, response },
    fate:
      newest === undefined
        ? { reference, status: 'N', refunded: {} }
        : (JSON.parse(newest) as Fate),
  }
}

export const noteFate = (draft: EsDraft, fate: Fate): void =>
  noteCounted(draft, fate.reference, fate)

/** Signature items of the stored answer, without the mark of the sandbox. */
export function printed({ response }: Pick<Original, 'response'>): Signature[] {
  const answer = objectIn(response)
  if (answer === undefined) return []
  return objectsIn(answer, 'ftSignatures')
    .map((one) => ({
      ...{ caption: textIn(one, 'caption'), data: textIn(one, 'data') },
      format: BigInt(textIn(one, 'ftsignatureformat')),
      type: BigInt(textIn(one, 'ftsignaturetype')),
    }))
    .filter(({ caption }) => caption !== 'S A N D B O X')
}

/** What was sent for it, as its answer shows it. */
export function requestIn({ response }: Pick<Original, 'response'>): string {
  const answer = objectIn(response)
  const data = memberOf(answer, 'ftStateData')
  const state = typeof data === 'string' ? objectIn(data) : objectMember(answer, 'ftStateData')
  const api = objectMember(objectMember(state, 'ES'), 'GovernmentAPI')
  return textMember(api, 'Request') ?? ''
}

// -------------------------------------------------------------------------------------- its rules

/** What holds of the invoice before when this receipt is made; undefined: nothing changes. */
export function nextFate(reading: Reading, original: Original): Fate | Refusal | undefined {
  const { fate, reading: before } = original
  const { reference } = fate
  if (before.series === undefined || before.voids) return refuse('PreviousReceiptType', [reference])
  if (fate.status === 'A') {
    return refuse(reading.voids ? 'VoidAlreadyExists' : 'PreviousReceiptIsVoided', [reference])
  }
  if (reading.voids) return voided(reading, original)
  if (reading.repairs !== undefined) return repaired(reading, original)
  if (reading.refunds) return refunded(reading, original)
  if (!replaces(reading, original)) return undefined
  if (fate.status === 'F') return refuse('PreviousReceiptIsReplaced', [reference])
  return { ...fate, status: 'F' }
}

/** A full invoice for a simplified one. */
export function replaces(reading: Reading, { reading: before }: Original): boolean {
  const isPlain = !reading.voids && !reading.refunds && !before.refunds && !reading.repairs
  return isPlain && reading.series === 'full' && before.series === 'simplified'
}

function voided(reading: Reading, { fate, reading: before }: Original): Fate | Refusal {
  const { reference } = fate
  if (Object.keys(fate.refunded).length > 0) return refuse('CannotVoidRefundedReceipt', [reference])
  if (fate.status === 'F') return refuse('PreviousReceiptIsReplaced', [reference])
  return isSame(reading, before)
    ? { ...fate, status: 'A' }
    : refuse('VoidItemsMismatch', [reference])
}

/** A record that says the same invoice rightly; amounts are changed by a rectifying one. */
function repaired(reading: Reading, { fate, reading: before }: Original): Refusal | undefined {
  const { reference } = fate
  const isPlain = !before.refunds && before.previous === ''
  if (!isPlain) return refuse('CorrectionOfInvoiceOnly')
  return isSame(reading, before) ? undefined : refuse('CorrectionItemsMismatch', [reference])
}

const isSame = (reading: Reading, before: Reading): boolean =>
  shown(reading.lines) === shown(before.lines) && reading.series === before.series

/** Signs are not looked at. */
function shown(lines: readonly Line[]): string {
  return lines
    .map((one) =>
      [productOf(one), abs(one.quantity).toShortString(), two(abs(one.amount))].join('|'),
    )
    .join('\n')
}

const productOf = ({ text, rate, surcharge, nature }: Line): string =>
  `${text}|${rate.toShortString()}|${nature.mark}` +
  (surcharge.isZero ? '' : `|${surcharge.toShortString()}`)

function refunded(reading: Reading, { fate, reading: before }: Original): Fate | Refusal {
  const { reference } = fate
  if (before.refunds) return refuse('PreviousReceiptType', [reference])
  const sold = sumsOf(before.lines)
  const next: Record<string, readonly [string, string]> = { ...fate.refunded }
  for (const [product, [quantity, amount]] of sumsOf(reading.lines)) {
    const original = sold.get(product)
    const name = product.slice(0, product.indexOf('|'))
    if (original === undefined) return refuse('RefundItemsMismatch', [reference, name])
    const [q, a] = next[product] ?? ['0', '0']
    const all = [quantity.plus(Decimal.of(q)), amount.plus(Decimal.of(a))] as const
    const over = ([0, 1] as const).find((at) => all[at].minus(original[at]).isPositive)
    if (over !== undefined) {
      const values = [all[over].toShortString(), name, original[over].toShortString()]
      return refuse('RefundExceedsOriginal', values)
    }
    next[product] = [all[0].toShortString(), all[1].toShortString()]
  }
  return { ...fate, refunded: next }
}

/** By product, without signs. */
function sumsOf(lines: readonly Line[]): Map<string, [Decimal, Decimal]> {
  const sums = new Map<string, [Decimal, Decimal]>()
  for (const line of lines) {
    const [quantity, amount] = sums.get(productOf(line)) ?? [Decimal.ZERO, Decimal.ZERO]
    sums.set(productOf(line), [quantity.plus(line.quantity), amount.plus(line.amount)])
  }
  return new Map([...sums].map(([product, [q, a]]) => [product, [abs(q), abs(a)]]))
}
