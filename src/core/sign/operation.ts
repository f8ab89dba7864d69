// The record of the operation that asks for a receipt, as the sign statement stores it with the
// item, and whose were there before.
import { findOperations } from '../../store/operation/operations.js'
import type { ItemOperation, ItemRow } from '../../store/sign/sign-batch.js'
import { nameOf } from '../operation/look-up.js'
import type { SignDeps, SignJob } from './job.js'
import type { Waiter } from './waiter.js'

/** Of a receipt whose answer is there. A failure inside of the answer is an answer as well. */
const ANSWERED = 201
const CONTENT_TYPE = 'application/json; charset=utf-8'

/** Of an item that is new, answered or not, or that gets its answer now. */
export function recordOf(deps: SignDeps, job: SignJob, item: ItemRow): ItemOperation | undefined {
  const { operation } = job
  if (operation === undefined) return undefined
  const done = item.doneMoment !== null
  return {
    accountId: operation.accountId,
    cashBoxId: operation.cashBoxId,
    id: operation.id,
    method: operation.method,
    path: operation.path,
    requestHash: operation.bodyHash,
    requestHeaders: operation.headers,
    state: done ? 'done' : 'processing',
    status: done ? ANSWERED : null,
    contentType: done ? CONTENT_TYPE : null,
    queueId: item.queueId,
    queueItemId: item.id,
    runner: done ? null : deps.runner,
    startedAt: item.queueMoment,
    finishedAt: item.doneMoment,
  }
}

/** Those whose operation has a record. */
export async function knownAmong(
  store: SignDeps['store'],
  waiters: readonly Waiter[],
): Promise<Set<Waiter>> {
  const calls = new Map<string, Waiter>()
  for (const waiter of waiters) {
    const { operation } = waiter.job
    if (operation !== undefined) calls.set(nameOf(operation), waiter)
  }
  const keys = [...calls.values()].flatMap(({ job }) => job.operation ?? [])
  const found = keys.length === 0 ? [] : await findOperations(store, keys)
  return new Set(found.flatMap((row) => calls.get(nameOf(row)) ?? []))
}
