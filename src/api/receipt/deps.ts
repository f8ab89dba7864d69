// What group E needs from the outside. Put together by src/deps.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GuestDeps } from '../../core/receipts/guest.js'
import type { RetrievalNotes } from '../../core/receipts/journal.js'
import type { PassDeps } from '../../core/receipts/wallet/pass.js'
import type { AddressDeps } from '../shared/receipt-address.js'
import type { SettingsRouteDeps } from './settings.js'

export interface ReceiptDeps extends GuestDeps, SettingsRouteDeps {
  rendering: GuestDeps['rendering'] & PassDeps['rendering']
  address: AddressDeps
  retrievals: Pick<RetrievalNotes, 'soon'>
  /** Words within user agents that fetch previews of links; lower case. */
  robots: readonly string[]
  /** `c` needs a signature. */
  requireSignature: boolean
  /** Apps take receipts at https addresses only. */
  production: boolean
}

/** What the app hands to the group beside its own needs. */
export interface ReceiptFrame {
  /** Refusals as ProblemBody. */
  refuse: Parameters<FastifyInstance['setErrorHandler']>[0]
  /** The first page of the server, for browsers that bring no link. */
  front(): { page: string; policy: string }
  /** Answers a browser that asks for a page of elsewhere; undefined: it has not asked. */
  preflight(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
}
