// Pieces of the API page of group D.
import { problems } from './problem.js'

export type Schema = Record<string, unknown>

export const text = (description: string): Schema => ({ type: 'string', description })
export const uuid = (description: string): Schema => ({
  type: 'string',
  format: 'uuid',
  description,
})

export const problem: Schema = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    status: text('The HTTP status, as text.'),
    title: text('Short, the same for every problem of this code.'),
    detail: text('What is wrong with this call.'),
    instance: text('Path, and the operation id behind #.'),
    code: { type: 'string', enum: Object.keys(problems) },
    errors: { type: 'object', description: 'With validation_failed: member to texts.' },
  },
  required: ['type', 'status', 'title', 'detail', 'instance', 'code'],
  example: {
    type: 'about:blank',
    status: '400',
    title: 'Missing header',
    detail: 'These headers are missing: x-operation-id.',
    instance: '/v2/echo',
    code: 'missing_header',
  },
}

const REFUSALS: Record<number, string> = {
  400: 'Headers or body are wrong, or the payment did not happen.',
  401: 'Cash box and access token do not belong together.',
  404: 'There is no such record or receipt.',
  409: 'The operation id is known with another call.',
  429: 'Too many wrong tries; see Retry-After.',
  500: 'The fault is on this side.',
  503: 'Not now: overload, or the database is away; see Retry-After.',
}

export function refusals(statuses: readonly number[]): Record<number, Schema> {
  const content = { 'application/problem+json': { schema: problem } }
  const bodies = statuses.map((status) => {
    const description = REFUSALS[status] ?? ''
    return [status, status === 400 ? { description, content } : { description, type: 'null' }]
  })
  return Object.fromEntries(bodies)
}

export function json(description: string, schema: Schema = {}): Schema {
  return { description, content: { 'application/json': { schema } } }
}

export const boxSecurity = { 'x-cashbox-id': [], 'x-cashbox-accesstoken': [] }

/** The two headers beside the credentials; the examples of a page are one till. */
const operationHeaders = (example: string): Schema => ({
  type: 'object',
  properties: {
    'x-operation-id': { ...uuid('Id of this operation; a new one for a new call.'), example },
    'x-possystem-id': {
      ...text('Id of the till program.'),
      example: '00000000-0000-0000-0000-000000000000',
    },
  },
  required: ['x-operation-id', 'x-possystem-id'],
})

export const operationOf = (example: string): Schema => ({
  security: [boxSecurity],
  headers: operationHeaders(example),
})
export const body = (properties: Schema, example: unknown, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  example,
  ...(required.length === 0 ? {} : { required }),
})
export const OPERATION_REFUSALS = refusals([400, 401, 409, 429, 500, 503])
export const READ_REFUSALS = refusals([400, 401, 404, 429, 503])
export const created = (what: string): Record<number, Schema> => ({
  201: json(what),
  200: json('The same, to a repetition.'),
})

export const receiptPath: Schema = {
  type: 'object',
  properties: { queueId: uuid('Queue of the receipt.'), itemId: uuid('Item of the receipt.') },
}
