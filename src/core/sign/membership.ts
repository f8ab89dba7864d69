// Whether a queue is still the one that its caller meant: held by the cash box of the credentials,
// and not stopped where nobody named it. Both are parts of the head, whose version the sign
// statement compares.
import { fail } from '../../errors.js'
import type { QueueHead } from '../../model/queue.js'
import type { SignJob } from './job.js'
import { errorState, type Rejection } from './rejection.js'

/** What this head says about a caller who was let in with an earlier look at the cash box. */
export function isMeant(head: Pick<QueueHead, 'cashBoxId' | 'stopMoment'>, job: SignJob): boolean {
  if (head.cashBoxId !== job.cashBoxId) return false
  return job.isUsual !== true || head.stopMoment === null
}

/**
 * The interface looks at the cash box anew: it may hold another queue now. The answer is the one of
 * a queue that the cash box does not hold.
 */
export function notMeant(job: SignJob): Error {
  return fail('QUEUE_UNKNOWN', { queue: job.queueId })
}

/** The item was accepted before the queue left its cash box: it ends with an error answer. */
export function refusalOfMoved(country: bigint): Rejection {
  const message = 'The Queue was taken out of this CashBox while the signing device was asked.'
  const faults = [{ message, member: 'ftQueueID' }]
  return { kind: 'refused', faults, stateWord: errorState(country), answered: true }
}
