// Finds issued receipts and says how they are to be shown. Called by api/possystem and api/receipt.
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { JsonObject, objectIn, parseJson } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import type { MarketFacts } from '../../market/market.js'
import { textIn } from '../../model/json-members.js'
import type { PublishedPair } from '../../render/view.js'
import type { CashBoxAccess } from '../../store/cashboxes.js'
import { reaching, type Store } from '../../store/client.js'
import { findIssued, findPublished, type IssuedReceipt } from '../../store/issued.js'
import { PAIR_DEPTH } from './pair.js'

export interface Address {
  queueId: string
  queueItemId: string
}

/** As the cash box sees it that published it. Throws RECEIPT_UNKNOWN. */
export async function issuedBy(
  store: Store,
  access: CashBoxAccess,
  address: Address,
): Promise<IssuedReceipt> {
  const { accountId, cashBoxId } = access
  return found(address, (key) => findIssued(store, { accountId, cashBoxId, ...key }))
}

/** For whoever has the address. Throws RECEIPT_UNKNOWN. */
export async function published(store: Store, address: Address): Promise<IssuedReceipt> {
  return found(address, (key) => findPublished(store, key))
}

async function found(
  { queueId, queueItemId }: Address,
  find: (key: Address) => Promise<IssuedReceipt | undefined>,
): Promise<IssuedReceipt> {
  const key = { queueId: queueId.toLowerCase(), queueItemId: queueItemId.toLowerCase() }
  const known = isUuid(key.queueId) && isUuid(key.queueItemId)
  const receipt = known ? await reaching(() => find(key)) : undefined
  if (receipt !== undefined) return receipt
  throw fail('RECEIPT_UNKNOWN', { queue: queueId.slice(0, 40), item: queueItemId.slice(0, 40) })
}

/** The pair as one JSON text, every number as it was written. */
export function pairText({ request, response }: IssuedReceipt): string {
  const parts = { ReceiptRequest: objectFrom(request), ReceiptResponse: objectFrom(response) }
  return writeJson(parts)
}

function objectFrom(text: string): JsonObject {
  const value = parseJson(text, { trailingComma: true, depth: PAIR_DEPTH })
  return value instanceof JsonObject ? value : new JsonObject()
}

/**
 * What a page shows of a receipt, in whatever format. `factsOf` gives nothing for a country that
 * this server does not know.
 */
export function pairOf(
  receipt: IssuedReceipt,
  factsOf: (market: string) => MarketFacts | undefined,
): PublishedPair {
  const facts = factsOf(receipt.market)
  return {
    request: objectFrom(receipt.request),
    response: objectFrom(receipt.response),
    verified: receipt.verified,
    merchant: merchantOf(receipt),
    country: receipt.accountCountry,
    zone: facts?.zone ?? 'UTC',
    currency: facts?.currency ?? 'EUR',
  }
}

function merchantOf({ accountName, outletName, outletDetails }: IssuedReceipt): string[] {
  const details = objectIn(outletDetails) ?? new JsonObject()
  const place = [textIn(details, 'zip'), textIn(details, 'city')].join(' ').trim()
  const outlet = outletName === accountName ? '' : (outletName ?? '')
  const lines = [accountName, outlet, textIn(details, 'street'), place]
  return lines.filter((line) => line !== '')
}
