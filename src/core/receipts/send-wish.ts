// What a call asks for that wants a receipt sent to a customer.
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import type { DeliveryKind } from './delivery.js'

/** What the caller asks for, as it stands in the body. */
export interface SendWish {
  receipt: IssuedReceipt
  /** Target.Scheme */
  scheme: string
  /** Target.Address */
  address: string
  /** Target.Attach; undefined: none. */
  attach: string | undefined
  /** Target.Send; false: checked and stored only. */
  send: boolean
  /** Public address of the receipt. */
  link: string
  /** Accept-Language of the call; undefined: the one of the market, or of the merchant. */
  languages: string | undefined
  actor: SendActor
}

/** Who asked for it; told by the deliveries once the message was taken. */
export interface SendActor {
  kind: Exclude<DeliveryKind, 'robot'>
  appId: string | undefined
  userAgent: string | undefined
  /** Network address. */
  address: string
}
