// The page of the Dealer API: OpenAPI members of a route, made from its row.
import { z } from 'zod'
import { type ErrorCode, errorTable } from '../../errors.js'
import { statusOf } from '../shared/trace.js'
import type { Operation } from './operation.js'
import { codeOf, isProblem, MESSAGE_ONLY } from './refusal.js'

type Schema = Record<string, unknown>

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Credentials.** Press *Authorize* and enter the id and the access
token of a dealer account; \`npx fiskalwerk dealer create\` prints a pair.

**Addresses** are matched in any case; \`/v0\` or \`/v1\` in front of \`/api\` leads to the same.

**Refusals.** What is wrong with a request comes as problem details with \`errors\` (member to
texts); everything else as an object of \`Message\`, \`Code\` and \`TraceId\`. The words follow
Accept-Language: de, en, fr, it, es, pt, el.`

/** Codes that an operation documents, those of its checks included. */
export function refusalsOf(operation: Operation): ErrorCode[] {
  const { access, right, capability, autoInvite, body, upload, badPath } = operation
  const takes = body !== undefined || upload !== undefined
  const shapes = takes || hasMembers(operation.query) || (hasMembers(operation.params) && !badPath)
  const codes: (ErrorCode | false)[] = [
    access !== 'open' && 'ACCOUNT_CREDENTIALS_WRONG',
    access !== 'open' && access !== 'any' && 'DEALER_ROLE_MISSING',
    access !== 'open' && 'ACCOUNT_LIMITED',
    autoInvite === true && 'AUTO_INVITE_ROLE_MISSING',
    capability !== undefined && 'MARKET_UNSUPPORTED',
    shapes && 'SHAPE_INVALID',
    takes && 'BODY_TOO_LARGE',
    badPath ?? false,
    right !== undefined && 'OPERATOR_UNKNOWN',
    right !== undefined && right !== 'None' && 'RIGHTS_TOO_LOW',
    operation.idempotent !== undefined && 'IDEMPOTENCY_KEY_INVALID',
    operation.idempotent !== undefined && 'IDEMPOTENCY_KEY_USED',
    ...(operation.errors ?? []),
    'INTERNAL',
    'DATABASE_AWAY',
  ]
  return [...new Set(codes.filter((code) => code !== false))]
}

const hasMembers = (schema: z.ZodObject): boolean => Object.keys(schema.shape).length > 0

const problem: Schema = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', nullable: true },
    instance: { type: 'string' },
    errors: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    code: { type: 'string' },
    traceId: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'errors', 'code', 'traceId'],
}

/** `bare`: one of the refusals comes with `Message` alone. */
const errorObject = (codes: readonly string[], bare: boolean): Schema => ({
  type: 'object',
  properties: {
    Message: { type: 'string' },
    Code: { type: 'string', enum: codes },
    TraceId: { type: 'string' },
  },
  required: bare ? ['Message'] : ['Message', 'Code', 'TraceId'],
})

/** OpenAPI members of a row. */
export function pageOf(operation: Operation): Schema {
  const { id, title, text, tag, access, params, query } = operation
  return {
    operationId: id,
    summary: title,
    ...(text === undefined ? {} : { description: text }),
    tags: [tag],
    ...(access === 'open' ? {} : { security: [{ accountId: [], accessToken: [] }] }),
    ...(hasMembers(params) ? { params: jsonSchema(params, 'input') } : {}),
    ...(hasMembers(query) ? { querystring: jsonSchema(query, 'input') } : {}),
    ...bodyOf(operation),
    response: { ...successOf(operation), ...failuresOf(operation) },
  }
}

function bodyOf({ body, upload, uploadType = 'multipart/form-data', example }: Operation): Schema {
  if (upload === undefined && body === undefined) return {}
  if (upload === undefined && body !== undefined) {
    const schema = jsonSchema(body, 'input')
    return { body: example === undefined ? schema : { ...schema, example } }
  }
  const file = { type: 'string', format: 'binary' }
  const form = uploadType === 'multipart/form-data'
  const described = body === undefined ? { type: 'string' } : jsonSchema(body, 'input')
  return {
    consumes: [uploadType],
    body: form ? { type: 'object', properties: { file }, required: ['file'] } : described,
  }
}

function successOf({ success }: Operation): Schema {
  if (success.schema === undefined) {
    return { [success.status]: { description: 'Done.', type: 'null' } }
  }
  const type = success.contentType ?? 'application/json'
  const content = { [type]: { schema: jsonSchema(success.schema, 'output') } }
  return { [success.status]: { description: 'Done.', content } }
}

function failuresOf(operation: Operation): Schema {
  const known = refusalsOf(operation).map((code) => ({ code, kind: errorTable[code].kind }))
  const statuses = [...new Set(known.map(({ kind }) => statusOf[kind]))].toSorted()
  return Object.fromEntries(
    statuses.map((status) => {
      const own = known.filter(({ kind }) => statusOf[kind] === status)
      const description = own.map(({ code }) => errorTable[code].text).join(' ')
      return [status, { description, content: contentOf(operation, own) }]
    }),
  )
}

type Known = { code: ErrorCode; kind: keyof typeof statusOf }

function contentOf(operation: Operation, own: readonly Known[]): Schema {
  const { problemsOnly = false, objectsOnly = false } = operation
  const isAsProblem = (one: Known) => problemsOnly || (!objectsOnly && isProblem(one))
  const objects = own.filter((one) => !isAsProblem(one))
  const codes = [...new Set(objects.map(codeOf))]
  const bare = objects.some(({ code }) => MESSAGE_ONLY.has(code))
  return {
    ...(own.some(isAsProblem) ? { 'application/problem+json': { schema: problem } } : {}),
    ...(codes.length > 0 ? { 'application/json': { schema: errorObject(codes, bare) } } : {}),
  }
}

/** In the words of OpenAPI 3.0. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const made = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: one }) => {
      if (one.additionalProperties === false) delete one.additionalProperties
    },
  })
  return JSON.parse(
    JSON.stringify({ ...made, $schema: undefined, '~standard': undefined }),
  ) as Schema
}
