// Receipts of a Queue: the list, one with what its numbers mean and what checks say now, and how it
// looks on paper.
import { z } from 'zod'
import { CHECKS } from '../../../core/event/receipt/checks.js'
import type { SeenReceipt } from '../../../core/event/receipt/desk.js'
import { brandingOfWish, operatorKey } from '../../../core/receipts/branding/settings.js'
import { PUBLIC_FORMATS, showReceipt } from '../../../core/receipts/show.js'
import { fail } from '../../../errors.js'
import { attachment } from '../../../lib/attachment.js'
import { objectIn } from '../../../lib/json.js'
import { textIn } from '../../../model/json-members.js'
import { chooseFormat } from '../../../render/accept.js'
import type { ListedItem } from '../../../store/event/fleet/receipts.js'
import { RECEIPT_LANGUAGES } from '../../../words/words.js'
import { Answer } from '../../shared/account/operation.js'
import { dateTime, id, int32, int64, uuid } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'
import { nextPlace, pageOf, pageQuery, placeIn } from '../place.js'

const tag = 'Receipts'
const WIDEST_MM = 210
const USUAL_MM = 80
const MOST_DAYS = 366
const USUAL_DAYS = 30
/** A logo of 200,000 bytes in base64, and the texts. */
const LARGEST_LOOK = 400 * 1024

const receipt = z
  .object({
    id: id().describe('ftQueueItemID.'),
    row: int64().describe('Its place among all calls of the Queue.'),
    number: int64().nullable().describe('Its place in the chain; null: it is none, or no receipt.'),
    identification: z.string().describe('ftReceiptIdentification; empty while there is no answer.'),
    reference: z.string().nullable().describe('cbReceiptReference: how the register calls it.'),
    moment: dateTime().describe('ftReceiptMoment (UTC).'),
    total: z
      .string()
      .nullable()
      .describe('Sum of the receipt; null: it has no place in the chain.'),
    state: z.string().describe('ftState in digits; empty while there is no answer.'),
  })
  .meta({ id: 'platform.Receipt' })

function shown(item: ListedItem): z.output<typeof receipt> {
  const { id: one, row, number, reference, receiptMoment: moment, total } = item
  const answer = item.response === null ? undefined : objectIn(item.response)
  const text = (name: string) => (answer === undefined ? '' : textIn(answer, name))
  const identification = text('ftReceiptIdentification')
  return { id: one, row, number, identification, reference, moment, total, state: text('ftState') }
}

const neighbour = z.object({ id: id(), row: int64() }).nullable().describe('null: there is none.')

const seen = receipt
  .extend({
    queueId: id(),
    operatorId: id().describe('Account of the merchant.'),
    operatorName: z.string().describe('Its name.'),
    cashBoxId: id().nullable().describe('That holds the Queue, or held it last.'),
    cashBoxIdentification: z.string().describe('Name of the register for the authority.'),
    market: z.string().describe('Letters of the country whose rules apply.'),
    version: z.string().describe('Of the interface that it came by: v0, v1, v2.'),
    request: z.string().describe('Exactly as it is stored.'),
    response: z.string().nullable().describe('The same; null: there is no answer yet.'),
    words: z
      .array(
        z.object({
          path: z.string().describe('Where it stands: `cbChargeItems[0].ftChargeItemCase`.'),
          value: z.string().describe('In digits, as it was sent.'),
          hex: z.string().describe('The same, hexadecimal.'),
          market: z.string().describe('Letters of its country; empty: it names none.'),
          version: z.int().describe('Of its table.'),
          of: z.string().describe('Description of its item.'),
          means: z.array(z.string()).describe('For people.'),
        }),
      )
      .describe('The 64-bit words of the receipt, taken apart.'),
    checks: z
      .array(
        z.object({
          check: z.enum(CHECKS).describe('signature: of the country, by an independent verifier.'),
          ok: z.boolean().nullable().describe('null: there is nothing to check.'),
          text: z.string().describe('What was found, or what was computed.'),
        }),
      )
      .describe('Made for this answer.'),
    previous: neighbour,
    next: neighbour,
  })
  .meta({ id: 'platform.SeenReceipt' })

function seenOf(found: SeenReceipt): z.output<typeof seen> {
  const { place, item, words, checks, previous, next } = found
  const number = item.receiptNumber === null ? null : BigInt(item.receiptNumber)
  const listed = { ...item, row: BigInt(item.row), number, total: item.receiptTotal }
  return {
    ...shown({ ...listed, reference: item.receiptReference }),
    ...{ queueId: place.queueId, operatorId: place.accountId, operatorName: place.accountName },
    ...{ cashBoxId: place.cashBoxId, cashBoxIdentification: place.identification },
    ...{ market: place.market, version: item.version, request: item.request },
    ...{ response: item.response, words, checks, previous, next },
  }
}

const place = z.object({ row: z.string().regex(/^\d{1,18}$/) })
const ofQueue = z.object({ queueId: uuid() })
const one = z.object({ queueId: uuid(), receiptId: uuid() })

