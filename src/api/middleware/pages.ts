// The API page of group B, made from the field table: what a request and an answer look like.
import {
  chargeItemFields,
  type Field,
  payItemFields,
  requestFields,
  responseFields,
  signatureFields,
} from '../../model/receipt-fields.js'
import { camelName } from '../../model/response-json.js'
import type { RouteSpelling } from './routes.js'

type Schema = Record<string, unknown>

const KINDS: Record<Field<never>['kind'], () => Schema> = {
  guid: () => ({ type: 'string', format: 'uuid' }),
  text: () => ({ type: 'string' }),
  decimal: () => ({ type: 'number' }),
  int64: () => ({ type: 'integer', format: 'int64' }),
  moment: () => ({ type: 'string', format: 'date-time' }),
  texts: () => ({ type: 'array', items: { type: 'string' } }),
  chargeItems: () => ({ type: 'array', items: objectSchema(chargeItemFields, true) }),
  payItems: () => ({ type: 'array', items: objectSchema(payItemFields, true) }),
  signatures: () => ({ type: 'array', items: objectSchema(signatureFields, true) }),
}

function objectSchema<T>(fields: readonly Field<T>[], nested: boolean): Schema {
  const name = (field: Field<T>) => (nested ? camelName(field.name) : field.name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [
        name(field),
        {
          ...KINDS[field.kind](),
          description: field.text,
          ...(field.max === undefined ? {} : { maxLength: field.max }),
        },
      ]),
    ),
    required: fields.filter((field) => field.missing === 'required').map(name),
  }
}

const refusal: Schema = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    field: { type: 'string', description: 'The member at fault, e.g. cbChargeItems[1].Amount.' },
    code: { type: 'string', description: 'Stable code, see docs/errors.md.' },
    traceId: { type: 'string' },
  },
}

const security = [{ cashboxid: [], accesstoken: [] }]
const operationPages: Record<RouteSpelling['operation'], Schema> = {
  echo: {
    summary: 'Echo',
    description:
      'Returns the message. Version 0 sends and gets a JSON string, version 1 an object. ' +
      'Has no side effects.',
    body: { type: 'object', properties: { message: { type: 'string', nullable: true } } },
    responses: { 200: { type: 'object', properties: { message: { type: 'string' } } } },
  },
  sign: {
    summary: 'Sign a receipt',
    description:
      'Signs the receipt and returns what must be printed on it. The answer is durable when it ' +
      'arrives. Property names are matched without regard to case; 64-bit numbers are exact.',
    body: objectSchema(requestFields, false),
    responses: { 200: objectSchema(responseFields, false), 400: refusal, 401: refusal },
  },
  journal: {
    summary: 'Export a journal',
    description:
      'Streams a journal. from and to are ticks (100 ns since 0001-01-01 UTC), both inclusive; ' +
      'to = 0 has no end, to < 0 gives the first rows only. The body of the call is ignored.',
    querystring: {
      type: 'object',
      properties: {
        type: { type: 'string', description: 'ftJournalType, decimal or 0x…' },
        from: { type: 'string', description: 'First tick.' },
        to: { type: 'string', description: 'Last tick.' },
        format: { type: 'string', enum: ['json', 'csv', 'xml'] },
        view: { type: 'string', enum: ['receipts'] },
      },
    },
    responses: { 200: { type: 'string' }, 400: refusal, 401: refusal },
  },
}

/** OpenAPI members of a route; all spellings but one are left out of the page. */
export function routeSchemas(spelling: RouteSpelling): Schema {
  if (!spelling.shown) return { hide: true }
  const { body, querystring, responses, ...rest } = operationPages[spelling.operation]
  return {
    ...rest,
    operationId: spelling.operation,
    tags: ['Middleware'],
    security,
    params: {
      type: 'object',
      properties: { queue: { type: 'string', description: 'Id of the queue.' } },
    },
    ...(body === undefined ? {} : { body }),
    ...(querystring === undefined ? {} : { querystring }),
    response: responses,
  }
}
