// What the files of this folder share: what they work with, and who asks.
import type { Culture, Language } from '../../../lib/language.js'
import { cultureOf, ENGLISH } from '../../../lib/language.js'
import type { MarketFacts } from '../../../market/facts.js'
import type { Store } from '../../../store/client.js'
import type { Actor } from '../../audit/audit.js'
import type { AccountIdentity } from '../account-credentials.js'

export interface InvitationDeps {
  store: Store
  now(): Date
  factsOf(market: string): MarketFacts | undefined
  /** The agreement that PosOperators sign; undefined: the text of this program. */
  agreement: string | undefined
  log: {
    info(details: object, message: string): void
    error(details: object, message: string): void
  }
}

/** Who asks for something, in which language, and where the outside sees this server. */
export interface Caller {
  actor: Actor
  account: AccountIdentity
  culture: Culture
  /** `https://fiskalwerk.example`, without a slash at the end. */
  base: string
}

/** In which people of a market are written to. */
export function languageOf({ factsOf }: Pick<InvitationDeps, 'factsOf'>, market: string): Language {
  const usual = factsOf(market)?.culture
  return ((usual === undefined ? undefined : cultureOf(usual)) ?? ENGLISH).language
}
