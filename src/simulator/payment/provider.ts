// The test provider: a terminal without money, for the sandbox only.
import type {
  PaymentOrder,
  PaymentProvider,
  PaymentResult,
  PaymentRun,
} from '../../device/payment/order.js'
import { failedWith, numberOf } from '../../device/payment/result.js'
import { testAmounts, testReasons, testReceipt, testRuleOf } from './rules.js'

/** scale: DUMMY_PAYMENT_TIME_SCALE. */
export function createTestProvider(scale: number): PaymentProvider {
  const carry = async (order: PaymentOrder, run: PaymentRun): Promise<PaymentResult> => {
    const rule = testRuleOf(order.action, order.amount)
    await waitUnlessStopped(run, rule.delayMs * scale)
    if (rule.result !== 'SUCCESS') throw failedWith(rule.result, testReasons[rule.result])
    const amounts = testAmounts(order.amount, rule)
    const { operationId: OperationID, terminalId: cbTerminalID } = order
    return {
      ...amounts,
      request: { OperationID, Amount: numberOf(order.amount), cbTerminalID },
      response: { OperationID, Amount: numberOf(amounts.charged), Result: rule.result },
      receipt: testReceipt(order, amounts),
    }
  }
  return { payment: carry, refund: carry, cancel: carry, stops: true }
}

/** The time in which a guest would hold a card to the terminal. */
async function waitUnlessStopped(run: PaymentRun, milliseconds: number): Promise<void> {
  const over = new AbortController()
  const wait = run.sleep(milliseconds, over.signal).then(() => 'over' as const)
  const first = await Promise.race([wait, run.stop.next().then(() => 'stopped' as const)])
  if (first === 'over') return
  over.abort()
  await Promise.allSettled([wait])
  throw failedWith('CANCELLED', 'the register has stopped it')
}
