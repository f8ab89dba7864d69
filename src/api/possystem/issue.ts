// POST /issue and PUT /issue/{QueueId}/{QueueItemId}: calls that change something. What only reads
// is in issued.ts. Mounted by index.ts.
import type { FastifyRequest } from 'fastify'
import type { OperationAnswer } from '../../core/operation/operation.js'
import { readAction } from '../../core/receipts/action.js'
import type { Act } from '../../core/receipts/apply-action.js'
import { type IssuingDeps, issuable, publish } from '../../core/receipts/issue.js'
import { issuedBy } from '../../core/receipts/read.js'
import { type UpdateDeps, updateReceipt } from '../../core/receipts/update.js'
import { JsonNumber } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { header } from '../shared/caller.js'
import { type AddressDeps, receiptAddress, receiptPlace } from '../shared/receipt-address.js'
import { JSON_TYPE, type Prepare } from './call.js'

export interface IssueDeps {
  issuing: IssuingDeps
  address: AddressDeps
}

export interface UpdateIssuedDeps {
  updating: UpdateDeps
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
export function prepareIssueUpdate({ updating, address }: UpdateIssuedDeps): Prepare {
  return async ({ access, operation, bodyText, request }) => {
    const action = await readAction(bodyText)
    const { queueId, itemId } = request.params as { queueId: string; itemId: string }
    const receipt = await issuedBy(updating.store, access, { queueId, queueItemId: itemId })
    const act: Act = {
      receipt,
      action,
      actor: {
        kind: 'pos',
        appId: undefined,
        userAgent: header(request, 'user-agent'),
        address: request.ip,
      },
      languages: header(request, 'accept-language'),
      place: receiptPlace(address, request),
      link: receiptAddress(address, request, receipt),
    }
    const update = { act, call: operation, contentType: JSON_TYPE }
    return { kind: 'recorded', run: () => updateReceipt(updating, update) }
  }
}

/** The answer to a link has no body, but says where the receipt is. */
export function linkLocation(
  address: AddressDeps,
  request: FastifyRequest,
): Record<string, string> {
  const { queueId, itemId } = request.params as { queueId: string; itemId: string }
  return { location: receiptAddress(address, request, { queueId, queueItemId: itemId }) }
}
