// The API page of group D: what can be called, with examples that work as they stand.
import { abortOutcomes } from './abort.js'
import {
  body,
  boxSecurity,
  created,
  json,
  OPERATION_REFUSALS,
  operationOf,
  READ_REFUSALS,
  refusals,
  type Schema,
  text,
  uuid,
} from './page-parts.js'
import { issuedCalls } from './pages-issued.js'

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Base address.** Tills are configured with an address that ends in
\`/v2\`; \`/v2.1\` and no version at all lead to the same calls.

**Credentials.** Press *Authorize* and enter the id and the access token of a cash box;
\`npx fiskalwerk demo\` prints a pair. A PIN of \`npx fiskalwerk pin create\` gives them out as
well, through *pair*.

**Operations.** Every operation has an id of yours, \`x-operation-id\`. The same call with the same
id is executed once and answered as often as it is sent: 201 the first time, 200 after that. Another
body under a known id is 409; so take a new id for a new call.

**Numbers.** Case words have 64 bits. In requests they may be texts, decimal or hexadecimal. Answers
hold them as numbers, exactly; a browser rounds what it shows.`

const record: Schema = {
  type: 'object',
  properties: {
    cbOperationItemID: uuid('The operation.'),
    ftQueueID: uuid('The queue that served it.'),
    Method: text('POST or PUT.'),
    Path: text('As it was called.'),
    RequestHeaders: { type: 'object', description: 'Names in lower case; secrets are ***.' },
    Request: { type: 'string', nullable: true },
    Response: { type: 'string', nullable: true },
    ResponseCode: { type: 'integer', description: 'Of the first execution; 0 while it runs.' },
    LastState: { type: 'string', enum: ['processing', 'done', 'failed'] },
    TimeStamp: { type: 'string', format: 'date-time' },
    ftOperationItemMoment: { type: 'string', format: 'date-time' },
  },
}

const lookedUp: Schema = {
  type: 'object',
  properties: {
    State: { type: 'string', enum: ['never', 'running', 'done', 'rolledback'] },
    Id: uuid('The operation.'),
    Method: { type: 'string' },
    Path: { type: 'string' },
    ftOperationItemMoment: { type: 'string', format: 'date-time' },
    ResponseCode: { type: 'integer' },
    Response: text('The answer, as it was sent.'),
    ftQueueID: uuid('Queue of the receipt.'),
    ftQueueItemID: uuid('Item of the receipt.'),
  },
  required: ['State'],
}

const echoed = { Message: { type: 'string', nullable: true } }
const recordCall: Schema = {
  ...operationOf('7d1a0001-0000-4000-8000-000000000005'),
  params: { type: 'object', properties: { id: uuid('The operation that is looked up.') } },
  response: { 200: json('The record.', record), ...READ_REFUSALS },
}

