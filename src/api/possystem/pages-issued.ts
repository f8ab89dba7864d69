// The part of the API page of group D that is about issued receipts.
import {
  body,
  boxSecurity,
  created,
  json,
  OPERATION_REFUSALS,
  operationOf,
  READ_REFUSALS,
  receiptPath,
  refusals,
  type Schema,
  text,
} from './page-parts.js'

/** A pair that was signed elsewhere: such a one can be issued as well. */
const issuedRequest = {
  cbReceiptReference: 'docs-1',
  cbReceiptMoment: '2026-01-31T10:15:00Z',
  cbChargeItems: [{ Quantity: 2, Description: 'Coffee', Amount: 7.6, VATRate: 20 }],
  cbPayItems: [{ Description: 'Cash', Amount: 7.6 }],
}
const issuedResponse = {
  ftQueueID: '7d1a0002-0000-4000-8000-000000000001',
  ftQueueItemID: '7d1a0002-0000-4000-8000-000000000002',
  ftQueueRow: 1,
  ftCashBoxIdentification: 'docs',
  cbReceiptReference: 'docs-1',
  ftReceiptIdentification: 'ft1#1',
  ftReceiptMoment: '2026-01-31T10:15:01Z',
  ftSignatures: [],
  ftState: 0,
}

/** By method and path. */
export const issuedCalls: Record<string, Schema> = {
  'POST /issue': {
    summary: 'Issue a receipt',
    description: 'Makes a receipt available under a public address: request and answer of *sign*.',
    ...operationOf('7d1a0001-0000-4000-8000-000000000004'),
    body: body(
      { ReceiptRequest: { type: 'object' }, ReceiptResponse: { type: 'object' } },
      { ReceiptRequest: issuedRequest, ReceiptResponse: issuedResponse },
      ['ReceiptRequest', 'ReceiptResponse'],
    ),
    response: { ...created('The address.'), ...OPERATION_REFUSALS },
  },
  'GET /issue/:queueId/:itemId': {
    summary: 'Read an issued receipt',
    description: 'In the format of the header Accept; changes nothing.',
    security: [boxSecurity],
    params: receiptPath,
    response: { 200: json('The receipt.'), ...READ_REFUSALS },
  },
  'PUT /issue/:queueId/:itemId': {
    summary: 'Act on an issued receipt',
    description:
      'accept and view answer with the state of the delivery; download and print with the ' +
      'content; link, send and upload with nothing. The same actions as those of apps.',
    ...operationOf('7d1a0001-0000-4000-8000-000000000006'),
    params: receiptPath,
    body: body(
      {
        Action: text('accept, view, link, download, print, send, upload'),
        Format: text('download, print, upload: a media type.'),
        Width: { type: 'integer', description: 'print: millimetres of paper.' },
        EscPosBrand: text('print: none, epson or star.'),
        Target: {
          type: 'object',
          description: 'link: Host, Path. send: Scheme, Address, Attach, Send.',
        },
        Handout: { type: 'boolean', description: 'link: the customer has it by that.' },
        Filename: text('upload: the name of the file.'),
        Filecontent: text('upload: its bytes in Base64.'),
      },
      { Action: 'accept' },
      ['Action'],
    ),
    response: {
      200: json('The state of the delivery, or the content; the same to a repetition.'),
      201: { description: 'send, upload.', type: 'null' },
      204: { description: 'link.', type: 'null' },
      ...READ_REFUSALS,
    },
  },
  'GET /issue/:queueId/:itemId/link': {
    summary: 'Short link of the receipt',
    description: 'Signed with the keys of installation and cash box; for QR codes.',
    security: [boxSecurity],
    params: receiptPath,
    querystring: {
      type: 'object',
      properties: {
        f: text('Bits: 1 no share buttons, 2 no feedback, 4 PDF first.'),
        mcc: text('Campaign code, at most 64 characters.'),
      },
    },
    response: { 200: json('DocumentURL and ShortURL.'), ...READ_REFUSALS },
  },
  'GET /issue/:queueId/:itemId/documents': {
    summary: 'Files of the receipt',
    security: [boxSecurity],
    params: receiptPath,
    response: { 200: json('The files, oldest first.'), ...READ_REFUSALS },
  },
  'GET /instore/events': {
    summary: 'Follow receipts',
    description:
      'Server-sent events: `receipt` when one is issued, `delivered` when somebody has taken it, ' +
      '`refused` when a message with it was refused for good. ' +
      '`Last-Event-ID` goes on where a device has stopped, for a day.',
    security: [boxSecurity],
    querystring: {
      type: 'object',
      properties: { cbTerminalID: text('Only receipts of this terminal.') },
    },
    response: {
      200: { description: 'A stream.', content: { 'text/event-stream': { schema: {} } } },
      ...refusals([400, 401, 429, 503]),
    },
  },
  'GET /issue/:queueId/:itemId/link/qrcode': {
    summary: 'QR code of the receipt',
    security: [boxSecurity],
    params: receiptPath,
    response: {
      200: { description: 'A PNG image.', content: { 'image/png': { schema: {} } } },
      ...READ_REFUSALS,
    },
  },
  'GET /issue/:queueId/:itemId/delivered': {
    summary: 'Was it delivered?',
    security: [boxSecurity],
    params: receiptPath,
    response: {
      200: json('How it was delivered.'),
      204: { description: 'Nobody has taken it yet.', type: 'null' },
      ...READ_REFUSALS,
    },
  },
  'GET /issue/:queueId/:itemId/deliveries': {
    summary: 'Who has taken it',
    security: [boxSecurity],
    params: receiptPath,
    response: {
      200: json('Every retrieval, and every message that was refused for good, newest first.'),
      ...READ_REFUSALS,
    },
  },
}
