// The API page of group E: what can be called, with examples.
import { PUBLIC_FORMATS } from '../../core/receipts/show.js'

type Schema = Record<string, unknown>

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Readers** need no credentials: whoever has the address of a
receipt reads it. Every address exists with and without \`/v1\` in front. Opening a receipt marks
it as viewed.

**Apps** add their id, as header \`X-App-Id\` or as query \`AppId\`: what they open is noted and
marks nothing. For *Act on a receipt* press *Authorize* and enter id and secret;
\`npx fiskalwerk app create --name Wallet\` prints a pair.

An unknown receipt is a redirect to an information page for browsers, and a ProblemBody for
programs.`

const text = (description: string): Schema => ({ type: 'string', description })
const uuid = (description: string): Schema => ({ type: 'string', format: 'uuid', description })
const object = (properties: Schema, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
})

const problem: Schema = object({
  type: text('about:blank'),
  status: text('The HTTP status, as text.'),
  title: text('Short, the same for every problem of this code.'),
  detail: text('What is wrong with this call.'),
  instance: text('The path.'),
  code: text('A word for programs.'),
})

const REFUSALS: Record<number, string> = {
  301: 'To an app that takes over, or to the information page; kept by nobody.',
  400: 'The body is wrong.',
  401: 'App id and secret are missing or do not belong together.',
  404: 'There is no such receipt.',
  413: 'The body is too large.',
  429: 'Too many wrong tries; see Retry-After.',
  500: 'The fault is on this side.',
  503: 'Not now; see Retry-After.',
}

function others(statuses: readonly number[]): Record<number, Schema> {
  const content = { 'application/problem+json': { schema: problem } }
  const bodies = statuses.map((status) => {
    const description = REFUSALS[status] ?? ''
    return [status, status === 301 ? { description, type: 'null' } : { description, content }]
  })
  return Object.fromEntries(bodies)
}

const contentOf = (types: readonly string[]): Schema =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]))

const PUBLIC_TYPES = PUBLIC_FORMATS.map(({ mediaType }) => mediaType)

const params = object({
  queueId: uuid('Queue of the receipt.'),
  queueItemId: uuid('Item of the receipt.'),
})
const app = { AppId: uuid('A third-party app: nothing is marked, and nobody is sent elsewhere.') }

const shownAs = (types: readonly string[], statuses: readonly number[]): Schema => ({
  200: { description: 'The receipt.', content: contentOf(types) },
  304: { description: 'The same as If-None-Match names.', type: 'null' },
  ...others(statuses),
})

const tags = ['Receipt']
const Format = text('One of text/html, text/plain, application/pdf, image/png, image/jpeg, …')

const ACTION: Schema = {
  ...object(
    {
      Action: {
        type: 'string',
        enum: ['accept', 'view', 'link', 'download', 'print', 'send', 'upload'],
      },
      Format,
      Target: {
        type: 'object',
        description:
          'link: Host, Path. send: Scheme (email, sms, whatsapp), Address, Attach (none, pdf, ' +
          'png), Send.',
      },
      Handout: { type: 'boolean', description: 'link: the customer has it by that.' },
      Width: { type: 'integer', description: 'print: millimetres of paper.' },
      EscPosBrand: { type: 'string', enum: ['none', 'epson', 'star'] },
      Filename: text('upload: the name of the file.'),
      Filecontent: text('upload: its bytes in Base64, at most 10 MiB of them; PDF 5 MiB.'),
    },
    ['Action'],
  ),
  example: { Action: 'accept' },
}

/** By name of the handler. */
export const calls = {
  enter: {
    summary: 'Open a short link',
    description:
      'By `c`, signed or not, or by the `tag` of a give-away label. Whatever leads to no receipt ' +
      'is a redirect to the information page. Without both, a browser gets the welcome page.',
    tags,
    operationId: 'enter',
    querystring: object({
      c: text('Base64url of the receipt’s ids.'),
      s1: text('Signature with the key of the installation.'),
      s2: text('Signature with the key of the cash box.'),
      f: text('Bits: 1 no share buttons, 2 no feedback, 4 PDF first.'),
      mcc: text('Campaign code, kept with the view.'),
      tag: text('Of a label.'),
      ...app,
    }),
    response: shownAs(PUBLIC_TYPES, [301, 500, 503]),
  },
  information: {
    summary: 'About missing receipts',
    tags,
    operationId: 'information',
    response: { 200: { description: 'A page.', content: contentOf(['text/html']) } },
  },
  show: {
    summary: 'Show a receipt',
    description:
      'A page, or what `Accept` or `?format=` asks for. Opening it marks the receipt as viewed; ' +
      'with an app id it is only noted.',
    tags,
    operationId: 'show',
    params,
    querystring: object({
      format: { type: 'string', enum: PUBLIC_FORMATS.map(({ name }) => name) },
      ...app,
    }),
    response: shownAs(PUBLIC_TYPES, [301, 404, 500, 503]),
  },
  pdf: {
    summary: 'A receipt as PDF',
    tags,
    operationId: 'pdf',
    params,
    querystring: object(app),
    response: shownAs(['application/pdf'], [301, 404, 500, 503]),
  },
  png: {
    summary: 'A receipt as image',
    description: 'Can stand in a page as the source of an image.',
    tags,
    operationId: 'png',
    params,
    querystring: object(app),
    response: shownAs(['image/png'], [301, 404, 500, 503]),
  },
  qrcode: {
    summary: 'QR code of a receipt’s address',
    tags,
    operationId: 'qrcode',
    params,
    querystring: object({ size: { type: 'integer', minimum: 1, maximum: 32 } }),
    response: {
      200: { description: 'The code.', content: contentOf(['image/png']) },
      ...others([404, 500, 503]),
    },
  },
  documents: {
    summary: 'Files of a receipt',
    description: 'What apps and the till have uploaded.',
    tags,
    operationId: 'documents',
    params,
    response: {
      200: {
        description: 'The files, oldest first.',
        content: {
          'application/json': {
            schema: object({ Count: { type: 'integer' }, Items: { type: 'array', items: {} } }),
          },
        },
      },
      ...others([404, 503]),
    },
  },
  document: {
    summary: 'A file of a receipt',
    tags,
    operationId: 'document',
    params: object({
      queueId: uuid('Queue of the receipt.'),
      queueItemId: uuid('Item of the receipt.'),
      documentId: uuid('Of the list.'),
    }),
    response: {
      200: { description: 'To be kept, never shown.', content: contentOf(['application/pdf']) },
      ...others([404, 503]),
    },
  },
  act: {
    summary: 'Act on a receipt',
    description:
      'accept gives the raw data; download and print give content; link, send and upload give ' +
      'none. Everything is noted with the app that did it.',
    tags,
    operationId: 'act',
    params,
    security: [{ 'X-App-Id': [], 'X-App-Secret': [] }],
    body: ACTION,
    response: {
      200: {
        description: 'accept, download, print.',
        content: contentOf(['application/json', ...PUBLIC_TYPES]),
      },
      201: { description: 'send, upload.', type: 'null' },
      204: { description: 'accept without JSON, view, link.', type: 'null' },
      ...others([400, 401, 404, 413, 429, 500, 503]),
    },
  },
  printState: {
    summary: 'State of a receipt, for older programs',
    tags,
    operationId: 'printState',
    params,
    response: {
      200: {
        description: 'Submitted or Printed.',
        content: {
          'application/json': { schema: object({ state: text('State.'), message: text('How.') }) },
        },
      },
      ...others([404, 503]),
    },
  },
} satisfies Record<string, Schema>
