// The record of an operation as the journal shows it.
import type { OperationState, Operations, StoredOperation } from '../../core/operation/operation.js'
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { parseJson } from '../../lib/json.js'
import { jsonAnswer, type PosAnswer, type PosRead, type Respond } from './read.js'

/** The words of the interface; a pending operation is none of ours: it has no record yet. */
const LAST_STATE: Record<OperationState, string> = {
  running: 'processing',
  done: 'done',
  failed: 'failed',
  rolledback: 'failed',
}

/** Throws OPERATION_UNKNOWN, also for one of another cash box. */
export function readRecord({ operations }: { operations: Operations }): Respond {
  return async ({ access, params }: PosRead): Promise<PosAnswer> => {
    const { id = '' } = params
    const { accountId, cashBoxId } = access
    const key = { accountId, cashBoxId, id: id.toLowerCase() }
    const found = isUuid(id) ? await operations.find(key) : undefined
    if (found === undefined) throw fail('OPERATION_UNKNOWN', { operation: id })
    return jsonAnswer(recordOf(found))
  }
}

/** The members of OperationRecord, in its order. */
function recordOf(found: StoredOperation): object {
  return {
    cbOperationItemID: found.id,
    ftQueueID: found.queueId ?? undefined,
    Method: found.method,
    Path: found.path,
    RequestHeaders: parseJson(found.headers),
    Request: found.request,
    Response: found.response,
    ResponseCode: found.status ?? 0,
    LastState: LAST_STATE[found.state],
    TimeStamp: found.changedAt.toISOString(),
    ftOperationItemMoment: found.startedAt.toISOString(),
  }
}
