// What has become of an operation: by its id, or by the reference of its receipt. Nothing waits and
// nothing changes.
import type {
  OperationState,
  Operations,
  ReferencedReceipt,
  StoredOperation,
} from '../../core/operation/operation.js'
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { LONGEST_TEXT } from './headers.js'
import { jsonAnswer, type PosAnswer, type PosRead, type Respond } from './read.js'

type State = 'never' | 'running' | 'done' | 'rolledback'

/** A failure is an answer like any other: the call has ended, and every repetition gets it. */
const STATE: Record<OperationState, State> = {
  running: 'running',
  done: 'done',
  failed: 'done',
  rolledback: 'rolledback',
}

interface LookUpDeps {
  operations: Operations
}

/** Always answers, an operation of another cash box like one that was never seen. */
export function lookUpOne({ operations }: LookUpDeps): Respond {
  return async ({ access, params }: PosRead): Promise<PosAnswer> => {
    const { id = '' } = params
    if (!isUuid(id)) throw fail('FIELD_INVALID', { field: 'operationId', expected: 'a UUID' })
    const { accountId, cashBoxId } = access
    const found = await operations.find({ accountId, cashBoxId, id: id.toLowerCase() })
    return jsonAnswer(found === undefined ? { State: 'never' } : operationFields(found))
  }
}

export function operationFields(found: StoredOperation) {
  return {
    Id: found.id,
    Method: found.method,
    Path: found.path,
    ftOperationItemMoment: found.startedAt.toISOString(),
    State: STATE[found.state],
    ResponseCode: found.status ?? undefined,
    Response: found.response ?? undefined,
    ftQueueID: found.queueId ?? undefined,
    ftQueueItemID: found.queueItemId ?? undefined,
  }
}

export function lookUpReference({ operations }: LookUpDeps): Respond {
  return async ({ access, query }: PosRead): Promise<PosAnswer> => {
    const { accountId, cashBoxId, queues } = access
    const receiptReference = textIn(query, 'cbReceiptReference')
    if (receiptReference.trim() === '') {
      const expected = 'the reference of a receipt'
      throw fail('FIELD_MISSING', { field: 'cbReceiptReference', expected })
    }
    const terminalId = textIn(query, 'cbTerminalID')
    const found = await operations.byReference({
      ...{ accountId, cashBoxId, receiptReference },
      queueIds: queues.map((queue) => queue.id),
      terminalId: terminalId === '' ? undefined : terminalId,
    })
    const items = found.map(receiptFields)
    return jsonAnswer({ State: items[0]?.State ?? 'never', Items: items })
  }
}

/** '' where there is none. */
function textIn(query: PosRead['query'], field: string): string {
  const text = query.get(field.toLowerCase()) ?? ''
  if (text.length <= LONGEST_TEXT && !text.includes('\0')) return text
  throw fail('FIELD_INVALID', { field, expected: `a text of at most ${LONGEST_TEXT} characters` })
}

/** Receipts of other groups have no operation: their answer was sent with 200. */
function receiptFields(item: ReferencedReceipt) {
  const { operation, queueId, queueItemId, queueMoment, response } = item
  const place = { ftQueueID: queueId, ftQueueItemID: queueItemId }
  if (operation !== undefined) return { ...operationFields(operation), ...place }
  const state: State = response === null ? 'running' : 'done'
  return {
    ftOperationItemMoment: queueMoment.toISOString(),
    State: state,
    ...(response === null ? {} : { ResponseCode: 200, Response: response }),
    ...place,
  }
}
