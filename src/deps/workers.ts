// What works behind the groups, and what nearly every part of it asks for.
import type { Logger } from 'pino'
import type { Pump } from '../core/event/pump.js'
import type { SendDeps } from '../core/message/send.js'
import type { Operations } from '../core/operation/operation.js'
import type { Payments } from '../core/payment/payments.js'
import type { Feed } from '../core/receipts/instore-events.js'
import type { RetrievalNotes } from '../core/receipts/journal.js'
import type { Rendering } from '../core/receipts/rendering.js'
import type { SalesDeps } from '../core/sales/sales.js'
import type { SignDeps } from '../core/sign/job.js'
import type { Signing } from '../core/sign/sign.js'
import type { Besides } from './beside/beside.js'

/** What nearly every part asks for. */
export type Common = Pick<SignDeps, 'store' | 'now' | 'marketOf' | 'tools' | 'sandbox' | 'software'>

/** What works behind the groups. */
export interface Workers {
  common: Common
  signing: Signing
  operations: Operations
  payments: Payments
  retrievals: RetrievalNotes
  feed: Feed
  pump: Pump
  rendering: Rendering
  /** Of the action that sends a receipt to a customer. */
  send: SendDeps
  sales: SalesDeps
  beside: Besides
  log: Logger
}
