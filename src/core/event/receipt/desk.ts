// Receipts as they are stored, for whoever looks after a queue: a list, one with what its words
// mean and what checks say of it now, and what it looks like on paper.
import { fail } from '../../../errors.js'
import { isUuid } from '../../../lib/id.js'
import type { Market } from '../../../market/contract.js'
import type { StoredItem } from '../../../model/journal.js'
import type { Store } from '../../../store/client.js'
import {
  findPlace,
  type ListedItem,
  listItems,
  type Neighbour,
  neighboursOf,
  newestReceipt,
  type QueuePlace,
  type ReceiptDay,
  receiptDays,
} from '../../../store/event/fleet/receipts.js'
import { itemsBetween } from '../../../store/journal/journal-items.js'
import { findKept, type IssuedReceipt } from '../../../store/receipt/issued.js'
import type { OtherLanguage } from '../../../verify/contract.js'
import { brandingOf } from '../../receipts/branding/branding.js'
import type { Check, CheckedPlace } from './checks.js'
import { type ReadWord, wordsOf } from './words.js'

export interface ReceiptDeskDeps {
  store: Store
  marketOf(code: string): Market
  now(): Date
  /** Has checksOf do it, beside the signing. */
  checksOf(place: CheckedPlace): Promise<Check[]>
}

export interface Asked {
  accountId: string
  queueId: string
}

export interface SeenReceipt {
  place: QueuePlace
  item: StoredItem
  words: ReadWord[]
  checks: Check[]
  previous: Neighbour | null
  next: Neighbour | null
}

export interface ReceiptDesk {
  /** The newest first. Throws QUEUE_UNKNOWN. */
  list(asked: Asked & { before: bigint | undefined; limit: number }): Promise<ListedItem[]>
  /** Throws QUEUE_UNKNOWN, RECEIPT_UNKNOWN. */
  look(asked: Asked & { id: string; language: OtherLanguage | 'en' }): Promise<SeenReceipt>
  /** As it is shown on paper. Throws as `look`; RECEIPT_UNKNOWN while it has no answer. */
  shown(asked: Asked & { id: string }): Promise<IssuedReceipt>
  /** The newest one of a merchant; undefined: there is none yet. */
  newest(accountId: string): Promise<IssuedReceipt | undefined>
  /** How many a merchant has made on each of the last days of its country, today last. */
  days(merchant: { id: string; market: string }, days: number): Promise<ReceiptDay[]>
}

export function createReceiptDesk(deps: ReceiptDeskDeps): ReceiptDesk {
  const { store } = deps
  const placeOf = async (asked: Asked): Promise<QueuePlace> => {
    const place = isUuid(asked.queueId) ? await findPlace(store, asked) : undefined
    if (place === undefined) throw fail('QUEUE_UNKNOWN', { queue: asked.queueId })
    return place
  }
  const itemOf = async (place: QueuePlace, id: string): Promise<StoredItem> => {
    for await (const [item] of isUuid(id) ? itemAt(store, place, id) : []) {
      if (item !== undefined) return item
    }
    throw fail('RECEIPT_UNKNOWN', { queue: place.queueId, item: id })
  }
  const shown: ReceiptDesk['shown'] = async ({ id, ...asked }) => {
    const place = await placeOf(asked)
    const { response } = await itemOf(place, id)
    const { cashBoxId } = place
    const key = { ...place, queueItemId: id, cashBoxId: cashBoxId ?? '' }
    const kept = response === null || cashBoxId === null ? undefined : await findKept(store, key)
    if (kept === undefined) throw fail('RECEIPT_UNKNOWN', { queue: place.queueId, item: id })
    return { ...kept, branding: await brandingOf(store, kept) }
  }
  return {
    list: async (asked) => listItems(store, await placeOf(asked), asked),
    look: async ({ id, language, ...asked }) => {
      const place = await placeOf(asked)
      const item = await itemOf(place, id)
      const market = deps.marketOf(place.market)
      return {
        ...{ place, item, words: wordsOf(market, item, language) },
        checks: await deps.checksOf({ key: place, market: place.market, item, language }),
        ...(await neighboursOf(store, place, item.row)),
      }
    },
    shown,
    days: ({ id, market }, days) => {
      const { zone } = deps.marketOf(market).facts
      return receiptDays(store, id, { zone, days, now: deps.now() })
    },
    newest: async (accountId) => {
      const found = await newestReceipt(store, accountId)
      return found === undefined ? undefined : shown({ accountId, ...found })
    },
  }
}

const itemAt = (store: Store, place: QueuePlace, end: number | string) =>
  itemsBetween(store, place, { from: end, to: end })
