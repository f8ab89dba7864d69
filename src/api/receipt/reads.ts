// What else can be had of an issued receipt without credentials: the code of its link, the files
// that were put to it, and the state that older programs ask for. Nothing is noted.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deliveryStatus } from '../../core/receipts/delivery.js'
import {
  documentHeaders,
  documentOf,
  documentsOf,
  toldDocuments,
} from '../../core/receipts/documents.js'
import { published } from '../../core/receipts/read.js'
import { fail } from '../../errors.js'
import { writeJson } from '../../lib/json-write.js'
import { qrMatrix, qrPng } from '../../render/qr.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import { queryValue } from '../shared/query.js'
import { receiptAddress } from '../shared/receipt-address.js'
import type { ReceiptDeps } from './deps.js'

const PRIVATE = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' }
const JSON_TYPE = 'application/json; charset=utf-8'

function receiptOf({ store }: ReceiptDeps, { params }: FastifyRequest): Promise<IssuedReceipt> {
  return published(store, params as { queueId: string; queueItemId: string })
}

const USUAL_PIXELS = '8'

/** GET …/link/qrcode: `?size=1..32` pixels per module, other sizes as without. */
export async function codeOfLink(
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { queueId, queueItemId } = await receiptOf(deps, request)
  const size = queryValue(request, 'size') ?? USUAL_PIXELS
  const pixels = /^([1-9]|[12]\d|3[0-2])$/.test(size) ? size : USUAL_PIXELS
  const matrix = qrMatrix(receiptAddress(deps.address, request, { queueId, queueItemId }))
  if (matrix === undefined) throw fail('INTERNAL')
  return reply
    .headers(PRIVATE)
    .type('image/png')
    .send(qrPng(matrix, Number(pixels)))
}

/** GET …/documents */
export async function documents(
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const receipt = await receiptOf(deps, request)
  const body = writeJson(toldDocuments(await documentsOf(deps.store, receipt)))
  return reply.headers(PRIVATE).type(JSON_TYPE).send(body)
}

/** GET …/documents/{id} */
export async function document(
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const receipt = await receiptOf(deps, request)
  const { documentId } = request.params as { documentId: string }
  const found = await documentOf(deps.store, receipt, documentId)
  return reply
    .headers({ ...PRIVATE, ...documentHeaders(found) })
    .type(found.mediaType)
    .send(found.content)
}

/** GET /v0/print/{QueueId}/{QueueItemId} */
export async function printState(
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const receipt = await receiptOf(deps, request)
  const status = await deliveryStatus(deps.store.pool, receipt)
  const { state, message } = status ?? { state: 'Submitted', message: 'Nobody has taken it yet.' }
  return reply.headers(PRIVATE).type(JSON_TYPE).send(writeJson({ state, message }))
}
