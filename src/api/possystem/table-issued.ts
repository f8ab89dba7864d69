// The rows of group D that are about issued receipts.
import { z } from 'zod'
import { REGISTER_FORMATS } from '../../core/receipts/show.js'
import { asText, content, json, textOf, uuid } from '../shared/openapi/parts.js'
import {
  actionExamples,
  documentList,
  PIXELS,
  rawReceipt,
  receiptAction,
} from '../shared/openapi/receipt-parts.js'
import type { ApiRoute, Content } from '../shared/openapi/route.js'
import * as wire from './schemas.js'
import { BOX, OPERATED, OPERATION_HEADERS, READ, receiptPath, routeOf } from './table-parts.js'

/** A pair that was signed elsewhere: such a one can be issued as well. */
export const issuedPair = {
  ReceiptRequest: {
    cbReceiptReference: 'docs-1',
    cbReceiptMoment: '2026-01-31T10:15:00Z',
    cbChargeItems: [{ Quantity: 2, Description: 'Coffee', Amount: 7.6, VATRate: 20 }],
    cbPayItems: [{ Description: 'Cash', Amount: 7.6 }],
  },
  ReceiptResponse: {
    ftQueueID: '7d1a0002-0000-4000-8000-000000000001',
    ftQueueItemID: '7d1a0002-0000-4000-8000-000000000002',
    ftQueueRow: 1,
    ftCashBoxIdentification: 'docs',
    cbReceiptReference: 'docs-1',
    ftReceiptIdentification: 'ft1#1',
    ftReceiptMoment: '2026-01-31T10:15:01Z',
    ftSignatures: [],
    ftState: 0,
  },
}

const formats: Content = Object.fromEntries(
  REGISTER_FORMATS.map(({ mediaType }) => [
    mediaType,
    { schema: mediaType === 'application/json' ? rawReceipt : content() },
  ]),
)
const RECEIPT = '/issue/:queueId/:itemId'
const DRAWN = ['RENDERING_BUSY', 'FORMAT_UNSUPPORTED', 'PICTURE_TOO_LONG'] as const

const read = (path: string, row: Omit<ApiRoute, 'id' | 'tag' | 'path' | 'method'>): ApiRoute =>
  routeOf({ method: 'GET', path: RECEIPT + path, params: receiptPath, ...row })

export const issuedRoutes: readonly ApiRoute[] = [
  routeOf({
    ...{ method: 'POST', path: '/issue', title: 'Issue a receipt', headers: OPERATION_HEADERS },
    text: 'Makes a receipt available under a public address: request and answer of *sign*.',
    body: json(wire.issueRequest, { elsewhere: issuedPair }),
    success: {
      201: { text: 'The address.', content: json(wire.issueResponse) },
      200: { text: 'The same, to a repetition.', content: json(wire.issueResponse) },
    },
    // of a till elsewhere: another one of this server has issued it
    refusals: [...OPERATED, 'RECEIPT_UNKNOWN'],
  }),
  read('', {
    title: 'Read an issued receipt',
    text: 'In the format of the header Accept, or of `?format=`; changes nothing.',
    query: z.object({
      format: z
        .enum(REGISTER_FORMATS.map(({ name }) => name))
        .optional()
        .describe('Beats the header Accept.'),
      copy: z.enum(['true', 'false']).optional().describe('true: marked as a copy.'),
    }),
    success: { 200: { text: 'The receipt.', content: formats } },
    refusals: [...READ, ...DRAWN],
  }),
  routeOf({
    ...{ method: 'PUT', path: RECEIPT, title: 'Act on an issued receipt', params: receiptPath },
    text:
      'accept and view answer with the state of the delivery; download and print with the ' +
      'content; link, send and upload with nothing. The same actions as those of apps.',
    headers: OPERATION_HEADERS,
    body: json(receiptAction, actionExamples),
    success: {
      200: {
        text: 'The state of the delivery, or the content; the same to a repetition.',
        content: { ...formats, ...json(wire.deliveryState) },
      },
      201: { text: 'send, upload.' },
      204: { text: 'link.', headers: { Location: 'The address of the receipt.' } },
    },
    refusals: [
      ...OPERATED,
      ...DRAWN,
      ...(['RECEIPT_UNKNOWN', 'DOCUMENTS_FULL', 'MESSAGES_LIMITED'] as const),
    ],
  }),
  read('/link', {
    title: 'Short link of the receipt',
    text: 'Signed with the keys of installation and cash box; for QR codes.',
    query: z.object({
      f: z
        .string()
        .regex(/^[0-9]{0,9}$/)
        .optional()
        .describe('Bits: 1 no share buttons, 2 no feedback, 4 PDF first.'),
      mcc: z.string().max(64).optional().describe('Campaign code.'),
    }),
    success: { 200: { text: 'Both addresses.', content: json(wire.shortLink) } },
    refusals: [...READ, 'FIELD_INVALID'],
  }),
  read('/link/qrcode', {
    title: 'QR code of the receipt',
    query: z.object({ size: PIXELS }),
    success: { 200: { text: 'A PNG image.', content: asText('image/png') } },
    refusals: [...READ, 'FIELD_INVALID'],
  }),
  read('/documents', {
    title: 'Files of the receipt',
    success: { 200: { text: 'The files, oldest first.', content: json(documentList) } },
    refusals: READ,
  }),
  read('/documents/:documentId', {
    title: 'A file of the receipt',
    params: receiptPath.extend({ documentId: uuid('Of the list.') }),
    success: { 200: { text: 'To be kept, never shown.', content: asText('application/pdf') } },
    refusals: [...READ, 'DOCUMENT_UNKNOWN'],
  }),
  read('/delivered', {
    title: 'Was it delivered?',
    success: {
      200: { text: 'How it was delivered.', content: json(wire.deliveryState) },
      204: { text: 'Nobody has taken it yet.' },
    },
    refusals: READ,
  }),
  read('/deliveries', {
    title: 'Who has taken it',
    success: {
      200: {
        text: 'Every retrieval, and every message that was refused for good, newest first.',
        content: json(wire.deliveries),
      },
    },
    refusals: READ,
  }),
  routeOf({
    ...{ method: 'GET', path: '/instore/events', title: 'Follow receipts' },
    text:
      'Server-sent events: `receipt` when one is issued, `delivered` when somebody has taken it, ' +
      '`refused` when a message with it was refused for good. ' +
      '`Last-Event-ID` goes on where a device has stopped, for a day.',
    query: z.object({ cbTerminalID: textOf('Only receipts of this terminal.').optional() }),
    success: { 200: { text: 'A stream.', content: asText('text/event-stream') } },
    refusals: [...BOX, 'FEED_FULL'],
  }),
]
