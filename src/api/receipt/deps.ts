// What group E needs from the outside. Put together by src/deps.ts.
import type { RetrievalNotes } from '../../core/issue/journal.js'
import type { ActionDeps } from '../../core/issue/perform.js'
import type { IssuedReceipt } from '../../store/issued.js'
import type { FailureLimit } from '../shared/failure-limit.js'
import type { AddressDeps } from '../shared/receipt-address.js'

export interface ReceiptDeps extends ActionDeps {
  address: AddressDeps
  retrievals: Pick<RetrievalNotes, 'soon'>
  /** Words within user agents that fetch previews of links; lower case. */
  robots: readonly string[]
  failures: FailureLimit
  /** `c` needs a signature. */
  requireSignature: boolean
  /** Apps take receipts at https addresses only. */
  production: boolean
  /**
   * The app to which readers of this receipt are sent (feedbackRedirectAppId of its settings);
   * undefined: to none.
   */
  redirectAppOf(receipt: IssuedReceipt): Promise<string | undefined>
}

/** What the app hands to the group beside its own needs. */
export interface ReceiptFrame {
  /** Refusals as ProblemBody. */
  refuse: Parameters<import('fastify').FastifyInstance['setErrorHandler']>[0]
  /** The first page of the server, for browsers that bring no link. */
  front(): { page: string; policy: string }
}
