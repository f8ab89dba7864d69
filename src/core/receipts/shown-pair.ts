// What is shown of an issued receipt: its pair with what the server knows besides.
import { JsonObject, LENIENT, objectIn, parseJson } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import type { MarketFacts } from '../../market/facts.js'
import { type Branding, NO_BRANDING } from '../../model/branding.js'
import { textIn } from '../../model/json-members.js'
import type { PublishedPair } from '../../render/view.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import { PAIR_DEPTH } from './pair.js'

/** The pair as one JSON text, every number as it was written. */
export function pairText({ request, response }: IssuedReceipt): string {
  const parts = { ReceiptRequest: objectFrom(request), ReceiptResponse: objectFrom(response) }
  return writeJson(parts)
}

function objectFrom(text: string): JsonObject {
  const value = parseJson(text, { ...LENIENT, depth: PAIR_DEPTH })
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
    rules: facts?.page,
    branding: receipt.branding,
  }
}

/** What the merchant has set; else the outlet of the cash box, and the account. */
function merchantOf(receipt: IssuedReceipt): string[] {
  const { accountName, outletName, branding = NO_BRANDING } = receipt
  const { name, vatId } = branding
  const outlet = name !== '' || outletName === accountName ? '' : (outletName ?? '')
  const lines = [name || accountName, outlet, ...addressOf(receipt, branding), vatId]
  return lines.filter((line) => line !== '')
}

/** One or the other as a whole: a street of here and a town of there would be nowhere. */
function addressOf({ outletDetails }: IssuedReceipt, branding: Branding): string[] {
  const { street, postalCode, city } = branding
  if (`${street}${postalCode}${city}` !== '') return [street, `${postalCode} ${city}`.trim()]
  const details = objectIn(outletDetails) ?? new JsonObject()
  const place = [textIn(details, 'zip'), textIn(details, 'city')].join(' ').trim()
  return [textIn(details, 'street'), place]
}
