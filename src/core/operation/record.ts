// The record of a call of group D as it is stored.
import type { OperationRow } from '../../store/operation/operations.js'
import type { OperationAnswer, OperationCall } from './operation.js'

const FIRST_FAILURE = 400

export function endOf(answer: OperationAnswer): 'done' | 'failed' {
  return answer.status >= FIRST_FAILURE ? 'failed' : 'done'
}

/** Without an answer: a call that is being worked on. */
export function recordOf(
  call: OperationCall,
  answer: OperationAnswer | undefined,
  times: { startedAt: Date; finishedAt: Date | null },
): OperationRow {
  return {
    accountId: call.accountId,
    cashBoxId: call.cashBoxId,
    id: call.id,
    method: call.method,
    path: call.path,
    requestHash: call.bodyHash,
    requestHeaders: call.headers,
    request: call.requestText,
    state: answer === undefined ? 'processing' : endOf(answer),
    status: answer?.status ?? null,
    contentType: answer?.contentType ?? null,
    response: answer?.body ?? null,
    queueId: answer?.queueId ?? null,
    queueItemId: answer?.queueItemId ?? null,
    runner: null,
    ...times,
  }
}
