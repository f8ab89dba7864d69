// A payment as an operation carries it.
import type { PayRequest } from '../../device/payment/order.js'
import type { PaymentBox } from '../../store/operation/payments.js'

export interface PaymentCall extends PaymentBox {
  operationId: string
  /** Of the queue whose country the items get. */
  market: string
  request: PayRequest
}
