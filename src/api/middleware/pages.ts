// The API page of group B, made from the field table: what a request and an answer look like.

import { hexWord } from '../../case/word.js'
import { markets } from '../../market/index.js'
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
  const required = fields.filter((field) => field.missing === 'required').map(name)
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
    // an empty list is no valid `required`
    ...(required.length === 0 ? {} : { required }),
  }
}

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Credentials.** Press *Authorize* and enter the id and the access token
of a cash box; \`npx fiskalwerk demo\` prints a pair. A locally hosted server
(\`MIDDLEWARE_AUTH=off\`) asks for none.

**Addresses.** One spelling of many is shown. \`json\` and \`v0\` or \`v1\` may each stand once, in
either order, or not at all; the queue may be left out where the headers name the cash box; the
header \`queueid\` (an id or an alias) chooses among its queues. Case does not matter.

**Numbers.** Case words have 64 bits. In requests they may be texts, decimal or hexadecimal, as in
the example of *sign*. Answers hold them as numbers, exactly; a browser rounds what it shows.`

const refusal: Schema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'One sentence for people.' },
    field: { type: 'string', description: 'The member at fault, e.g. cbChargeItems[1].Amount.' },
    code: { type: 'string', description: 'Stable code, see docs/errors.md.' },
    traceId: { type: 'string', format: 'uuid', description: 'Finds the call in the log.' },
  },
  required: ['message', 'code', 'traceId'],
  example: {
    message: 'cbReceiptMoment is missing; expected a date like 2026-01-31T10:15:00Z.',
    field: 'cbReceiptMoment',
    code: 'FIELD_MISSING',
    traceId: '5f0c1a52-7c1e-4c0e-9a55-3f4b2f6f3c11',
  },
}

const REFUSALS: Record<number, string> = {
  400: 'The request is wrong, or a rule of the market says no.',
  401: 'A header is missing, or id and token do not belong together.',
  404: 'There is no such queue in this cash box.',
  413: 'The body is too large.',
  429: 'Too many wrong credentials; see Retry-After.',
  500: 'The fault is on this side; ask with the receipt request flag what is stored.',
  503: 'Not now: overload, or the database is away; see Retry-After.',
}

function json(description: string, schema: Schema): Schema {
  return { description, content: { 'application/json': { schema } } }
}

/** The body of refusals is shown once, with 400; it is the same everywhere. */
function answers(ok: Record<number, Schema>, statuses: number[]): Record<number, Schema> {
  const refusals = statuses.map((status) => {
    const description = REFUSALS[status] ?? ''
    return [status, status === 400 ? json(description, refusal) : { description, type: 'null' }]
  })
  return { ...ok, ...Object.fromEntries(refusals) }
}

/** The sale that `fiskalwerk demo` shows, with its case words as texts: no browser bends those. */
function exampleSale(): unknown {
  const [market] = Object.values(markets)
  const sale = {
    cbReceiptReference: 'docs-1',
    cbReceiptMoment: '2026-01-31T10:15:00Z',
    ...market?.rollout.demo.sale,
  }
  const text = JSON.stringify(sale, (_name, value: unknown) =>
    typeof value === 'bigint' ? hexWord(value) : value,
  )
  return JSON.parse(text)
}

const message = (example: string): Schema => ({
  type: 'object',
  properties: { message: { type: 'string', nullable: true } },
  example: { message: example },
})

const security = [{ cashboxid: [], accesstoken: [] }]
const operationPages: Record<RouteSpelling['operation'], Schema> = {
  echo: {
    summary: 'Echo',
    description:
      'Returns the message. Version 0 sends and gets a JSON string, version 1 an object. ' +
      'Has no side effects.',
    body: message('hello'),
    responses: answers({ 200: json('The same message.', message('hello')) }, [400, 401, 404, 429]),
  },
  sign: {
    summary: 'Sign a receipt',
    description:
      'Signs the receipt and returns what must be printed on it. The answer is durable when it ' +
      'arrives. Names are matched without regard to case, unknown ones are ignored. A receipt ' +
      'request that finds nothing gets 204 without a body in version 0, `null` in version 1.',
    body: { ...objectSchema(requestFields, false), example: exampleSale() },
    responses: answers(
      {
        200: json(
          'What to print, and the state of the queue.',
          objectSchema(responseFields, false),
        ),
        204: { description: 'Version 0: the receipt request found nothing.', type: 'null' },
      },
      [400, 401, 404, 413, 429, 500, 503],
    ),
  },
  journal: {
    summary: 'Export a journal',
    description:
      'Streams a journal. `from` and `to` are ticks (100 ns since 0001-01-01 UTC), inclusive; ' +
      '`to` = 0 has no end, `to` < 0 gives the first rows only. The body of the call is ignored.',
    querystring: {
      type: 'object',
      properties: {
        type: {
          type: 'string',
          description: 'ftJournalType, decimal or 0x…: 1 actions, 2 receipts, 3 queue items.',
          example: '3',
        },
        from: { type: 'string', description: 'First tick; nothing is 0.' },
        to: { type: 'string', description: 'Last tick; nothing is 0, without end.' },
        format: { type: 'string', enum: ['json', 'csv', 'xml'] },
        view: {
          type: 'string',
          enum: ['receipts'],
          description: 'Type 3 as CSV or XML: receipts with their items instead of rows.',
        },
      },
      required: ['type'],
    },
    responses: answers(
      {
        200: {
          description: 'The journal, in the form of its type or as asked for.',
          content: {
            'application/json': { schema: {} },
            'text/csv': { schema: { type: 'string' } },
            'application/xml': { schema: { type: 'string' } },
          },
        },
      },
      [400, 401, 404, 429, 503],
    ),
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
      properties: {
        queue: { type: 'string', description: 'Id of the queue, or an alias.' },
      },
    },
    ...(body === undefined ? {} : { body }),
    ...(querystring === undefined ? {} : { querystring }),
    response: responses,
  }
}
