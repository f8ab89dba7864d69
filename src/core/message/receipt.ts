// The message that brings a customer the receipt: link, perhaps the receipt itself. Its being taken
// is a delivery. In the table of kinds.ts.
import { z } from 'zod'
import { FiscalError } from '../../errors.js'
import { JsonObject, parseJson } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { textIn } from '../../model/json-members.js'
import type { Attachment, Card, Letter } from '../../notify/transport.js'
import { documentNumber, summaryOf } from '../../render/summary.js'
import type { Store } from '../../store/client.js'
import { insertRefusal } from '../../store/receipt/instore-events.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import type { QueueKey } from '../../store/sign/queues.js'
import { filled, isReceiptLanguage, type ReceiptLanguage, WORDS } from '../../words/words.js'
import { type DeliveryMethod, recordDelivery } from '../receipts/delivery.js'
import { PAIR_DEPTH } from '../receipts/pair.js'
import { published } from '../receipts/read.js'
import { type FactsOf, taskView } from '../receipts/render.js'
import { type Draft, LetterError, type MessageKind } from './kind.js'

export const RECEIPT_KIND = 'receipt'

const METHODS = { email: 'email', sms: 'sms', whatsapp: 'whatsapp' } as const

const dataSchema = z.object({
  queueId: z.string(),
  queueItemId: z.string(),
  link: z.string(),
  /** The format of what is attached; null: nothing. */
  attach: z.string().nullable(),
  actor: z.object({
    kind: z.enum(['customer', 'app', 'pos']),
    appId: z.string().nullable(),
    userAgent: z.string().nullable(),
    address: z.string(),
  }),
})

export type ReceiptData = z.infer<typeof dataSchema>

/** The receipt in a format, in the language of the message. */
export type RenderReceipt = (
  receipt: IssuedReceipt,
  format: string,
  language: string,
) => Promise<{ contentType: string; bytes: Buffer }>

export interface ReceiptKindDeps {
  store: Store
  factsOf: FactsOf
  renderReceipt: RenderReceipt
  /** Tells the journal of the queue. */
  retrievals: { soon(queue: QueueKey): void }
}

export function receiptKind(deps: ReceiptKindDeps): MessageKind<ReceiptData> {
  return {
    read: (value) => dataSchema.parse(value),
    letter: (draft) => letterOf(deps, draft),
    taken: async (client, draft, moment) => {
      const { actor } = draft.data
      const receipt = await receiptOf(deps, draft)
      await recordDelivery(client, receipt, {
        method: methodOf(draft.channel),
        kind: actor.kind,
        moment,
        appId: actor.appId ?? undefined,
        userAgent: actor.userAgent ?? undefined,
        address: actor.address,
        // whoever asked for it, the customer has it
        counts: true,
      })
      const { accountId, queueId, verified } = receipt
      return () => {
        if (verified) deps.retrievals.soon({ accountId, id: queueId })
      }
    },
    refused: async (client, { accountId, channel, data }, refusal) => {
      const { messageId, addressMasked: Address, reason: Reason, moment } = refusal
      const { queueId, queueItemId } = data
      const content = writeJson({ Method: methodOf(channel), Address, Reason, Moment: moment })
      const names = { accountId, queueId, queueItemId, messageId }
      await insertRefusal(client, { ...names, moment, content })
    },
  }
}

function methodOf(channel: string): DeliveryMethod {
  return Object.hasOwn(METHODS, channel) ? METHODS[channel as keyof typeof METHODS] : 'email'
}

async function receiptOf(
  { store }: ReceiptKindDeps,
  { accountId, data }: Draft<ReceiptData>,
): Promise<IssuedReceipt> {
  const receipt = await published(store, data).catch((error: unknown) => {
    const isGone = error instanceof FiscalError && error.code === 'RECEIPT_UNKNOWN'
    throw isGone ? new LetterError('the receipt is not published any more') : error
  })
  if (receipt.accountId === accountId) return receipt
  throw new LetterError('the receipt belongs to another account')
}

async function letterOf(deps: ReceiptKindDeps, draft: Draft<ReceiptData>): Promise<Letter> {
  const receipt = await receiptOf(deps, draft)
  const { data, language } = draft
  const number = numberOf(receipt)
  const attachment =
    data.attach === null ? null : await attachmentOf(deps, receipt, { ...draft, number })
  const spoken = isReceiptLanguage(language) ? language : 'en'
  const words = WORDS[spoken].receiptMessage
  const values = { company: receipt.branding?.name || receipt.accountName, number }
  const card = cardOf(receipt, { language: spoken, factsOf: deps.factsOf, more: words.more })
  return {
    language,
    ...(card === undefined ? {} : { card }),
    subject: filled(words.subject, values),
    paragraphs: [
      words.hello,
      filled(words.text, values),
      ...(attachment === null ? [] : [words.attached]),
    ],
    link: { label: words.link, url: data.link },
    footer: words.footer,
    attachment,
  }
}

/** Letters of a pair that is looked at in this thread; a longer one comes without card. */
const LONGEST_PAIR = 200_000
const MOST_LINES = 12

/** Undefined for a receipt that is too large to be shown at a glance. */
function cardOf(
  receipt: IssuedReceipt,
  { language, factsOf, more }: { language: ReceiptLanguage; factsOf: FactsOf; more: string },
): Card | undefined {
  if (receipt.request.length + receipt.response.length > LONGEST_PAIR) return undefined
  const view = taskView({ receipt, language, copy: false }, factsOf)
  const { merchant, title, marks, items, colours, logo } = view
  const { number } = documentNumber(view)
  const { sum, under } = summaryOf(view)
  const left = items.length - MOST_LINES
  return {
    ...{ merchant, title: [...marks, `${title} ${number}`.trim()].join(' · '), sum, under },
    lines: items
      .slice(0, MOST_LINES)
      .map(({ description, amount }) => ({ text: description, amount })),
    more: left > 0 ? filled(more, { count: String(left) }) : '',
    ...{ colours, logo },
  }
}

/** Empty for a receipt of elsewhere that has none. */
function numberOf({ response }: IssuedReceipt): string {
  const value = parseJson(response, { trailingComma: true, depth: PAIR_DEPTH })
  return value instanceof JsonObject ? textIn(value, 'ftReceiptIdentification') : ''
}

const ENDINGS: Record<string, string> = { jpg: 'jpg', pdf: 'pdf', png: 'png', txt: 'txt' }

async function attachmentOf(
  { renderReceipt }: ReceiptKindDeps,
  receipt: IssuedReceipt,
  { data, language, number }: Draft<ReceiptData> & { number: string },
): Promise<Attachment> {
  const format = data.attach ?? ''
  const { contentType, bytes } = await renderReceipt(receipt, format, language)
  const name = number
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60)
  const filename = `receipt${name === '' ? '' : `-${name}`}.${ENDINGS[format] ?? format}`
  return { filename, contentType, bytes }
}
