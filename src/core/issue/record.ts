// The record of a call that writes its effect and itself in one transaction. Called by issue.ts and
// update.ts.
import type { OperationRow } from '../../store/operations.js'
import type { OperationAnswer, OperationCall } from '../operation/operation.js'

export function recordOf(
  call: OperationCall,
  answer: OperationAnswer,
  times: { startedAt: Date; finishedAt: Date },
): OperationRow {
  return {
    accountId: call.accountId,
    cashBoxId: call.cashBoxId,
    id: call.id,
    method: call.method,
    path: call.path,
    requestHash: call.fingerprint,
    requestHeaders: call.headers,
    request: call.requestText,
    state: 'done',
    status: answer.status,
    contentType: answer.contentType,
    response: answer.body,
    queueId: answer.queueId ?? null,
    queueItemId: answer.queueItemId ?? null,
    runner: null,
    ...times,
  }
}
