// The route table of group D: what every call takes and answers. The router looks each of its
// addresses up here, the document is made from it.
import { z } from 'zod'
import type { ErrorCode } from '../../errors.js'
import {
  anything,
  asText,
  content,
  json,
  SAMPLE_OPERATION,
  textOf,
  uuid,
} from '../shared/openapi/parts.js'
import { problemForms } from '../shared/openapi/problem-body.js'
import type { ApiRoute, ApiTable } from '../shared/openapi/route.js'
import * as wire from './schemas.js'
import { issuedRoutes } from './table-issued.js'
import { olderRoutes } from './table-older.js'
import { BOX, KNOWN_HEADERS, OPERATED, OPERATION_HEADERS, PAIRED, routeOf } from './table-parts.js'

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Base address.** Registers are configured with an address that ends in
\`/v2\`; \`/v2.1\` and no version at all lead to the same calls.

**Credentials.** Press *Authorize* and enter the id and the access token of a cash box;
\`npx fiskalwerk demo\` prints a pair. A PIN of \`npx fiskalwerk pin create\` gives them out as
well, through *pair*.

**Operations.** Every operation has an id of yours, \`x-operation-id\`. The same call with the same
id is executed once and answered as often as it is sent: 201 the first time, 200 after that. Another
body under a known id is 409; so take a new id for a new call. This page makes a new one of the
example with every try.

**Numbers.** Case words have 64 bits. In requests they may be texts, decimal or hexadecimal. Answers
hold them as numbers, exactly; a browser rounds what it shows.`

export const tags = { PosSystem: 'Calls of registers; every one can be repeated.' }

const created = (text: string, schema: z.ZodType): ApiRoute['success'] => ({
  201: { text, content: json(schema) },
  200: { text: 'The same, to a repetition.', content: json(schema) },
})

const recordRow = {
  ...({ method: 'GET', title: 'Record of an operation', headers: OPERATION_HEADERS } as const),
  params: z.object({ id: uuid('The operation that is looked up.') }),
  success: { 200: { text: 'The record.', content: json(wire.record) } },
  refusals: [...BOX, 'OPERATION_UNKNOWN'] as const satisfies readonly ErrorCode[],
}

const SIGN_HEADERS = OPERATION_HEADERS.extend({
  'x-dry-run': z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'true: says what would be signed, and signs nothing. The answer is a 200 of another form: ' +
        'DryRun, Accepted, Case, Problems, Sums and Print.',
    ),
})

const SALE = {
  cbReceiptReference: 'docs-1',
  cbReceiptMoment: '2026-01-31T10:15:00Z',
}

/** Without case words: rates of the country of the queue lead to the tax. */
const sales = {
  AT: {
    ...SALE,
    cbChargeItems: [{ Quantity: 2, Description: 'Coffee', Amount: 7.6, VATRate: 20 }],
    cbPayItems: [{ Description: 'Cash', Amount: 7.6 }],
  },
  DE: {
    ...SALE,
    cbChargeItems: [{ Quantity: 2, Description: 'Kaffee', Amount: 7.6, VATRate: 19 }],
    cbPayItems: [{ Description: 'Bar', Amount: 7.6 }],
  },
}

const ANYTIME = [...BOX, 'FIELD_INVALID'] as const

