// A cancellation of a payment that still runs: the terminal is asked to stop, and the end of the
// payment says what the cancellation has done.

import type { StopWish } from '../../device/payment/order.js'
import { numberOf } from '../../device/payment/result.js'
import { type FiscalError, fail } from '../../errors.js'
import { Decimal } from '../../lib/decimal.js'
import { isUuid, randomId } from '../../lib/id.js'
import type { Store } from '../../store/client.js'
import type { Operations, StoredOperation } from '../operation/operation.js'
import { isPayment } from '../operation/stored.js'
import type { PaymentCall } from './call.js'
import { claim, findOriginal } from './cancellation.js'
import { type PaidItem, payItemCase } from './items.js'

/** `unknown`: nobody knows whether money has moved. */
export type PaymentEnd = 'paid' | 'cancelled' | 'failed' | 'unknown'

export interface StoppingDeps {
  store: Store
  operations: Pick<Operations, 'find' | 'stop'>
  endOf(ended: Pick<StoredOperation, 'status' | 'response'>): PaymentEnd
  now(): Date
}

/** Those of the payments that a request names and that went through an operation of this box. */
export async function namedOperation(
  { store, operations }: Pick<StoppingDeps, 'store' | 'operations'>,
  call: PaymentCall,
): Promise<StoredOperation | undefined> {
  const { accountId, cashBoxId, operationId, request } = call
  const original = await findOriginal(store, call, request.original)
  const names = [original?.reference ?? undefined, ...request.original.references]
  for (const name of names) {
    const id = name?.trim().toLowerCase()
    if (id === undefined || !isUuid(id) || id === operationId) continue
    const found = await operations.find({ accountId, cashBoxId, id })
    if (found !== undefined && isPayment(found)) return found
  }
  return undefined
}

export interface Stopping {
  call: PaymentCall
  /** Of the cancellation itself. */
  own: StopWish
  /** The payment was not known when this operation noted its claim on it. */
  ahead: boolean
}

/**
 * True: the named payment ran and was stopped, nothing was charged, and this operation is the one
 * that has done it. False: no payment that runs is named, the terminal decides. Throws
 * PAYMENT_DECLINED when the payment stands or never came about, PAYMENT_LOST where nobody knows,
 * PAYMENT_CANCELLED when this operation is stopped itself while it waits.
 */
export async function stopRunning(
  deps: StoppingDeps,
  { call, own, ahead }: Stopping,
): Promise<boolean> {
  const named = await namedOperation(deps, call)
  if (named === undefined) return false
  if (named.state !== 'running') {
    const end = deps.endOf(named)
    // it has seen the claim and never went to its terminal
    if (ahead && end === 'cancelled') return claimStopped(deps, call)
    return settledBefore(end)
  }
  const { accountId, cashBoxId } = call
  const key = { accountId, cashBoxId, id: named.id }
  const stopped = await Promise.race([
    deps.operations.stop(key, Number.POSITIVE_INFINITY),
    own.next(),
  ])
  if (stopped === undefined) {
    throw fail('PAYMENT_CANCELLED', { reason: 'stopped while it waited for another payment' })
  }
  if (stopped.said === 'refused') {
    throw declined('the terminal does not stop the payment, which goes on')
  }
  if (stopped.found === undefined || stopped.found.state === 'rolledback') return false
  return endedMeanwhile(deps, call, deps.endOf(stopped.found))
}

function settledBefore(end: PaymentEnd): false {
  if (end === 'paid' || end === 'unknown') return false
  throw declined('that payment ended before, and nothing was charged')
}

async function endedMeanwhile(
  deps: StoppingDeps,
  call: PaymentCall,
  end: PaymentEnd,
): Promise<true> {
  if (end === 'paid') {
    throw declined('too late, the payment stands; cancel or refund the pay item of its answer')
  }
  if (end === 'failed') throw declined('that payment ended by itself, and nothing was charged')
  if (end === 'unknown') {
    throw fail('PAYMENT_LOST', {
      reason: 'nobody knows how the payment that was to stop has ended',
    })
  }
  return claimStopped(deps, call)
}

/** Of several cancellations one has done it. */
async function claimStopped({ store, now }: StoppingDeps, call: PaymentCall): Promise<true> {
  const { operationId, request } = call
  await claim({ ...{ store, box: call, original: request.original, operationId }, now: now() })
  return true
}

function declined(reason: string): FiscalError {
  return fail('PAYMENT_DECLINED', { reason })
}

/** No money has moved: the item tells it, and may stand on a receipt. */
export function stoppedItem(call: PaymentCall, provider: string): PaidItem {
  const { operationId: OperationID, request, market } = call
  const [OriginalOperationID] = request.original.references
  const result = {
    ...{ charged: Decimal.ZERO, tip: Decimal.ZERO, receipt: [] },
    request: { OperationID, Amount: numberOf(request.amount), OriginalOperationID },
    response: { OperationID, Amount: numberOf(Decimal.ZERO), Result: 'STOPPED' },
  }
  return {
    ...{ id: randomId(), description: request.description, amount: Decimal.ZERO },
    payItemCase: payItemCase(market, 'cancel'),
    caseData: { provider, action: 'cancel', result },
  }
}
