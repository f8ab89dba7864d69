// What became of an earlier invoice: voided, replaced by a full one, refunded. Each act leaves a
// row of kind `counted` under the hashed reference of the receipt, with all that holds since then.
import type { CasedRequest } from '../../case/reader.js'
import type { TaxRegime } from '../../device/es/unit.js'
import { objectIn } from '../../lib/json.js'
import { memberOf, objectMember, textMember } from '../../lib/json-object.js'
import type { Sought } from '../contract.js'
import {
  earlierOf,
  type GivenBack,
  givenBack,
  isTooMuch,
  type Piece,
  samePieces,
} from '../kit/earlier.js'
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
  refunded: GivenBack
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
export function lookUp({ request, words }: CasedRequest): readonly Sought[] | undefined {
  const previous = request.previousReceiptReference?.trim() ?? ''
  if (previous === '' || receipts[words.receipt.code] === undefined) return undefined
  return [{ reference: previous, wants: 'both' }]
}

export function originalOf(
  draft: EsDraft,
  reference: string,
  regime: TaxRegime,
): Original | Refusal {
  const earlier = earlierOf<Fate>(draft.input, reference, caseRules)
  if (typeof earlier === 'string') return refuse(earlier)
  const { stored, request, response, number, fate } = earlier
  const reading = readReceipt(stored, regime)
  if (reading.kind === 'refusal') return reading
  const date = dayOf(stored.request.receiptMoment, draft.settings)
  const fresh = { reference, status: 'N', refunded: {} } as const
  return { number, date, reading, request, response, fate: fate ?? fresh }
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

const isSame = ({ lines, series }: Reading, before: Reading): boolean =>
  series === before.series && samePieces(lines.map(pieceOf), before.lines.map(pieceOf))

const productOf = ({ text, rate, surcharge, nature }: Line): string =>
  `${text}|${rate.toShortString()}|${nature.mark}` +
  (surcharge.isZero ? '' : `|${surcharge.toShortString()}`)

function refunded(reading: Reading, { fate, reading: before }: Original): Fate | Refusal {
  const { reference } = fate
  if (before.refunds) return refuse('PreviousReceiptType', [reference])
  const next = givenBack(reading.lines.map(pieceOf), before.lines.map(pieceOf), fate.refunded)
  if (!isTooMuch(next)) return { ...fate, refunded: next }
  const { over, product, values } = next
  const name = product.slice(0, product.indexOf('|'))
  if (over === 'product') return refuse('RefundItemsMismatch', [reference, name])
  return refuse('RefundExceedsOriginal', [values[0], name, values[1]])
}

const pieceOf = (line: Line): Piece => ({ ...line, product: productOf(line) })
