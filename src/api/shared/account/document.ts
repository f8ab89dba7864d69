// The document of a group that is called by accounts: what its rows say, as rows that all groups
// have.
import { z } from 'zod'
import { type ErrorCode, errorTable } from '../../../errors.js'
import { content } from '../openapi/parts.js'
import type { ApiRoute, ApiTable, Content, RefusalForms } from '../openapi/route.js'
import { sampleOf, TRACE_CONTEXT } from '../openapi/samples.js'
import { statusOf } from '../trace.js'
import type { Operation } from './operation.js'
import { codeOf, detailsOf, isProblem, MESSAGE_ONLY, problemHead } from './refusal.js'

/** Codes that an operation documents, those of its checks included. */
export function refusalsOf(operation: Operation): ErrorCode[] {
  const { access, right, capability, autoInvite, body, upload, badPath } = operation
  const takes = body !== undefined || upload !== undefined
  const shapes = takes || hasMembers(operation.query) || (hasMembers(operation.params) && !badPath)
  const codes: (ErrorCode | false)[] = [
    access !== 'open' && 'ACCOUNT_CREDENTIALS_WRONG',
    access !== 'open' && access !== 'any' && 'DEALER_ROLE_MISSING',
    access !== 'open' && 'ACCOUNT_LIMITED',
    access !== 'open' && operation.group !== 'portal' && 'SCOPE_MISSING',
    operation.group === 'platform' && access !== 'open' && operation.till === undefined
      ? 'TILL_REFUSED'
      : false,
    operation.till === 'list' && 'CASH_BOX_UNKNOWN',
    operation.till === 'list' && 'OPERATOR_UNKNOWN',
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

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().nullable(),
    instance: z.string(),
    errors: z.record(z.string(), z.array(z.string())),
    code: z.string(),
    traceId: z.string(),
  })
  .meta({ id: 'dealer.ProblemDetails', description: 'What is wrong with a request (RFC 9457).' })

const error = z
  .looseObject({ Message: z.string(), Code: z.string(), TraceId: z.string() })
  .meta({ id: 'dealer.ErrorObject', description: 'Everything else that is refused.' })

const bareError = z
  .object({ Message: z.string() })
  .meta({ id: 'dealer.BareError', description: 'A file that is none.' })

/** What the rows of a group have in common in its document. */
export interface Group {
  /** Before the names of schemas. */
  name: string
  /** Before the paths of the rows. */
  base: string
  /** What members mean, by their names. */
  meanings: Readonly<Record<string, string>>
}

export function accountTable(operations: readonly Operation[], group: Group): ApiTable {
  const byId = new Map(operations.map((row) => [row.id, row]))
  const refusalOf: RefusalForms = (code, route) => {
    const row = byId.get(route.id)
    if (row === undefined) throw new Error(`there is no operation ${route.id}`)
    return formOf(code, row, group)
  }
  const routes = operations.map((row) => routeOf(row, group))
  return { routes, refusalOf, meanings: group.meanings }
}

function formOf(
  code: ErrorCode,
  { problemsOnly = false, objectsOnly = false, path }: Operation,
  { base }: Group,
) {
  const refusal = sampleOf(code)
  const status = statusOf[refusal.kind]
  const { message } = refusal
  if (problemsOnly || (!objectsOnly && isProblem({ code, kind: errorTable[code].kind }))) {
    const instance = base + path
    const example = { ...problemHead(refusal, message, instance), traceId: TRACE_CONTEXT }
    return { status, type: 'application/problem+json', schema: problem, example }
  }
  const type = 'application/json'
  if (MESSAGE_ONLY.has(code))
    return { status, type, schema: bareError, example: { Message: message } }
  const head = { Message: message, Code: codeOf(refusal), TraceId: TRACE_CONTEXT }
  const word = { member: 'Code', value: head.Code }
  return { status, type, schema: error, word, example: { ...head, ...detailsOf(refusal) } }
}

/** Headers that every call may have. */
const language = z.object({
  'accept-language': z
    .string()
    .optional()
    .meta({ description: 'The language of sentences: de, en, fr, it, es, pt, el.' }),
})
const once = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .describe('1 to 255 visible ASCII characters; the call is done once within 24 hours.'),
})

/** What the row says, for the document. */
export function routeOf(operation: Operation, group: Group): ApiRoute {
  const { id, title, text, tag, method, path, access, params, query } = operation
  const body = bodyOf(operation, group)
  return {
    ...{ id, title, tag, method, path: group.base + path, refusals: refusalsOf(operation) },
    ...(text === undefined ? {} : { text }),
    ...(access === 'open' ? {} : { security: securityOf(operation) }),
    ...(hasMembers(params) ? { params } : {}),
    ...(hasMembers(query) ? { query } : {}),
    headers: operation.idempotent === undefined ? language : language.extend(once.shape),
    ...(body === undefined ? {} : { body }),
    ...(operation.bodyOptional === true ? { bodyOptional: true } : {}),
    success: { [operation.success.status]: { text: 'Done.', ...answerOf(operation, group) } },
  }
}

const OF_ACCOUNT = ['accountId', 'accessToken']

function securityOf({ access, till }: Operation): readonly (readonly string[])[] {
  if (access === 'account') return [['accountId'], OF_ACCOUNT]
  return till === undefined ? [OF_ACCOUNT] : [OF_ACCOUNT, ['cashboxid', 'accesstoken']]
}

const file = z
  .object({ file: z.string().meta({ format: 'binary', description: 'The file.' }) })
  .meta({ id: 'dealer.FileForm' })

function bodyOf(
  { id, body, upload, uploadType, example, examples }: Operation,
  { name }: Group,
): Content | undefined {
  if (upload === undefined && body === undefined) return undefined
  const shown = examples ?? (example === undefined ? undefined : { example })
  const more = shown === undefined ? {} : { examples: shown }
  if (upload === undefined && body !== undefined) {
    return { 'application/json': { schema: named(body, name, `${id}Request`), ...more } }
  }
  const { type = 'multipart/form-data' } = { type: uploadType }
  const schema = type === 'multipart/form-data' ? file : (body ?? content())
  return { [type]: { schema, ...more } }
}

function answerOf({ id, success }: Operation, { name }: Group): { content?: Content } {
  if (success.schema === undefined) return {}
  const type = success.contentType ?? 'application/json'
  return { content: { [type]: { schema: named(success.schema, name, `${id}Response`) } } }
}

/** Objects without a name get that of their operation. */
function named(schema: z.ZodType, group: string, name: string): z.ZodType {
  if (!(schema instanceof z.ZodObject) || schema.meta()?.id !== undefined) return schema
  return schema.meta({ id: `${group}.${name.charAt(0).toUpperCase()}${name.slice(1)}` })
}
