// The route table of group E: every call with what it takes and answers, and how it is mounted.
import { z } from 'zod'
import { SETTING_NAMES } from '../../core/receipts/branding/document.js'
import { PUBLIC_FORMATS } from '../../core/receipts/show.js'
import type { ErrorCode } from '../../errors.js'
import { WALLET_MAKERS } from '../../model/wallet.js'
import { LONGEST_ANSWER } from '../../render/guest.js'
import { asText, content, json, textOf, uuid } from '../shared/openapi/parts.js'
import { problemForms } from '../shared/openapi/problem-body.js'
import {
  actionExamples,
  documentList,
  PIXELS,
  rawReceipt,
  receiptAction,
} from '../shared/openapi/receipt-parts.js'
import type { ApiRoute, ApiTable, Content, Success } from '../shared/openapi/route.js'
import { RECEIPT_STATUSES } from '../shared/problem.js'

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Readers** need no credentials: whoever has the address of a
receipt reads it. Every address exists with and without \`/v1\` in front. Opening a receipt marks
it as viewed.

**Apps** add their id, as header \`X-App-Id\` or as query \`AppId\`: what they open is noted and
marks nothing. For *Act on a receipt* press *Authorize* and enter id and secret;
\`npx fiskalwerk app create --name Wallet\` prints a pair.

An unknown receipt is a redirect to an information page for browsers, and a ProblemBody for
programs.`

const TAG = 'Receipt'
export const tags = { [TAG]: 'Issued receipts, for readers, apps and the register that made them.' }

const UUID = '(^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$)'
export const RECEIPT = `/:queueId${UUID}/:queueItemId${UUID}`
const SETTINGS = `/configuration/:queueId${UUID}/receiptsettings`

/** In front of an address: they are on labels that were printed long ago. */
const VERSIONS = ['/v0', '/v1'] as const
const also = (path: string): string[] => VERSIONS.map((version) => version + path)

const receiptPath = z.object({
  queueId: uuid('Queue of the receipt.'),
  queueItemId: uuid('Item of the receipt.'),
})
const AppId = uuid('A third-party app: nothing is marked, and nobody is sent elsewhere.').optional()

const AWAY = ['INTERNAL', 'DATABASE_AWAY'] as const
const DRAWN = [...AWAY, 'RENDERING_BUSY'] as const
const shown: readonly ErrorCode[] = [
  ...DRAWN,
  'RECEIPT_UNKNOWN',
  'FORMAT_UNSUPPORTED',
  'PICTURE_TOO_LONG',
]
const told: readonly ErrorCode[] = [...AWAY, 'RECEIPT_UNKNOWN']

const types = (...names: string[]): Content =>
  Object.fromEntries(
    names.map((type) => [type, { schema: type === 'application/json' ? rawReceipt : content() }]),
  )

const ELSEWHERE: Success = {
  text: 'To an app that takes over, or to the information page; kept by nobody.',
  headers: { Location: 'Where to.' },
}

const showing = (...names: string[]): ApiRoute['success'] => ({
  200: { text: 'The receipt.', content: types(...names) },
  301: ELSEWHERE,
  304: { text: 'The same as If-None-Match names.' },
})

const PUBLIC = PUBLIC_FORMATS.map(({ mediaType }) => mediaType)

