// A stored operation as others may see it.
import type { FoundOperation } from '../../store/operation/operations.js'
import type {
  OperationAnswer,
  OperationCall,
  OperationState,
  StoredOperation,
} from './operation.js'

/** `abandoned`: of this process, which no longer works on it. */
export function stateOf(row: FoundOperation, abandoned: boolean): OperationState {
  if (row.state !== 'processing') return row.state
  const left = abandoned || !row.alive
  // of a payment nobody knows yet whether money has moved
  return left && row.queueItemId !== null ? 'rolledback' : 'running'
}

export function storedOf(row: FoundOperation, state: OperationState): StoredOperation {
  return {
    id: row.id,
    method: row.method,
    path: row.path,
    headers: row.headers,
    request: row.request,
    state,
    status: row.status,
    contentType: row.contentType,
    response: row.response,
    queueId: row.queueId,
    queueItemId: row.queueItemId,
    startedAt: row.startedAt,
    changedAt: row.finishedAt ?? row.startedAt,
  }
}

/** One that is being worked on, and of which nothing is stored yet. */
export function runningOf(call: OperationCall, since: Date): StoredOperation {
  return {
    ...{ id: call.id, method: call.method, path: call.path, headers: call.headers },
    ...{ request: call.requestText, state: 'running', status: null, contentType: null },
    ...{ response: null, queueId: null, queueItemId: null, startedAt: since, changedAt: since },
  }
}

/** Whatever its address begins with. */
export function isPayment({ path }: Pick<StoredOperation, 'path'>): boolean {
  return /\/pay\/*$/i.test(path.split('?')[0] ?? '')
}

/** What the first call was answered with. */
export function answerOf(row: FoundOperation): OperationAnswer {
  return {
    status: row.status ?? 0,
    contentType: row.contentType ?? '',
    body: row.response ?? '',
    ...(row.queueId === null ? {} : { queueId: row.queueId }),
    ...(row.queueItemId === null ? {} : { queueItemId: row.queueItemId }),
  }
}
