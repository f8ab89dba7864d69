// One operation of group D from its checked headers to its answer: executed once, waited for, or
// given again.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Leaving } from '../../core/operation/leaving.js'
import type {
  Execution,
  OperationAnswer,
  OperationCall,
  Operations,
} from '../../core/operation/operation.js'
import { BASE64 } from '../../core/receipts/update.js'
import { FiscalError } from '../../errors.js'
import { sha256, sha256InSlices } from '../../lib/hash.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import { utf8Text } from '../../lib/text.js'
import { bodyOf, bodyText } from './body.js'
import type { Perform, PosCall, Prepare } from './call.js'
import type { Callers } from './callers.js'
import { type PosHead, recordedHeaders } from './headers.js'
import { pathOf } from './problem.js'
import { type PosAnswer, sendAnswer } from './read.js'

export interface RunDeps {
  callers: Callers
}

export interface Operated {
  head: PosHead
  perform: Perform
  /** What the record keeps of a body; left out: all of it. */
  kept?: ((bodyText: string) => Promise<string>) | undefined
}

export function runOperation(
  deps: RunDeps,
  operated: Operated,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { head } = operated
  if (bodyOf(request).length < LARGE) {
    return operate(deps, operated, { call: posCallOf(head, request), reply })
  }
  return largeCallOf(head, request).then((call) => operate(deps, operated, { call, reply }))
}

function operate(
  deps: RunDeps,
  { perform, kept }: Operated,
  { call, reply }: { call: PosCall; reply: FastifyReply },
): Promise<FastifyReply> {
  const { operation } = call
  if (kept !== undefined) operation.keptText = () => kept(operation.requestText)
  // no functions that wait inside of others that wait: each costs a call some microseconds
  return waiting(deps, reply, (leaving) =>
    perform(call, leaving).then(({ answer, replayed }) => {
      const status = replayed ? repeated(answer.status) : answer.status
      return sendAnswer(reply, { status, ...contentOf(answer) })
    }),
  )
}

/** The type and the bytes of a stored answer; some have none of both. */
function contentOf({
  contentType,
  body,
}: OperationAnswer): Pick<PosAnswer, 'contentType' | 'body'> {
  if (contentType === '') return { body }
  if (!contentType.endsWith(BASE64)) return { contentType, body }
  return { contentType: contentType.slice(0, -BASE64.length), body: Buffer.from(body, 'base64') }
}

/** Created once, given again: 201 becomes 200, failures stay what they are. */
export function repeated(status: number): number {
  return status === 201 ? 200 : status
}

/** An operation that reads its body when it is known to be a new one. */
export function preparing(operations: Operations, prepare: Prepare): Perform {
  return (call, leaving) => operations.run(call.operation, () => prepared(call, prepare), leaving)
}

/** What is wrong with a body is found here: behind the look-up, and without using up the id. */
function prepared(call: PosCall, prepare: Prepare): Execution | Promise<Execution> {
  call.bodyText = bodyText(call.request, call.operation.requestText)
  return prepare(call)
}

export function posCallOf(head: PosHead, request: FastifyRequest): PosCall {
  return callOf(head, request, textOf(bodyOf(request)))
}

/** The same of a large body, in pieces with turns of others between them. */
async function largeCallOf(head: PosHead, request: FastifyRequest): Promise<PosCall> {
  await nextTurn()
  const body = bodyOf(request)
  const requestText = utf8Text(body) ?? ''
  const bodyHash = await sha256InSlices(hashedOf(body, requestText))
  return callOf(head, request, { requestText, bodyHash })
}

type BodyText = Pick<OperationCall, 'requestText' | 'bodyHash'>

function callOf(head: PosHead, request: FastifyRequest, body: BodyText): PosCall {
  return {
    access: head.access,
    operation: operationOf(head, request, body),
    posSystemId: head.posSystemId,
    terminalId: head.terminalId,
    bodyText: '',
    request,
  }
}

function operationOf(
  { access, operationId }: PosHead,
  request: FastifyRequest,
  { requestText, bodyHash }: BodyText,
): OperationCall {
  return {
    accountId: access.accountId,
    cashBoxId: access.cashBoxId,
    id: operationId,
    method: request.method,
    path: pathOf(request),
    headers: recordedHeaders(request),
    requestText,
    bodyHash,
  }
}

/** What is no UTF-8 is refused before anything is kept of it. */
function textOf(body: Buffer): BodyText {
  const requestText = utf8Text(body) ?? ''
  return { requestText, bodyHash: sha256(hashedOf(body, requestText)) }
}

function hashedOf(body: Buffer, requestText: string): string | Buffer {
  return body[0] === BYTE_ORDER_MARK ? requestText : body
}

/** The first of its three bytes, with which no JSON begins. */
const BYTE_ORDER_MARK = 0xef

/**
 * A wait ends with its caller, after OPERATION_WAIT_MAX_SECONDS, and with the server: without an
 * answer, because clients take any status as the end of their operation, and repeat it when the
 * connection breaks.
 */
export async function waiting(
  { callers }: Pick<RunDeps, 'callers'>,
  reply: FastifyReply,
  work: (leaving: Leaving) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const leaving = callers.come()
  const leave = () => leaving.leave()
  reply.raw.on('close', leave)
  try {
    return await work(leaving)
  } catch (error) {
    if (!(error instanceof FiscalError) || error.code !== 'OPERATION_WAITS') throw error
    reply.hijack()
    reply.raw.destroy()
    return reply
  } finally {
    callers.go(leaving)
    reply.raw.off('close', leave)
  }
}