const readRows = {
  enter: {
    ...{ id: 'enter', title: 'Open a short link', path: '/', refusals: DRAWN },
    text:
      'By `c`, signed or not, or by the `tag` of a give-away label. Whatever leads to no receipt ' +
      'is a redirect to the information page. Without both, a browser gets the welcome page.',
    query: z.object({
      c: textOf('Base64url of the receipt’s ids.').optional(),
      s1: textOf('Signature with the key of the installation.').optional(),
      s2: textOf('Signature with the key of the cash box.').optional(),
      f: textOf('Bits: 1 no share buttons, 2 no feedback, 4 PDF first.').optional(),
      mcc: textOf('Campaign code, kept with the view.').optional(),
      tag: textOf('Of a label.').optional(),
      AppId,
    }),
    success: showing(...PUBLIC),
  },
  information: {
    ...{ id: 'information', title: 'About missing receipts', path: '/receipt-information' },
    success: { 200: { text: 'A page.', content: asText('text/html') } },
    refusals: ['INTERNAL'],
  },
  show: {
    ...{ id: 'show', title: 'Show a receipt', path: RECEIPT, params: receiptPath },
    text:
      'A page, or what `Accept` or `?format=` asks for. Opening it marks the receipt as viewed; ' +
      'with an app id it is only noted.',
    query: z.object({
      format: z
        .enum(PUBLIC_FORMATS.map(({ name }) => name))
        .optional()
        .describe('Beats the header Accept.'),
      AppId,
    }),
    success: showing(...PUBLIC),
    refusals: shown,
  },
  pdf: {
    ...{ id: 'pdf', title: 'A receipt as PDF', path: `${RECEIPT}/pdf`, params: receiptPath },
    query: z.object({ AppId }),
    success: showing('application/pdf'),
    refusals: shown,
  },
  png: {
    ...{ id: 'png', title: 'A receipt as image', path: `${RECEIPT}/png`, params: receiptPath },
    text: 'Can stand in a page as the source of an image.',
    query: z.object({ AppId }),
    success: showing('image/png'),
    refusals: shown,
  },
  qrcode: {
    ...{ id: 'qrcode', title: 'QR code of a receipt’s address', params: receiptPath },
    path: `${RECEIPT}/link/qrcode`,
    query: z.object({ size: PIXELS }),
    success: { 200: { text: 'The code.', content: asText('image/png') } },
    refusals: told,
  },
  wallet: {
    ...{ id: 'wallet', title: 'A receipt for a wallet', path: `${RECEIPT}/wallet/:maker` },
    params: receiptPath.extend({ maker: z.enum(WALLET_MAKERS).describe('Of the wallet.') }),
    text:
      'A pass for Apple Wallet, or a redirect to where Google Wallet saves it; with the code of ' +
      'the receipt. Only where the merchant has set it up.',
    success: {
      200: { text: 'The pass.', content: asText('application/vnd.apple.pkpass') },
      302: { text: 'To the maker.', headers: { Location: 'Where it is saved.' } },
    },
    refusals: [...told, 'DOCUMENT_UNKNOWN', 'RENDERING_BUSY'],
  },
  documents: {
    ...{ id: 'documents', title: 'Files of a receipt', params: receiptPath },
    path: `${RECEIPT}/documents`,
    text: 'What apps and the register have uploaded.',
    success: { 200: { text: 'The files.', content: json(documentList) } },
    refusals: told,
  },
  document: {
    ...{ id: 'document', title: 'A file of a receipt', path: `${RECEIPT}/documents/:documentId` },
    params: receiptPath.extend({ documentId: uuid('Of the list.') }),
    success: { 200: { text: 'To be kept, never shown.', content: asText('application/pdf') } },
    refusals: [...told, 'DOCUMENT_UNKNOWN'],
  },
} satisfies Record<string, Omit<ApiRoute, 'tag' | 'method'>>

export type ReadName = keyof typeof readRows

/** The calls of readers, each with its name. */
export const reads = Object.entries(readRows).map(([name, row]) => ({
  name: name as ReadName,
  route: { ...row, tag: TAG, method: 'GET', also: also(row.path) } satisfies ApiRoute,
}))

export const act: ApiRoute = {
  ...{ id: 'act', title: 'Act on a receipt', tag: TAG, method: 'PUT', path: RECEIPT },
  also: also(RECEIPT),
  text:
    'accept gives the raw data; download and print give content; link, send and upload give ' +
    'none. Everything is noted with the app that did it.',
  security: [['X-App-Id', 'X-App-Secret']],
  params: receiptPath,
  body: json(receiptAction, actionExamples),
  success: {
    200: { text: 'accept, download, print.', content: types('application/json', ...PUBLIC) },
    201: { text: 'send, upload.' },
    204: {
      text: 'accept without JSON, view, link.',
      headers: { Location: 'link: the address of the receipt.' },
    },
  },
  refusals: [
    ...shown,
    ...(['APP_WRONG', 'CREDENTIALS_LIMITED', 'BODY_MISSING', 'BODY_MALFORMED'] as const),
    ...(['BODY_TOO_LARGE', 'FIELD_MISSING', 'FIELD_INVALID'] as const),
    ...(['DOCUMENTS_FULL', 'MESSAGES_LIMITED'] as const),
  ],
}

