// The asynchronous calls of older launchers: POST /v0/print and /v0/response, with the headers of
// group B. What they start is an ordinary operation. Mounted by index.ts.
import type { FastifyRequest } from 'fastify'
import type { OperationCall, Operations } from '../../core/operation/operation.js'
import { type IssuingDeps, issuable, publish } from '../../core/receipts/issue.js'
import { fail } from '../../errors.js'
import { sha256 } from '../../lib/hash.js'
import { isUuid, randomId } from '../../lib/id.js'
import { JsonObject } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { utf8Text } from '../../lib/text.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { boxOfHeaders, type CallerDeps } from '../shared/caller.js'
import { type AddressDeps, receiptAddress } from '../shared/receipt-address.js'
import { bodyOf, bodyText, memberOf, objectOf } from './body.js'
import { JSON_TYPE } from './call.js'
import { recordedHeaders } from './headers.js'
import { pathOf } from './problem.js'
import { jsonAnswer, type PosAnswer } from './read.js'

export interface LegacyDeps extends CallerDeps {
  issuing: IssuingDeps
  operations: Pick<Operations, 'find'>
  address: AddressDeps
}

export interface Legacy {
  print(request: FastifyRequest): Promise<PosAnswer>
  response(request: FastifyRequest): Promise<PosAnswer>
}

export function legacyCalls(deps: LegacyDeps): Legacy {
  return {
    print: (request) => print(deps, request),
    response: (request) => response(deps, request),
  }
}

/** Issues the pair; the identifier is the id of the operation. */
async function print(deps: LegacyDeps, request: FastifyRequest): Promise<PosAnswer> {
  const { issuing, address } = deps
  const access = await boxOfHeaders(deps, request)
  const body = objectOf(bodyText(request))
  const pair = {
    ReceiptRequest: partOf(body, 'request'),
    ReceiptResponse: partOf(body, 'response'),
  }
  const found = await issuable(issuing, access, writeJson(pair))
  const { queueId, queueItemId } = found.issued
  const receiptUrl = receiptAddress(address, request, { queueId, queueItemId })
  const call = callOf(access, request)
  await publish(issuing, found, {
    call,
    answer: {
      ...{ status: 200, contentType: JSON_TYPE, queueId, queueItemId },
      body: writeJson({ message: 'The receipt is issued.', receiptUrl }),
    },
  })
  return jsonAnswer({ type: 'print', identifier: call.id })
}

function partOf(body: JsonObject, field: string): JsonObject {
  const value = memberOf(body, field)
  if (value instanceof JsonObject) return value
  const code = value === undefined ? 'FIELD_MISSING' : 'FIELD_INVALID'
  throw fail(code, { field, expected: 'the object that sign took or gave' })
}

function callOf({ accountId, cashBoxId }: CashBoxAccess, request: FastifyRequest): OperationCall {
  const body = bodyOf(request)
  return {
    ...{ accountId, cashBoxId, id: randomId(), method: request.method, path: pathOf(request) },
    bodyHash: sha256(body),
    headers: recordedHeaders(request),
    requestText: utf8Text(body) ?? '',
  }
}

const RUNNING = 204

/** What a call has led to: 204 while it runs. Throws OPERATION_UNKNOWN. */
async function response(deps: LegacyDeps, request: FastifyRequest): Promise<PosAnswer> {
  const { accountId, cashBoxId } = await boxOfHeaders(deps, request)
  const given = memberOf(objectOf(bodyText(request)), 'identifier')
  if (typeof given !== 'string' || !isUuid(given)) {
    const code = (given ?? '') === '' ? 'FIELD_MISSING' : 'FIELD_INVALID'
    throw fail(code, { field: 'identifier', expected: 'the identifier of the answer before' })
  }
  const id = given.toLowerCase()
  const found = await deps.operations.find({ accountId, cashBoxId, id })
  if (found === undefined) throw fail('OPERATION_UNKNOWN', { operation: id })
  if (found.state === 'running') return { status: RUNNING, body: '' }
  const { status, contentType, response: body } = found
  return { status: status ?? 200, contentType: contentType ?? JSON_TYPE, body: body ?? '' }
}