export const receiptOperations = [
  operation({
    ...{ ...OWN, tag, params: ofQueue },
    id: 'listReceipts',
    title: 'Receipts of a Queue',
    text: 'Everything that it was called with, the newest first; calls that failed are among them.',
    method: 'GET',
    path: '/queues/:queueId/receipts',
    query: z.object(pageQuery),
    errors: ['QUEUE_UNKNOWN'],
    success: { status: 200, schema: z.object({ items: z.array(receipt), next: nextPlace() }) },
    handle: async ({ deps, account, params: { queueId }, query, culture }) => {
      const { limit } = query
      const reached = placeIn(place, query.after, culture)
      const before = reached === undefined ? undefined : BigInt(reached.row)
      const asked = { accountId: account.id, queueId, before, limit: limit + 1 }
      const page = pageOf(await deps.receipts.list(asked), limit, ({ row }) => {
        return { row: String(row) }
      })
      return { items: page.shown.map(shown), next: page.next }
    },
  }),
  operation({
    ...{ ...OWN, tag, params: one },
    id: 'getReceipt',
    title: 'Look at a receipt',
    text:
      'Its texts exactly as they are stored, what its numbers mean, the calls before and behind ' +
      'it, and what checks say now: that its texts are those that were hashed, its place in ' +
      'the chain, and its signature by a verifier that shares nothing with what signed it.',
    method: 'GET',
    path: '/queues/:queueId/receipts/:receiptId',
    errors: ['QUEUE_UNKNOWN', 'RECEIPT_UNKNOWN', 'EXPORT_LOST'],
    success: { status: 200, schema: seen },
    handle: async ({ deps, account, params: { queueId, receiptId }, culture }) => {
      const spoken = culture.language
      const language = spoken === 'de' || spoken === 'fr' ? spoken : 'en'
      const asked = { accountId: account.id, queueId, id: receiptId, language } as const
      return seenOf(await deps.receipts.look(asked))
    },
  }),
  operation({
    ...{ ...OWN, tag, params: one },
    id: 'printReceipt',
    title: 'A receipt as it looks on paper',
    text: 'In the look of its merchant, whether it was issued or not.',
    method: 'GET',
    path: '/queues/:queueId/receipts/:receiptId/paper',
    query: z.object({
      format: z.enum(['png', 'pdf', 'txt']).default('png').describe('What is wanted.'),
      width: int32(1, WIDEST_MM).optional().describe('Printable width in millimetres.'),
      language: z.enum(RECEIPT_LANGUAGES).optional().describe('Left out: as the call asks for.'),
    }),
    errors: ['QUEUE_UNKNOWN', 'RECEIPT_UNKNOWN', 'PICTURE_TOO_LONG', 'RENDERING_BUSY'],
    success: { status: 200, schema: z.string(), contentType: 'image/png' },
    handle: async ({ deps, account, params: { queueId, receiptId }, query, culture }) => {
      const found = await deps.receipts.shown({ accountId: account.id, queueId, id: receiptId })
      const { format, width, language = culture.language } = query
      const printWidth = width === undefined ? undefined : `${width}mm`
      const choice = chooseFormat(PUBLIC_FORMATS, { accept: undefined, format, printWidth })
      if (choice === undefined) throw new Error(`no format ${format}`)
      const paper = await showReceipt(deps, found, { ...choice, languages: language })
      const headers = {
        ...paper.headers,
        ...{ 'cache-control': 'private, no-cache' },
        ...(format === 'png' ? {} : { 'content-disposition': attachment(`receipt.${format}`) }),
      }
      return new Answer(paper.body, paper.contentType, { headers })
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'listReceiptDays',
    title: 'Receipts per day',
    text:
      'Of all Queues of a merchant together, on each of the last days in the time of its ' +
      'country; the last one is today, so far.',
    method: 'GET',
    path: '/operators/:posOperatorId/receipt-days',
    right: 'Read',
    query: z.object({
      days: int32(1, MOST_DAYS).default(USUAL_DAYS).describe('How many, with today.'),
    }),
    success: {
      status: 200,
      schema: z.array(
        z.object({
          day: z.string().describe('Of the calendar: 2026-11-26.'),
          receipts: int64().describe('That have a place in a chain.'),
        }),
      ),
    },
    handle: ({ deps, operator, query }) => deps.receipts.days(operator, query.days),
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'previewReceiptSettings',
    title: 'How receipts would look',
    text:
      'The newest receipt of the merchant as a picture, with these settings instead of the ' +
      'stored ones; the body is that of `PUT /posoperators/{posOperatorId}/receiptsettings` in ' +
      'the Dealer API. Nothing is stored.',
    method: 'POST',
    path: '/operators/:posOperatorId/receipt-preview',
    right: 'Read',
    query: z.object({
      width: int32(1, WIDEST_MM).default(USUAL_MM).describe('Printable width in millimetres.'),
    }),
    body: z.record(z.string(), z.unknown()),
    bodyLimit: LARGEST_LOOK,
    example: { name1Text: 'Kaffeehaus Ring GmbH', vat: 'ATU12345678', primaryColor: '#7a1f2b' },
    errors: ['RECEIPT_UNKNOWN', 'FIELD_INVALID', 'PICTURE_TOO_LONG', 'RENDERING_BUSY'],
    success: { status: 200, schema: z.string(), contentType: 'image/png' },
    handle: async ({ deps, operator, query, body, culture }) => {
      const newest = await deps.receipts.newest(operator.id)
      if (newest === undefined) throw fail('RECEIPT_UNKNOWN', { queue: operator.id, item: '-' })
      const branding = await brandingOfWish(deps.settings, operatorKey(operator.id), body)
      const wished = { ...newest, branding, settingsVersion: branding.version }
      const printWidth = `${query.width}mm`
      const choice = chooseFormat(PUBLIC_FORMATS, { accept: undefined, format: 'png', printWidth })
      if (choice === undefined) throw new Error('receipts are drawn as PNG')
      const paper = await showReceipt(deps, wished, { ...choice, languages: culture.language })
      return new Answer(paper.body, paper.contentType, { headers: { 'cache-control': 'no-store' } })
    },
  }),
]