const FORM = 'application/x-www-form-urlencoded'
const GUEST: readonly ErrorCode[] = [
  ...told,
  ...(['BODY_MISSING', 'BODY_TOO_LARGE', 'MEDIA_TYPE', 'FIELD_INVALID'] as const),
]
const typed = (text: string) => textOf(text).max(LONGEST_ANSWER).optional()

/** What guests ask for by the forms of the page. */
export const guestRows = {
  send: {
    ...{ id: 'guestSend', title: 'Send a receipt to oneself', tag: TAG, method: 'POST' },
    ...{ path: `${RECEIPT}/send`, also: also(`${RECEIPT}/send`), params: receiptPath },
    text:
      'By e-mail, with the PDF. Nothing that the caller writes is in the message, and few of ' +
      'them go out: 3 about a receipt and 10 for a network within an hour.',
    body: {
      [FORM]: {
        schema: z.object({ email: textOf('Where to.') }),
        examples: { self: 'email=customer%40example.com' },
      },
    },
    success: { 202: { text: 'It is on its way; a page.', content: asText('text/html') } },
    refusals: [...GUEST, 'MESSAGES_LIMITED'],
  },
  note: {
    ...{ id: 'guestNote', title: 'A copy with details of the customer', tag: TAG, method: 'POST' },
    ...{ path: `${RECEIPT}/note`, also: also(`${RECEIPT}/note`), params: receiptPath },
    text: 'A PDF, marked as a copy. The details are not kept, and no part of the receipt.',
    body: {
      [FORM]: {
        schema: z.object({
          recipient: typed('Name and address, line by line.'),
          vatId: typed('VAT id.'),
          guests: typed('Persons entertained.'),
          occasion: typed('Why.'),
          host: typed('Who paid.'),
          tip: typed('Tip.'),
        }),
        examples: { invoice: 'recipient=Muster%20GmbH%0A10115%20Berlin&vatId=DE123456789' },
      },
    },
    success: { 200: { text: 'To be kept.', content: asText('application/pdf') } },
    refusals: [...GUEST, 'FIELD_MISSING', 'RENDERING_BUSY'],
  },
} satisfies Record<string, ApiRoute>

export const printState: ApiRoute = {
  ...{ id: 'printState', title: 'State of a receipt, for older programs', tag: TAG },
  ...{ method: 'GET', path: `/v0/print${RECEIPT}`, params: receiptPath },
  success: {
    200: {
      text: 'Submitted or Printed.',
      content: json(z.object({ state: textOf('State.'), message: textOf('How.') })),
    },
  },
  refusals: told,
}

const settingsOf = z
  .record(z.string(), z.unknown())
  .meta({ id: 'receipt.ReceiptSettings', description: `Any of ${SETTING_NAMES.join(', ')}.` })

export const settings: ApiRoute = {
  ...{ id: 'receiptSettings', title: 'Set how receipts of a queue look', tag: TAG },
  ...{ method: 'POST', path: `/v1${SETTINGS}`, also: [SETTINGS, `/v0${SETTINGS}`] },
  text:
    'Merges the properties that are sent and answers with all that are set. `null` takes a ' +
    'property away.',
  security: [['cashboxid', 'accesstoken']],
  params: z.object({ queueId: uuid('A queue of the CashBox.') }),
  body: json(settingsOf, {
    shop: { name1Text: 'Café Central', address1City: 'Wien', primaryColor: '#0b6b53' },
  }),
  success: { 200: { text: 'All settings of the queue.', content: json(settingsOf) } },
  refusals: [
    ...(['CREDENTIALS_MISSING', 'CREDENTIALS_WRONG', 'CREDENTIALS_LIMITED'] as const),
    ...(['QUEUE_UNKNOWN', 'REQUEST_INVALID', 'MEDIA_TYPE', 'FIELD_INVALID'] as const),
    ...(['BODY_TOO_LARGE', 'SETTINGS_CONFLICT'] as const),
    ...AWAY,
  ],
}

export const receiptTable: ApiTable = {
  routes: [
    ...reads.map(({ route }) => route),
    ...[act, guestRows.send, guestRows.note, printState, settings],
  ],
  refusalOf: problemForms(RECEIPT_STATUSES),
}
