// One operation of group D from its checked headers to its answer: executed once, waited for, or
// given again. Called by index.ts with what each operation prepares.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BASE64 } from '../../core/issue/update.js'
import { fingerprint, type ReadBody } from '../../core/operation/fingerprint.js'
import { Leaving } from '../../core/operation/leaving.js'
import type { Execution, OperationAnswer, OperationCall } from '../../core/operation/operation.js'
import { FiscalError } from '../../errors.js'
import { bodyOf, bodyText } from './body.js'
import type { PosCall, Prepare } from './call.js'
import type { PosSystemDeps } from './deps.js'
import { type PosHead, recordedHeaders } from './headers.js'
import { pathOf } from './problem.js'
import { type PosAnswer, sendAnswer } from './read.js'

export interface RunDeps extends Pick<PosSystemDeps, 'operations' | 'settings'> {
  /** Everybody who waits right now; they leave when the server stops. */
  waits: Set<Leaving>
}

export async function runOperation(
  deps: RunDeps,
  { head, prepare }: { head: PosHead; prepare: Prepare },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const read = bodyOf(request)
  const call = posCallOf(deps, { head, read }, request)
  return waiting(deps, reply, async (leaving) => {
    const work = () => prepared(call, read, prepare)
    const { answer, replayed } = await deps.operations.run(call.operation, work, leaving)
    const status = replayed ? repeated(answer.status) : answer.status
    return sendAnswer(reply, { status, ...contentOf(answer) })
  })
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

/** What is wrong with a body is found here: behind the look-up, and without using up the id. */
async function prepared(call: PosCall, read: ReadBody, prepare: Prepare): Promise<Execution> {
  call.bodyText = bodyText(call.request, read)
  const execution = await prepare(call)
  // a hundred small objects that would outlive every wait
  call.body = undefined
  read.value = undefined
  return execution
}

export function posCallOf(
  deps: RunDeps,
  { head, read }: { head: PosHead; read: ReadBody },
  request: FastifyRequest,
): PosCall {
  return {
    access: head.access,
    operation: operationOf(deps, { head, read }, request),
    posSystemId: head.posSystemId,
    terminalId: head.terminalId,
    bodyText: '',
    body: read.value,
    request,
  }
}

function operationOf(
  { settings }: RunDeps,
  { head: { access, operationId }, read }: { head: PosHead; read: ReadBody },
  request: FastifyRequest,
): OperationCall {
  const { method, url } = request
  return {
    accountId: access.accountId,
    cashBoxId: access.cashBoxId,
    id: operationId,
    method,
    path: pathOf(request),
    fingerprint: fingerprint(method, belowMount(url, settings.prefix), read),
    headers: recordedHeaders(request),
    requestText: read.text ?? '',
  }
}

/** A call stays the same when its group is mounted elsewhere. */
function belowMount(url: string, prefix: string): string {
  const plain = url.replace(/\/+/g, '/')
  return plain.toLowerCase().startsWith(prefix.toLowerCase()) ? plain.slice(prefix.length) : plain
}

/**
 * A wait ends with its caller, after OPERATION_WAIT_MAX_SECONDS, and with the server: without an
 * answer, because clients take any status as the end of their operation, and repeat it when the
 * connection breaks.
 */
export async function waiting(
  { settings, waits }: Pick<RunDeps, 'settings' | 'waits'>,
  reply: FastifyReply,
  work: (leaving: Leaving) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const leaving = new Leaving()
  const leave = () => leaving.leave()
  const timer = settings.waitMaxMs > 0 ? setTimeout(leave, settings.waitMaxMs) : undefined
  reply.raw.once('close', leave)
  waits.add(leaving)
  try {
    return await work(leaving)
  } catch (error) {
    if (!(error instanceof FiscalError) || error.code !== 'OPERATION_WAITS') throw error
    reply.hijack()
    reply.raw.destroy()
    return reply
  } finally {
    clearTimeout(timer)
    waits.delete(leaving)
    reply.raw.off('close', leave)
  }
}
