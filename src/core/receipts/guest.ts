// What a guest who has the address of a receipt may do with it: have it sent, and get a copy with
// details of the own. Nothing of the details is kept.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { fail } from '../../errors.js'
import { networkOf } from '../../lib/network.js'
import {
  GUEST_FIELDS,
  type GuestField,
  type GuestNote,
  LONGEST_ANSWER,
} from '../../render/guest.js'
import { reaching } from '../../store/client.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import { inTransaction } from '../../store/transaction.js'
import { type ActionDeps, type Content, filenameOf } from './apply-action.js'
import { recordDelivery } from './delivery.js'
import { type ShowDeps, showReceipt } from './show.js'

/** How often guests have receipts sent. */
export interface GuestLimit {
  /** Counts one more. Throws MESSAGES_LIMITED. */
  take(receiptId: string, address: string): Promise<void>
}

export interface GuestLimits {
  /** Messages about one receipt within an hour. */
  perReceipt: number
  /** Messages that one network asks for within an hour. */
  perNetwork: number
}

const HOUR_SECONDS = 3_600

/** Beside the limits of all messages: a stranger shall not use up what is the till's. */
export function createGuestLimit({ perReceipt, perNetwork }: GuestLimits): GuestLimit {
  const byReceipt = new RateLimiterMemory({ points: perReceipt, duration: HOUR_SECONDS })
  const byNetwork = new RateLimiterMemory({ points: perNetwork, duration: HOUR_SECONDS })
  return {
    take: async (receiptId, address) => {
      await taken(byNetwork, networkOf(address), {
        limit: perNetwork,
        of: 'the wish of one network in one hour',
      })
      await taken(byReceipt, receiptId, {
        limit: perReceipt,
        of: 'this receipt for guests in one hour',
      })
    },
  }
}

async function taken(
  limiter: RateLimiterMemory,
  key: string,
  details: { limit: number; of: string },
): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (error instanceof RateLimiterRes) throw fail('MESSAGES_LIMITED', details)
    throw error
  }
}

export interface GuestDeps extends ActionDeps {
  guestLimit: GuestLimit
}

export interface GuestSend {
  receipt: IssuedReceipt
  /** E-mail, as it was typed. */
  address: string
  languages: string | undefined
  /** Public address of the receipt. */
  link: string
  guest: { address: string; userAgent: string | undefined }
}

/**
 * The message says what the till's would say: no word of whoever asks is in it. Throws
 * FIELD_INVALID (email) and MESSAGES_LIMITED.
 */
export async function sendToGuest(
  { store, now, queueSend, guestLimit }: GuestDeps,
  { receipt, address, languages, link, guest }: GuestSend,
): Promise<void> {
  const to = address.trim()
  if (!isOneAddress(to)) throw fail('FIELD_INVALID', { field: 'email', expected: 'an address' })
  await guestLimit.take(`${receipt.queueId}/${receipt.queueItemId}`, guest.address)
  const actor = { ...guest, kind: 'customer' as const, appId: undefined }
  const target = { scheme: 'email', address: to, attach: 'pdf', send: true }
  await reaching(() =>
    inTransaction(store, async (client) => {
      await queueSend(client, { receipt, ...target, link, languages, actor })
      const event = { ...actor, moment: now(), method: 'email' as const, counts: false }
      await recordDelivery(client, receipt, event)
    }),
  )
}

/** A domain with a point: nothing goes to a name of this machine or its network. */
const isOneAddress = (text: string): boolean =>
  /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[a-z\d-]{2,}$/i.test(text)

export interface NoteWish {
  receipt: IssuedReceipt
  languages: string | undefined
  /** '' where nothing was typed. */
  answerOf(field: GuestField): string
}

/** A marked copy with what the guest has typed. Throws FIELD_MISSING, FIELD_INVALID. */
export async function contentOfNote(deps: ShowDeps, wish: NoteWish): Promise<Content> {
  const { receipt, languages, answerOf } = wish
  const guest: GuestNote = Object.fromEntries(
    GUEST_FIELDS.map((field) => [field, checked(field, answerOf(field))] as const).filter(
      ([, text]) => text !== '',
    ),
  )
  if (Object.keys(guest).length === 0) {
    throw fail('FIELD_MISSING', { field: 'recipient', expected: 'what the copy is to say' })
  }
  const format = { name: 'pdf', mediaType: 'application/pdf', contentType: 'application/pdf' }
  const asked = {
    format: { ...format, wide: true },
    widthMm: NOTE_MM,
    languages,
    copy: true,
    guest,
  }
  const shown = await showReceipt(deps, receipt, asked)
  return { ...shown, filename: filenameOf(receipt, asked.format) }
}

const NOTE_MM = 80

function checked(field: GuestField, text: string): string {
  if (text.length <= LONGEST_ANSWER) return text.trim()
  throw fail('FIELD_INVALID', { field, expected: `at most ${LONGEST_ANSWER} characters` })
}
