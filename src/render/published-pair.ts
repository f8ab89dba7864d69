// What the renderers get of a published receipt.

import type { PageRules } from '../case/traits.js'
import type { JsonObject } from '../lib/json.js'
import type { Branding } from '../model/branding.js'
import type { GuestNote } from './guest.js'

/** A published pair and what the server knows besides it. */
export interface PublishedPair {
  request: JsonObject
  response: JsonObject
  /** False for a pair that somebody sent: nobody vouches for it. */
  verified: boolean
  /** Name first, then its address. */
  merchant: string[]
  country: string
  /** Legal time zone of the queue. */
  zone: string
  currency: string
  /** Of the country; left out: there are none. */
  rules?: PageRules | undefined
  /** What the merchant has set; left out: nothing. */
  branding?: Branding | undefined
  /** True for a copy of a receipt that was handed out before. */
  copy?: boolean
  /** What a guest has typed for this copy. */
  guest?: GuestNote | undefined
}
