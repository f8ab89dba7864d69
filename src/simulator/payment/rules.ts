// Amounts that mean something: a register's programmer gets every end of a payment by typing a
// number.

import { printedAmount } from '../../device/payment/currency.js'
import { ANY_TERMINAL, type PaymentAction, type PaymentOrder } from '../../device/payment/order.js'
import { Decimal } from '../../lib/decimal.js'

export type TestResult = 'SUCCESS' | 'DECLINED' | 'CANCELLED' | 'TIMEOUT'

export interface TestRule {
  result: TestResult
  /** Before the result, in milliseconds; DUMMY_PAYMENT_TIME_SCALE shortens it. */
  delayMs: number
  /** Beside the amount. */
  tip?: Decimal
  /** Less than was asked for. */
  approved?: Decimal
}

const MINUTE_MS = 60_000
const success: TestRule = { result: 'SUCCESS', delayMs: 0 }

const rules: readonly (readonly [amount: string, rule: TestRule, told: string])[] = [
  ['30000.10', { result: 'DECLINED', delayMs: 0 }, 'declined'],
  ['30000.20', { result: 'TIMEOUT', delayMs: 5_000 }, 'time-out after 5 seconds'],
  ['30000.40', { result: 'CANCELLED', delayMs: 0 }, 'cancelled by the user'],
  ['30000.50', { ...success, tip: Decimal.of('2.00') }, 'paid with a tip of 2.00'],
  ['30000.60', { ...success, delayMs: MINUTE_MS }, 'paid after 1 minute'],
  ['30000.70', { ...success, delayMs: 3 * MINUTE_MS }, 'paid after 3 minutes'],
  ['30000.80', { ...success, delayMs: 6 * MINUTE_MS }, 'paid after 6 minutes'],
  ['30000.90', { ...success, approved: Decimal.of('15000.50') }, 'only 15000.50 is approved'],
]

/** For people who want to try them. */
export const TEST_AMOUNTS = rules.map(([amount, , told]) => [amount, told] as const)

/** The sign of the amount does not count. Nobody is asked for a tip when money goes back. */
export function testRuleOf(action: PaymentAction, amount: Decimal): TestRule {
  const size = amount.isNegative ? amount.negated() : amount
  const [, rule] = rules.find(([text]) => Decimal.of(text).equals(size)) ?? ['', success]
  if (action === 'payment' || rule.tip === undefined) return rule
  return { result: rule.result, delayMs: rule.delayMs }
}

/** `charged` and `tip` of a success, with the sign of the amount. */
export function testAmounts(amount: Decimal, rule: TestRule): { charged: Decimal; tip: Decimal } {
  const { tip = Decimal.ZERO, approved } = rule
  if (approved === undefined) return { charged: amount.plus(tip), tip }
  return { charged: amount.isNegative ? approved.negated() : approved, tip }
}

const TITLES: Record<PaymentAction, string> = {
  payment: 'TEST PAYMENT',
  refund: 'TEST REFUND',
  cancel: 'TEST CANCELLATION',
}

export function testReceipt(
  order: Pick<PaymentOrder, 'action' | 'currency' | 'terminalId' | 'operationId'>,
  { charged, tip }: { charged: Decimal; tip: Decimal },
): string[] {
  const printed = (amount: Decimal) => `${printedAmount(amount, order.currency)} ${order.currency}`
  return [
    `** ${TITLES[order.action]} **`,
    `Amount: ${printed(charged)}`,
    ...(tip.isZero ? [] : [`Tip: ${printed(tip)}`]),
    '',
    ...(['', ANY_TERMINAL].includes(order.terminalId) ? [] : [`Terminal: ${order.terminalId}`]),
    `Operation: ${order.operationId}`,
    'APPROVED',
  ]
}

/** For people, in the answer of a payment that did not come about. */
export const testReasons: Record<Exclude<TestResult, 'SUCCESS'>, string> = {
  DECLINED: 'this amount is declined by the test rules',
  CANCELLED: 'this amount is cancelled by the test rules, as if by the user',
  TIMEOUT: 'this amount is never answered by the test rules',
}
