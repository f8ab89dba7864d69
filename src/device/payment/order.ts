// What a payment terminal is asked for and what it answers, whoever makes it.

import type { Decimal } from '../../lib/decimal.js'
import type { OutboundCall } from '../outbound.js'

export const paymentActions = ['payment', 'refund', 'cancel'] as const
export type PaymentAction = (typeof paymentActions)[number]

/** What stands for "no particular terminal". */
export const ANY_TERMINAL = 'undefined'

/** Where an earlier payment is named: each may be missing, the first that is known counts. */
export interface OriginalNames {
  /** ftPayItemId */
  itemId: string | undefined
  /** MoneyBarcode, then OperationID of the terminal's answer. */
  references: readonly string[]
}

/** PayRequest, read and checked. */
export interface PayRequest {
  action: PaymentAction
  /** As it was asked for: the answer repeats it. */
  requestedProtocol: string
  /** `use_auto` or the name of a provider. */
  protocol: string
  description: string
  /** Above zero for a payment, below zero for a refund and a cancellation. */
  amount: Decimal
  /** ISO 4217; undefined: that of the country. */
  currency: string | undefined
  terminalId: string
  original: OriginalNames
}

export interface PaymentOrder {
  /** Unique per payment; the terminal carries out each only once. */
  operationId: string
  action: PaymentAction
  /** As in PayRequest. */
  amount: Decimal
  /** ISO 4217 */
  currency: string
  description: string
  terminalId: string
  /** operationId of the payment that is refunded or cancelled, where it is known. */
  originalId: string | undefined
}

export interface PaymentResult {
  /** What the card was charged, tip included; the sign is that of the order. */
  charged: Decimal
  /** Part of `charged`; zero without. */
  tip: Decimal
  /** What was sent to the terminal and what it answered, for the item's case data. */
  request: object
  response: object
  /** The card receipt, one entry per printed line. */
  receipt: readonly string[]
}

/** The wish of a register that a payment stops. */
export interface StopWish {
  readonly asked: boolean
  /** Resolves when it is asked for, each time anew; at once when it was asked for in between. */
  next(): Promise<void>
  /** The terminal goes on, whoever asked is told so; it may ask again. */
  refuse(): void
}

/** What a payment may use while it runs. */
export interface PaymentRun {
  fetch: OutboundCall
  /** Rejects when `signal` ends it, or `ended`. */
  sleep(milliseconds: number, ended?: AbortSignal): Promise<void>
  /** The server stops; but for the wish of the register nothing else ends a payment early. */
  signal: AbortSignal
  /** The register wants it to stop; for providers that can. */
  stop: StopWish
}

type Carry = (order: PaymentOrder, run: PaymentRun) => Promise<PaymentResult>

/**
 * One terminal. What it cannot do is missing. Throws PAYMENT_DECLINED, PAYMENT_CANCELLED and
 * PAYMENT_TIMEOUT for an end without money moved, PAYMENT_LOST where nobody knows.
 */
export interface PaymentProvider {
  payment: Carry
  refund?: Carry
  cancel?: Carry
  /** It passes `run.stop` on to its terminal, and says what came of it by its end, or refuses. */
  stops?: boolean
}

/** A row of the table of terminals. */
export interface Terminal {
  /** Null: the test terminal that every CashBox of the sandbox has. */
  id: string | null
  /** cbTerminalID that it serves; null: any, and none. */
  filter: string | null
  provider: string
  url: string | null
}
