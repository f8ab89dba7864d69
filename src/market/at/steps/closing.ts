// Monthly and yearly receipts (Monatsbeleg, Jahresbeleg): they print the counter, settle a period.
// Chosen by process.ts.

import { addAction, priority } from '../../kit/draft.js'
import { isRefusal, type Refusal } from '../../kit/refusal.js'
import { stateBits } from '../case-words.js'
import { notify } from '../notifications.js'
import { addText, type ReceiptDraft } from '../receipt-draft.js'
import { actions, captions } from '../text.js'
import { ignoresItems, refuseFlags, signZero } from './guard.js'

const DECEMBER = 12

/** Good enough as "failed" receipt (§ 8 RKSV). */
export async function monthly(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const refusal = refuseFlags(draft, 'monthly')
  if (refusal !== undefined || ignoresItems(draft, 'monthly')) return refusal
  const result = await signZero(draft)
  if (isRefusal(result)) return result
  if (result.kind === 'unsigned') return undefined
  const month = draft.state.lastSettlementMonth
  addText(draft, `${captions.monthly} #${month}`, counterText(draft))
  settle(draft)
  draft.bits &= ~stateBits.monthlyDue
  const message = actions.monthly(month)
  addAction(draft, { priority: priority.information, type: 'MonthlyReceipt', message })
  return undefined
}

/** Has to be signed; as "failed" receipt it stays due. */
export async function yearly(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const refusal = refuseFlags(draft, 'yearly')
  if (refusal !== undefined || ignoresItems(draft, 'yearly')) return refusal
  const result = await signZero(draft)
  if (isRefusal(result)) return result
  const queueId = draft.input.queue.id
  if (result.kind !== 'signed') {
    const message = actions.yearlyFailed(queueId)
    addAction(draft, { priority: priority.warning, type: 'YearlyNotSigned', message })
    return undefined
  }
  addText(draft, captions.yearly, counterText(draft))
  draft.notifications.push(notify(draft, { kind: 'verification', jws: result.jws }))
  settle(draft)
  draft.bits &= ~(stateBits.yearlyDue | stateBits.monthlyDue)
  const message = actions.yearly(queueId)
  addAction(draft, { priority: priority.information, type: 'YearlyReceipt', message })
  return undefined
}

function counterText({ state }: ReceiptDraft): string {
  return state.cashTotalizer.replace('.', ',')
}

function settle({ state, input }: ReceiptDraft): void {
  state.lastSettlementMoment = input.moment.getTime()
  state.lastSettlementQueueItemId = input.receipt.id
  state.lastSettlementMonth = (state.lastSettlementMonth % DECEMBER) + 1
}