const routes: readonly ApiRoute[] = [
  routeOf({
    ...{ method: 'POST', path: '/echo', title: 'Echo', headers: OPERATION_HEADERS },
    text:
      'Returns the message. A message that is null has the cash box read anew, which helps ' +
      'after its configuration was changed.',
    body: json(wire.echoMessage, { hello: { Message: 'hello' } }),
    success: { 200: { text: 'The same message.', content: json(wire.echoAnswer) } },
    refusals: OPERATED,
  }),
  routeOf({
    ...{ method: 'POST', path: '/pay', title: 'Pay', headers: OPERATION_HEADERS },
    text:
      'Executes a payment on a terminal of the cash box. In the sandbox a dummy provider pays; ' +
      'some amounts fail on purpose. Items of the answer go into *sign* as they are.',
    body: json(wire.payRequest, {
      card: {
        Action: 'payment',
        Protocol: 'use_auto',
        cbPayItem: { Description: 'Card', Amount: 10 },
      },
    }),
    success: created('What was paid.', wire.payResponse),
    refusals: [
      ...OPERATED,
      ...(['PROVIDER_NONE', 'PAYMENT_DECLINED', 'PAYMENT_CANCELLED'] as const),
      ...(['PAYMENT_TIMEOUT', 'PAYMENT_LOST', 'PAYMENT_UNKNOWN'] as const),
    ],
  }),
  routeOf({
    ...{ method: 'POST', path: '/PayResponse', title: 'Result of a payment' },
    text: 'What a payment with this operation id has answered; waits while it runs.',
    headers: KNOWN_HEADERS,
    success: { 200: { text: 'The answer of the payment.', content: json(wire.payResponse) } },
    refusals: [...BOX, 'OPERATION_UNKNOWN'],
  }),
  routeOf({
    ...{ method: 'POST', path: '/sign', title: 'Sign a receipt', headers: SIGN_HEADERS },
    text:
      'Signs the receipt and returns what must be printed on it. Without case words it is a ' +
      'sale at the register; rates lead to the tax of the items.',
    body: json(wire.receiptRequest, sales),
    success: created('What to print, and the state.', wire.receiptResponse),
    refusals: [...OPERATED, 'COUNTRY_WRONG', 'PROCESSING_FAILED', 'OVERLOADED'],
  }),
  ...issuedRoutes,
  routeOf({
    ...{ method: 'POST', path: '/journal', title: 'Export a journal', headers: OPERATION_HEADERS },
    text:
      'Streams a journal of a queue: 1 actions, 2 receipts, 3 queue items, 255 configuration, or ' +
      'an export of the market. From and To are ticks (100 ns since 0001-01-01 UTC), inclusive; ' +
      'To = 0 has no end, To < 0 gives the first rows only.',
    body: json(wire.journalRequest, { actions: { ftJournalType: 1 } }),
    success: {
      200: {
        text: 'The journal, in the form of its type.',
        content: {
          ...json(anything('Rows of the journal.')),
          ...asText('text/csv'),
          ...asText('application/zip'),
          'application/x-tar': { schema: content() },
        },
      },
    },
    refusals: [
      ...OPERATED,
      ...(['JOURNAL_TYPE_UNKNOWN', 'SPOOL_FULL', 'EXPORTS_BUSY', 'EXPORT_LOST'] as const),
    ],
  }),
  routeOf({ ...recordRow, path: '/journal/OperationItem/:id', also: ['/journal/:id'] }),
  routeOf({
    ...{ method: 'GET', path: '/operation/:id', title: 'What has become of an operation' },
    text: 'Always answers, and never waits.',
    params: z.object({
      id: uuid('The operation.').meta({ examples: [SAMPLE_OPERATION] }),
    }),
    success: { 200: { text: 'The outcome.', content: json(wire.outcome) } },
    refusals: ANYTIME,
  }),
  routeOf({
    ...{ method: 'POST', path: '/operation/:id/abort', title: 'Stop a payment' },
    text:
      'Asks the terminal of a running payment to stop, and says what came of it. May be sent as ' +
      'often as you like.',
    params: z.object({ id: uuid('The payment.').meta({ examples: [SAMPLE_OPERATION] }) }),
    success: { 200: { text: 'What came of it.', content: json(wire.stopped) } },
    refusals: ANYTIME,
  }),
  routeOf({
    ...{ method: 'GET', path: '/operation', title: 'What has become of a receipt' },
    text: 'By the reference of the receipt, newest first; receipts of all groups.',
    query: z.object({
      cbReceiptReference: textOf('The reference.').meta({ examples: ['docs-1'] }),
      cbTerminalID: textOf('The terminal; nothing is any.').optional(),
    }),
    success: { 200: { text: 'The outcomes.', content: json(wire.outcomes) } },
    refusals: [...ANYTIME, 'FIELD_MISSING'],
  }),
  routeOf({
    ...{ method: 'POST', path: '/pair', title: 'Pair a device', ...PAIRED },
    text: 'A PIN of a cash box gives out its credentials, once. Needs no headers.',
    success: { 200: { text: 'The credentials.', content: json(wire.pairResponse) } },
  }),
  ...olderRoutes,
]

export const possystemTable: ApiTable = { routes, refusalOf: problemForms() }
