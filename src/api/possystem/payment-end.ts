// How a stored payment has ended, read from the answer that its register got.
import type { StoredOperation } from '../../core/operation/operation.js'
import type { PaymentEnd } from '../../core/payment/stopping.js'
import { objectIn } from '../../lib/json.js'

const FIRST_FAILURE = 400

/** Codes of problems after which no money has moved. */
const ENDS: Record<string, PaymentEnd> = {
  payment_cancelled: 'cancelled',
  payment_declined: 'failed',
  payment_timeout: 'failed',
}

export function paymentEndOf({
  status,
  response,
}: Pick<StoredOperation, 'status' | 'response'>): PaymentEnd {
  if (status !== null && status < FIRST_FAILURE) return 'paid'
  const code = objectIn(response ?? '')?.get('code')
  return (typeof code === 'string' ? ENDS[code.toLowerCase()] : undefined) ?? 'unknown'
}
