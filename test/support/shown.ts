// Published pairs for tests of what a shown receipt says.
import { JsonObject, parseJson } from '../../src/lib/json.js'
import { factsOf } from '../../src/market/index.js'
import { type PublishedPair, type ReceiptView, viewOf } from '../../src/render/view.js'
import type { Language } from '../../src/render/words.js'

export function objectOf(text: string): JsonObject {
  const value = parseJson(text)
  if (value instanceof JsonObject) return value
  throw new Error('expected an object')
}

export interface ShownPair {
  request?: string
  response?: string
  country?: string
}

/** A pair of a merchant in a country; JSON texts without ids. */
export function publishedPair({ request = '{}', response = '{}', country = 'AT' }: ShownPair = {}) {
  const facts = factsOf(country)
  const pair: PublishedPair = {
    request: objectOf(request),
    response: objectOf(response),
    verified: true,
    merchant: ['Café Zentral', 'Ringstraße 1', '1010 Wien'],
    country,
    zone: facts?.zone ?? 'UTC',
    currency: 'EUR',
    rules: facts?.page,
  }
  return pair
}

export function shown(pair: ShownPair, language: Language = 'de'): ReceiptView {
  return viewOf(publishedPair(pair), language)
}

/** Words of version 2: `CCCC_2000_gggg_xxxx` of a country and the low half. */
export const austrian = (low: bigint): string => String(0x4154_2000_0000_0000n | low)
export const german = (low: bigint): string => String(0x4445_2000_0000_0000n | low)
