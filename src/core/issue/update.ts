// The register says that the customer took or saw a receipt. Called by api/possystem/issue.ts.
import { fail } from '../../errors.js'
import { writeJson } from '../../lib/json-write.js'
import { bodyObject } from '../../model/body-json.js'
import { memberOf } from '../../model/json-members.js'
import { reaching } from '../../store/client.js'
import type { Connection, IssuedReceipt } from '../../store/issued.js'
import { insertOperation } from '../../store/operations.js'
import { inTransaction } from '../../store/transaction.js'
import type { OperationAnswer, OperationCall } from '../operation/operation.js'
import { recordOf } from '../operation/record.js'
import {
  type DeliveryEvent,
  type DeliveryMethod,
  deliveryStatus,
  recordDelivery,
} from './delivery.js'
import type { IssuingDeps } from './issue.js'

const METHODS: Record<string, DeliveryMethod> = { accept: 'customeraccepted', view: 'viewed' }

/** The action of a body, names and action in any case. Throws FiscalError (kind invalid). */
export function readAction(bodyText: string): DeliveryMethod {
  if (bodyText.trim() === '') throw fail('BODY_MISSING', { expected: '{"Action":"accept"}' })
  const action = memberOf(bodyObject(bodyText, 'it is no object'), 'Action') ?? ''
  const expected = `one of ${Object.keys(METHODS).join(', ')}`
  if (action === '') throw fail('FIELD_MISSING', { field: 'Action', expected })
  const known = typeof action === 'string' && Object.hasOwn(METHODS, action.toLowerCase())
  const method = known ? METHODS[action.toLowerCase()] : undefined
  if (method === undefined) throw fail('FIELD_INVALID', { field: 'Action', expected })
  return method
}

export interface Update {
  receipt: IssuedReceipt
  event: DeliveryEvent
  call: OperationCall
  contentType: string
}

/** Another server has written this call while this one did. */
class WrittenElsewhere extends Error {
  readonly answer: OperationAnswer
  constructor(answer: OperationAnswer) {
    super('the operation was written elsewhere')
    this.answer = { ...answer, recorded: false }
  }
}

/** Writes the event and the record of the call in one transaction. */
export async function updateReceipt(
  deps: Pick<IssuingDeps, 'store' | 'now' | 'retrievals'>,
  { receipt, event, call, contentType }: Update,
): Promise<OperationAnswer> {
  const write = async (client: Connection): Promise<OperationAnswer> => {
    await recordDelivery(client, receipt, event)
    const status = await deliveryStatus(client, receipt)
    const { queueId, queueItemId } = receipt
    const body = writeJson(status ?? null)
    const answer: OperationAnswer = { status: 200, contentType, body, queueId, queueItemId }
    const record = recordOf(call, answer, { startedAt: event.moment, finishedAt: deps.now() })
    if (!(await insertOperation(client, record))) throw new WrittenElsewhere(answer)
    return answer
  }
  try {
    const answer = await reaching(() => inTransaction(deps.store, write))
    const { accountId, queueId, verified } = receipt
    if (verified) deps.retrievals.soon({ accountId, id: queueId })
    return answer
  } catch (error) {
    // rolled back with the event; the stored answer is found behind this one
    if (error instanceof WrittenElsewhere) return error.answer
    throw error
  }
}
