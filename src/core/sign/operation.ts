// The record of the operation that asks for a receipt, as the sign statement stores it with the
// item. Called by batch.ts and lane.ts through step.ts.
import type { ItemOperation, ItemRow, SignBatch } from '../../store/sign-batch.js'
import type { SignDeps, SignJob } from './job.js'

/** Of a receipt whose answer is there. A failure inside of the answer is an answer as well. */
const ANSWERED = 201
const CONTENT_TYPE = 'application/json; charset=utf-8'

/** The item is new, answered or not. */
export function pushOperation(
  deps: SignDeps,
  batch: SignBatch,
  { job, item }: { job: SignJob; item: ItemRow },
): void {
  const row = recordOf(deps, job, item)
  if (row !== undefined) batch.operations.push(row)
}

/** The item was stored before without an answer, and has one now. */
export function endOperation(
  deps: SignDeps,
  batch: SignBatch,
  { job, item }: { job: SignJob; item: ItemRow },
): void {
  const row = recordOf(deps, job, item)
  if (row !== undefined) batch.endings.push(row)
}

function recordOf(deps: SignDeps, job: SignJob, item: ItemRow): ItemOperation | undefined {
  const { operation } = job
  if (operation === undefined) return undefined
  const done = item.doneMoment !== null
  return {
    accountId: operation.accountId,
    cashBoxId: operation.cashBoxId,
    id: operation.id,
    method: operation.method,
    path: operation.path,
    requestHash: operation.fingerprint,
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
