// The action `send`: a published receipt goes to a customer by e-mail, SMS or WhatsApp.
import { fail } from '../../errors.js'
import { addressOf, EXPECTED_ADDRESS } from '../../notify/address.js'
import { CHANNELS, type Channel } from '../../notify/transport.js'
import { chooseLanguage } from '../../render/accept.js'
import { languageOf } from '../../render/words.js'
import { reaching, type Store } from '../../store/client.js'
import { countMessages } from '../../store/message/messages.js'
import type { Connection } from '../../store/transaction.js'
import { inTransaction } from '../../store/transaction.js'
import { RECEIPT_LANGUAGES, type ReceiptLanguage } from '../../words/words.js'
import type { SendWish } from '../receipts/send-wish.js'
import { enqueueMessage } from './enqueue.js'
import { RECEIPT_KIND, type ReceiptData } from './receipt.js'

export interface SendDeps {
  store: Store
  now(): Date
  /** Names of formats that can be attached, as show.ts has them. */
  attachments: readonly string[]
  limits: SendLimits
}

export interface SendLimits {
  /** Messages about one receipt, ever. */
  perReceipt: number
  /** Messages on behalf of one cash box within an hour. */
  perHour: number
}

export interface QueuedSend {
  messageId: string
  state: 'queued' | 'stored'
}

/**
 * Checks the wish and writes message and job; with `on`, within the transaction of the caller.
 * Throws FIELD_INVALID that names the member, and MESSAGES_LIMITED.
 */
export async function queueSend(
  deps: SendDeps,
  wish: SendWish,
  on?: Connection,
): Promise<QueuedSend> {
  const checked = checkedWish(deps, wish)
  if (on !== undefined) return enqueue(deps, checked, on)
  return reaching(() => inTransaction(deps.store, (client) => enqueue(deps, checked, client)))
}

interface Checked {
  wish: SendWish
  channel: Channel
  to: string
  attach: string | null
}

/** Without writing anything, for callers that want their refusals first. */
export function checkedWish(deps: Pick<SendDeps, 'attachments'>, wish: SendWish): Checked {
  const channel = CHANNELS.find((one) => one === wish.scheme.trim().toLowerCase())
  if (channel === undefined) {
    const expected = `one of ${CHANNELS.join(', ')}`
    throw fail('FIELD_INVALID', { field: 'Target.Scheme', expected })
  }
  const to = addressOf(channel, wish.address)
  if (to === undefined) {
    throw fail('FIELD_INVALID', { field: 'Target.Address', expected: EXPECTED_ADDRESS[channel] })
  }
  const attach = attachmentOf(deps, wish.attach)
  // a short message carries its link only
  return { wish, channel, to, attach: channel === 'sms' ? null : attach }
}

function attachmentOf(
  { attachments }: Pick<SendDeps, 'attachments'>,
  wanted = 'none',
): string | null {
  const word = wanted.trim().toLowerCase()
  if (word === 'none' || word === '') return null
  if (attachments.includes(word)) return word
  const expected = `one of ${['none', ...attachments].join(', ')}`
  throw fail('FIELD_INVALID', { field: 'Target.Attach', expected })
}

const HOUR_MS = 3_600_000

async function enqueue(
  { store, now, limits }: SendDeps,
  { wish, channel, to, attach }: Checked,
  on: Connection,
): Promise<QueuedSend> {
  const { receipt, actor, link, send } = wish
  const { accountId, cashBoxId, queueId, queueItemId } = receipt
  const subject = `${queueId}/${queueItemId}`
  const since = new Date(now().getTime() - HOUR_MS)
  const { about, ofBox } = await countMessages(on, { accountId, subject, cashBoxId, since })
  if (about >= limits.perReceipt) {
    throw fail('MESSAGES_LIMITED', { limit: limits.perReceipt, of: 'one receipt' })
  }
  if (ofBox >= limits.perHour) {
    throw fail('MESSAGES_LIMITED', { limit: limits.perHour, of: 'this cash box in one hour' })
  }
  const data: ReceiptData = {
    ...{ queueId, queueItemId, link, attach },
    actor: {
      kind: actor.kind,
      appId: actor.appId ?? null,
      userAgent: actor.userAgent ?? null,
      address: actor.address,
    },
  }
  const message = { accountId, kind: RECEIPT_KIND, channel, to, data, subject, cashBoxId, send }
  const language = wishedLanguage(wish)
  const messageId = await enqueueMessage({ store, now }, on, { ...message, language })
  return { messageId, state: send ? 'queued' : 'stored' }
}

/** Where the merchant sits in a country of another language than the market of the queue. */
const COUNTRIES: Record<string, ReceiptLanguage> = { BE: 'fr', LU: 'fr' }

function wishedLanguage({ languages, receipt }: SendWish): ReceiptLanguage {
  const { accountCountry, market } = receipt
  const usual = COUNTRIES[accountCountry] ?? languageOf(market)
  return chooseLanguage(RECEIPT_LANGUAGES, languages) ?? usual
}