/** By method and path; what is not here is not on the page. */
const calls: Record<string, Schema> = {
  'POST /echo': {
    summary: 'Echo',
    description:
      'Returns the message. A message that is null has the cash box read anew, which helps ' +
      'after its configuration was changed.',
    ...operationOf('7d1a0001-0000-4000-8000-000000000001'),
    body: body(echoed, { Message: 'hello' }),
    response: {
      200: json('The same message.', { ...body(echoed, { Message: 'hello' }) }),
      ...OPERATION_REFUSALS,
    },
  },
  'POST /pay': {
    summary: 'Pay',
    description:
      'Executes a payment on a terminal of the cash box. In the sandbox a dummy provider pays; ' +
      'some amounts fail on purpose. Items of the answer go into *sign* as they are.',
    ...operationOf('7d1a0001-0000-4000-8000-000000000002'),
    body: body(
      {
        Action: { type: 'string', enum: ['payment', 'refund', 'cancel'] },
        Protocol: text('use_auto, test, or a provider.'),
        cbPayItem: { type: 'object' },
        cbTerminalID: text('The terminal, where there are several.'),
      },
      {
        Action: 'payment',
        Protocol: 'use_auto',
        cbPayItem: { Description: 'Card', Amount: 10 },
      },
      ['Action', 'Protocol', 'cbPayItem'],
    ),
    response: { ...created('What was paid.'), ...OPERATION_REFUSALS },
  },
  'POST /PayResponse': {
    summary: 'Result of a payment',
    description: 'What a payment with this operation id has answered; waits while it runs.',
    ...operationOf('7d1a0001-0000-4000-8000-000000000002'),
    response: { 200: json('The answer of the payment.'), ...READ_REFUSALS },
  },
  'POST /sign': {
    summary: 'Sign a receipt',
    description:
      'Signs the receipt and returns what must be printed on it. Without case words it is a ' +
      'sale at the till; rates lead to the tax of the items.',
    ...operationOf('7d1a0001-0000-4000-8000-000000000003'),
    body: body(
      {
        cbReceiptReference: text('Unique per till.'),
        cbReceiptMoment: { type: 'string', format: 'date-time' },
        cbChargeItems: { type: 'array', items: { type: 'object' } },
        cbPayItems: { type: 'array', items: { type: 'object' } },
        ftReceiptCase: text('64-bit word; a sale when it is missing.'),
      },
      {
        cbReceiptReference: 'docs-1',
        cbReceiptMoment: '2026-01-31T10:15:00Z',
        cbChargeItems: [{ Quantity: 2, Description: 'Coffee', Amount: 7.6, VATRate: 20 }],
        cbPayItems: [{ Description: 'Cash', Amount: 7.6 }],
      },
      ['cbReceiptReference', 'cbReceiptMoment', 'cbChargeItems', 'cbPayItems'],
    ),
    response: { ...created('What to print, and the state.'), ...OPERATION_REFUSALS },
  },
  ...issuedCalls,
  'POST /journal': {
    summary: 'Export a journal',
    description:
      'Streams a journal of a queue: 1 actions, 2 receipts, 3 queue items, 255 configuration, or ' +
      'an export of the market. From and To are ticks (100 ns since 0001-01-01 UTC), inclusive; ' +
      'To = 0 has no end, To < 0 gives the first rows only.',
    ...operationOf('7d1a0001-0000-4000-8000-000000000007'),
    body: body(
      {
        ftJournalType: text('64-bit word.'),
        From: text('First tick; nothing is 0.'),
        To: text('Last tick; nothing is 0, without end.'),
        ftQueueID: uuid('A queue of the cash box; nothing is the oldest.'),
      },
      { ftJournalType: 1 },
      ['ftJournalType'],
    ),
    response: { 200: json('The journal, in the form of its type.'), ...OPERATION_REFUSALS },
  },
  'GET /journal/OperationItem/:id': { summary: 'Record of an operation', ...recordCall },
  'GET /operation/:id': {
    summary: 'What has become of an operation',
    description: 'Always answers, and never waits.',
    security: [boxSecurity],
    params: { type: 'object', properties: { id: uuid('The operation.') } },
    response: { 200: json('The outcome.', lookedUp), ...refusals([400, 401, 429, 503]) },
  },
  'POST /operation/:id/abort': {
    summary: 'Stop a payment',
    description:
      'Asks the terminal of a running payment to stop, and says what came of it. May be sent as ' +
      'often as you like.',
    security: [boxSecurity],
    params: { type: 'object', properties: { id: uuid('The payment.') } },
    response: {
      200: json('What came of it.', {
        type: 'object',
        properties: {
          Outcome: { type: 'string', enum: abortOutcomes },
          ...(lookedUp.properties as Schema),
        },
        required: ['Outcome', 'State'],
      }),
      ...refusals([400, 401, 429, 503]),
    },
  },
  'GET /operation': {
    summary: 'What has become of a receipt',
    description: 'By the reference of the receipt, newest first; receipts of all groups.',
    security: [boxSecurity],
    querystring: {
      type: 'object',
      properties: {
        cbReceiptReference: { ...text('The reference.'), example: 'docs-1' },
        cbTerminalID: text('The terminal; nothing is any.'),
      },
      required: ['cbReceiptReference'],
    },
    response: {
      200: json('The outcomes.', {
        type: 'object',
        properties: {
          State: { type: 'string', enum: ['never', 'running', 'done', 'rolledback'] },
          Items: { type: 'array', items: lookedUp },
        },
      }),
      ...refusals([400, 401, 429, 503]),
    },
  },
  'POST /pair': {
    summary: 'Pair a device',
    description: 'A PIN of a cash box gives out its credentials, once. Needs no headers.',
    body: body({ Pin: text('Four digits.') }, { Pin: '0042' }, ['Pin']),
    response: {
      200: json('The credentials.', {
        type: 'object',
        properties: {
          CashBoxId: uuid('The cash box.'),
          CashBoxID: uuid('The same, for other clients.'),
          AccessToken: text('Its access token.'),
        },
      }),
      ...refusals([400, 401, 429, 503]),
    },
  },
}

/** OpenAPI members of a route; undefined: it is not on the page. */
export function routeSchema(method: string, path: string): Schema | undefined {
  const call = calls[`${method} ${path}`]
  if (call === undefined) return undefined
  const operationId = `${method.toLowerCase()}${path.replace(/\W+(\w)/g, (_, first: string) =>
    first.toUpperCase(),
  )}`
  return { ...call, operationId, tags: ['PosSystem'] }
}
