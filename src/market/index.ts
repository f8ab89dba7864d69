// The table of countries: the only place that knows which there are.
// The core and the groups reach a country through marketOf.

import { austria } from './at/index.js'
import type { Market } from './contract.js'
import { germany } from './de/index.js'
import type { MarketFacts } from './facts.js'

export const markets = { AT: austria, DE: germany } satisfies Record<string, Market>

export type MarketCode = keyof typeof markets

export function isMarketCode(code: string): code is MarketCode {
  return Object.hasOwn(markets, code)
}

/** The market of a stored queue or signing unit. Throws for a code that is not in the table. */
export function marketOf(code: string): Market {
  if (!isMarketCode(code)) throw new Error(`there is no market ${code}`)
  return markets[code]
}

/** Facts of a country by its letters; undefined for one that is not in the table. */
export function factsOf(code: string): MarketFacts | undefined {
  return isMarketCode(code) ? markets[code].facts : undefined
}
