// Refusals in the shape of group D, the ProblemBody, and who is answered with it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationAnswer, OperationKey } from '../../core/operation/operation.js'
import { FiscalError, fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { header } from '../shared/caller.js'
import {
  problemBody,
  problemCodeOf,
  problemOf,
  problems,
  type Statuses,
} from '../shared/problem.js'
import { prepareRefusal, refusalFrom } from '../shared/trace.js'
import { OUR_HEADERS } from './entry.js'

const VERSION = /^(\/[0-9a-f-]{36})?\/v2(\.1)?(\/|$)/

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

type Sender = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

export function problemSender(statuses: Statuses): Sender {
  return (error, request, reply) => {
    const refusal = refusalFrom(error, request)
    void prepareRefusal(reply, refusal)
      .code(problemOf(problemCodeOf(refusal), statuses).status)
      .header('content-type', PROBLEM_TYPE)
      .header('x-trace-id', request.id)
      .serializer((text: string) => text)
      .send(problemBody(refusal, instanceOf(request), statuses))
  }
}

export const sendProblem: Sender = problemSender({})

/** Whether a caller whom no group has understood expects a ProblemBody. */
export function speaksProblems(request: FastifyRequest, prefix: string): boolean {
  const path = pathOf(request).replace(/\/+/g, '/').toLowerCase()
  const start = prefix.toLowerCase()
  if (path.startsWith(start) && VERSION.test(path.slice(start.length))) return true
  return OUR_HEADERS.some((name) => request.headers[name] !== undefined)
}

function instanceOf(request: FastifyRequest): string {
  const id = header(request, 'x-operation-id')
  const path = pathOf(request)
  return id !== undefined && isUuid(id) ? `${path}#${id.toLowerCase()}` : path
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}

/** The answer that a failure of an operation becomes, and that every repetition gets again. */
export function failureOf(
  error: unknown,
  { id, path = '' }: Pick<OperationKey, 'id'> & { path?: string },
): OperationAnswer {
  const refusal = error instanceof FiscalError ? error : fail('INTERNAL')
  return {
    status: problems[problemCodeOf(refusal)].status,
    contentType: PROBLEM_TYPE,
    body: problemBody(refusal, `${path.split('?')[0] ?? ''}#${id}`),
  }
}
