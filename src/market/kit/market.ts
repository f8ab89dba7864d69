// A country whose words are of version 2 only, as one entry of the table of markets.
import type { PageRules } from '../../case/traits.js'
import type { Auditor, Market, QueueRules, StatusName } from '../contract.js'
import { type MarketFacts, NO_CAPABILITIES } from '../facts.js'
import { seeking } from './draft.js'

interface Parts<S, D> extends Omit<Market<S, D>, 'facts' | 'queue' | 'audit'> {
  facts: Omit<MarketFacts, 'capabilities' | 'page'>
  page: PageRules
  queue: Omit<QueueRules<S>, 'lookUp'>
  /** What the law asks for beside the receipts that a request names. */
  lookUp: Parameters<typeof seeking>[0]
  /** Journal types that give the status. */
  isStatus: StatusName['matches']
  auditorOf(state: S): Auditor
}

export function marketOf<S, D>(parts: Parts<S, D>): Market<S, D> {
  const { facts, page, queue, lookUp, isStatus, exports, auditorOf, ...rest } = parts
  return {
    ...rest,
    facts: { ...facts, capabilities: { ...NO_CAPABILITIES, unitDescriptions: true }, page },
    queue: { ...queue, lookUp: seeking(lookUp) },
    exports: [{ isStatus: true, matches: isStatus }, ...exports],
    audit: (_queue, state) => auditorOf(state),
  }
}
