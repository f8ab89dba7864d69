// Which earlier payment a request means, and that it is cancelled once only.

import type { OriginalNames } from '../../device/payment/order.js'
import { fail } from '../../errors.js'
import { sha256 } from '../../lib/hash.js'
import { isUuid, randomId } from '../../lib/id.js'
import type { Store } from '../../store/client.js'
import {
  type Cancellation,
  claimCancellation,
  findPayments,
  insertPayment,
  type PaymentBox,
  type PaymentRow,
} from '../../store/operation/payments.js'

/** Longer ones do not fit into the index and are known by their hash. */
const LONGEST_REFERENCE = 200

/** As references are compared and kept. */
export function referenceKey(text: string): string {
  if (text.length > LONGEST_REFERENCE) return sha256(text).toString('hex')
  return text.toLowerCase()
}

/** By ftPayItemId, else by the first reference that is known. */
export async function findOriginal(
  store: Store,
  box: PaymentBox,
  { itemId, references }: OriginalNames,
): Promise<PaymentRow | undefined> {
  const keys = references.map(referenceKey)
  if (itemId === undefined && keys.length === 0) return undefined
  const found = await findPayments(store, box, { itemId, references: keys })
  const byReference = keys.map((key) => found.find(({ reference }) => reference === key))
  return [found.find(({ id }) => id === itemId), ...byReference].find((row) => row !== undefined)
}

export interface CancelClaim {
  store: Store
  box: PaymentBox
  original: OriginalNames
  operationId: string
  now: Date
}

export interface Claimed extends Cancellation {
  /** Nothing of the payment is known here: it is one of elsewhere, or has not begun yet. */
  unknown: boolean
}

/**
 * The right to cancel this payment, which one operation has. A payment that is not known is noted
 * for it, and ends without its terminal when it begins later; undefined for one that carries no
 * name. Throws PAYMENT_DECLINED when another one has it.
 */
export async function claim(asked: CancelClaim): Promise<Claimed | undefined> {
  const { store, box, original, operationId } = asked
  if (original.itemId === undefined && original.references.length === 0) return undefined
  for (;;) {
    const { accountId, cashBoxId } = box
    const known = await findOriginal(store, box, original)
    if (known !== undefined) {
      const wanted = { accountId, cashBoxId, id: known.id, operationId }
      const unknown = known.action === 'foreign'
      if (await claimCancellation(store, wanted)) return { ...wanted, unknown }
      const reason = 'this payment is cancelled already, or is being cancelled'
      throw fail('PAYMENT_DECLINED', { reason })
    }
    const foreign = foreignRow(asked)
    if (await insertPayment(store, foreign)) {
      return { accountId, cashBoxId, id: foreign.id, operationId, unknown: true }
    }
  }
}

function foreignRow({ box, original, operationId, now }: CancelClaim): PaymentRow {
  const { references } = original
  // a payment that has not begun yet looks for its own id
  const reference = references.find(isUuid) ?? references[0]
  return {
    accountId: box.accountId,
    cashBoxId: box.cashBoxId,
    id: original.itemId ?? randomId(),
    reference: reference === undefined ? null : referenceKey(reference),
    action: 'foreign',
    terminalId: null,
    cancelledBy: operationId,
    createdAt: now,
  }
}
