// POST /issue and PUT /issue/{QueueId}/{QueueItemId}: calls that change something. What only reads
// is in issued.ts. Mounted by index.ts.
import { type IssuingDeps, issuable, publish } from '../../core/issue/issue.js'
import { issuedBy } from '../../core/issue/read.js'
import { readAction, updateReceipt } from '../../core/issue/update.js'
import type { OperationAnswer } from '../../core/operation/operation.js'
import { JsonNumber } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { header } from '../shared/caller.js'
import { type AddressDeps, receiptAddress } from '../shared/receipt-address.js'
import { JSON_TYPE, type Prepare } from './call.js'

export interface IssueDeps {
  issuing: IssuingDeps
  address: AddressDeps
}

/** The page under DocumentURL is a page, whatever else can be had there. */
const DOCUMENT_TYPE = 'text/html'

export function prepareIssue({ issuing, address }: IssueDeps): Prepare {
  return async ({ access, operation, bodyText, request }) => {
    const found = await issuable(issuing, access, bodyText)
    const { queueId, queueItemId } = found.issued
    const answer: OperationAnswer = {
      status: 201,
      contentType: JSON_TYPE,
      body: writeJson({
        ftQueueID: queueId,
        ftQueueItemID: queueItemId,
        ftQueueRow: found.queueRow === undefined ? undefined : new JsonNumber(found.queueRow),
        DocumentURL: receiptAddress(address, request, { queueId, queueItemId }),
        DocumentContentType: DOCUMENT_TYPE,
      }),
      queueId,
      queueItemId,
    }
    return { kind: 'recorded', run: () => publish(issuing, found, { call: operation, answer }) }
  }
}

/** Wants the path parts `queueId` and `itemId`. */
export function prepareIssueUpdate({ issuing }: Pick<IssueDeps, 'issuing'>): Prepare {
  return async ({ access, operation, bodyText, request }) => {
    const method = readAction(bodyText)
    const { queueId, itemId } = request.params as { queueId: string; itemId: string }
    const receipt = await issuedBy(issuing.store, access, { queueId, queueItemId: itemId })
    const event = {
      method,
      kind: 'pos',
      moment: issuing.now(),
      appId: undefined,
      userAgent: header(request, 'user-agent'),
      address: request.ip,
    } as const
    return {
      kind: 'recorded',
      run: () =>
        updateReceipt(issuing, { receipt, event, call: operation, contentType: JSON_TYPE }),
    }
  }
}
