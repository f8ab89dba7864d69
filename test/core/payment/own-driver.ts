// A driver of one's own, complete: the example of docs/payments.md. Its terminal is told an order
// in cents, answers at once, and is asked until the guest is done; it cannot give money back.
import type {
  PaymentOrder,
  PaymentProvider,
  PaymentResult,
  PaymentRun,
} from '../../../src/device/payment/order.js'
import { failedWith } from '../../../src/device/payment/result.js'
import { fail } from '../../../src/errors.js'
import { Decimal } from '../../../src/lib/decimal.js'

/** What the terminal answers. */
interface Told {
  state: 'waiting' | 'paid' | 'declined'
  cents: number
  slip: string[]
}

const PAUSE_MS = 1_000
/** So often without a sign of life: nobody knows. */
const MOST_SILENCE = 300

export function createOwnProvider(address: string): PaymentProvider {
  return { payment: (order, run) => pay(`${address}/orders/${order.operationId}`, order, run) }
}

async function pay(url: string, order: PaymentOrder, run: PaymentRun): Promise<PaymentResult> {
  const request = { cents: Number(order.amount.toCents()) }
  for (let silence = 0; silence < MOST_SILENCE; silence += 1) {
    const told = await tell(url, request, run)
    if (told !== undefined) silence = 0
    if (told?.state === 'declined') throw failedWith('DECLINED', 'the bank refused the card')
    if (told?.state === 'paid') {
      const charged = Decimal.cents(BigInt(told.cents))
      const response = { Amount: told.cents / 100, Result: 'SUCCESS' }
      return { charged, tip: Decimal.ZERO, request, response, receipt: told.slip }
    }
    await run.sleep(PAUSE_MS)
  }
  throw fail('PAYMENT_LOST', { reason: 'it has not answered for too long' })
}

/** Begins the order or asks how it stands: with PUT that is the same. Undefined: no answer. */
async function tell(url: string, request: object, run: PaymentRun): Promise<Told | undefined> {
  const [sent] = await Promise.allSettled([
    run.fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      timeoutMs: 10_000,
      maxBytes: 65_536,
      // the address of `terminal add`: it may be a private one
      named: true,
      signal: run.signal,
    }),
  ])
  if (sent.status === 'rejected' || sent.value.status !== 200) return undefined
  return JSON.parse(sent.value.body.toString()) as Told
}
