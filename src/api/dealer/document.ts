// The document of the Dealer API: what its rows say, as rows that all groups have.
import { z } from 'zod'
import { type ErrorCode, errorTable } from '../../errors.js'
import { content } from '../shared/openapi/parts.js'
import type { ApiRoute, ApiTable, Content, RefusalForms } from '../shared/openapi/route.js'
import { sampleOf, TRACE_CONTEXT } from '../shared/openapi/samples.js'
import { statusOf } from '../shared/trace.js'
import { memberMeanings } from './meanings.js'
import type { Operation } from './operation.js'
import { codeOf, detailsOf, isProblem, MESSAGE_ONLY, problemHead } from './refusal.js'

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Credentials.** Press *Authorize* and enter the id and the access
token of a dealer account; \`npx fiskalwerk dealer create\` prints a pair.

**Addresses** are matched in any case; \`/v0\` or \`/v1\` in front of \`/api\` leads to the same.

**Refusals.** What is wrong with a request comes as problem details with \`errors\` (member to
texts); everything else as an object of \`Message\`, \`Code\` and \`TraceId\`. The words follow
Accept-Language: de, en, fr, it, es, pt, el.`

export const dealerTags = {
  PosOperators: 'Merchants with whom the dealer is connected.',
  Connections: 'Connections between dealers and merchants, and their end.',
  Invitations: 'How merchants are invited, and what has become of it.',
  Outlets: 'Places of business of a merchant.',
  CashBoxes: 'What a register installs: queues and signing units together.',
  Queues: 'Receipt chains, their journals and the switch of their signing unit.',
  SCUs: 'Signing units.',
  Helpers: 'Further programs of a CashBox.',
  Templates: 'CashBoxes from a text with variables.',
  Rollout: 'Entitlements, rollout plans and orders.',
  Launcher: 'Configurations as registers fetch them.',
  Receipts: 'How receipts look.',
  'Personal data': 'What is stored about a person, and its erasure.',
  Server: 'The program itself.',
}

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

/** `operations`: the whole table, unless a test brings rows of its own. */
export function dealerTable(operations: readonly Operation[]): ApiTable {
  const byId = new Map(operations.map((row) => [row.id, row]))
  const refusalOf: RefusalForms = (code, route) => {
    const row = byId.get(route.id)
    if (row === undefined) throw new Error(`there is no operation ${route.id}`)
    return formOf(code, row)
  }
  return { routes: operations.map(routeOf), refusalOf, meanings: memberMeanings }
}

function formOf(code: ErrorCode, { problemsOnly = false, objectsOnly = false, path }: Operation) {
  const refusal = sampleOf(code)
  const status = statusOf[refusal.kind]
  const { message } = refusal
  if (problemsOnly || (!objectsOnly && isProblem({ code, kind: errorTable[code].kind }))) {
    const instance = `/api${path}`
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
export function routeOf(operation: Operation): ApiRoute {
  const { id, title, text, tag, method, path, access, params, query } = operation
  const body = bodyOf(operation)
  return {
    ...{ id, title, tag, method, path: `/api${path}`, refusals: refusalsOf(operation) },
    ...(text === undefined ? {} : { text }),
    ...(access === 'open' ? {} : { security: securityOf(access) }),
    ...(hasMembers(params) ? { params } : {}),
    ...(hasMembers(query) ? { query } : {}),
    headers: operation.idempotent === undefined ? language : language.extend(once.shape),
    ...(body === undefined ? {} : { body }),
    ...(operation.bodyOptional === true ? { bodyOptional: true } : {}),
    success: { [operation.success.status]: { text: 'Done.', ...answerOf(operation) } },
  }
}

const securityOf = (access: Operation['access']): readonly (readonly string[])[] =>
  access === 'account'
    ? [['accountId'], ['accountId', 'accessToken']]
    : [['accountId', 'accessToken']]

const file = z
  .object({ file: z.string().meta({ format: 'binary', description: 'The file.' }) })
  .meta({ id: 'dealer.FileForm' })

function bodyOf({
  id,
  body,
  upload,
  uploadType,
  example,
  examples,
}: Operation): Content | undefined {
  if (upload === undefined && body === undefined) return undefined
  const shown = examples ?? (example === undefined ? undefined : { example })
  const more = shown === undefined ? {} : { examples: shown }
  if (upload === undefined && body !== undefined) {
    return { 'application/json': { schema: named(body, `${id}Request`), ...more } }
  }
  const { type = 'multipart/form-data' } = { type: uploadType }
  const schema = type === 'multipart/form-data' ? file : (body ?? content())
  return { [type]: { schema, ...more } }
}

function answerOf({ id, success }: Operation): { content?: Content } {
  if (success.schema === undefined) return {}
  const type = success.contentType ?? 'application/json'
  return { content: { [type]: { schema: named(success.schema, `${id}Response`) } } }
}

/** Objects without a name get that of their operation. */
function named(schema: z.ZodType, name: string): z.ZodType {
  if (!(schema instanceof z.ZodObject) || schema.meta()?.id !== undefined) return schema
  return schema.meta({ id: `dealer.${name.charAt(0).toUpperCase()}${name.slice(1)}` })
}
