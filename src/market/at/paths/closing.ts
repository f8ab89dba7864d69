// Monthly and yearly receipts (Monatsbeleg, Jahresbeleg): they print the counter, settle a period.
// Chosen by process.ts.
import { notify } from '../notifications.js'
import { isRefusal, type Refusal } from '../refusal.js'
import { actions, captions } from '../text.js'
import { addAction, addText, priority, type Turn } from '../turn.js'
import { stateBits } from '../words.js'
import { ignoresItems, refuseFlags, signZero } from './guard.js'

const DECEMBER = 12

/** Good enough as "failed" receipt (§ 8 RKSV). */
export async function monthly(turn: Turn): Promise<Refusal | undefined> {
  const refusal = refuseFlags(turn, 'monthly')
  if (refusal !== undefined || ignoresItems(turn, 'monthly')) return refusal
  const result = await signZero(turn)
  if (isRefusal(result)) return result
  if (result.kind === 'unsigned') return undefined
  const month = turn.state.lastSettlementMonth
  addText(turn, `${captions.monthly} #${month}`, counterText(turn))
  settle(turn)
  turn.bits &= ~stateBits.monthlyDue
  const message = actions.monthly(month)
  addAction(turn, { priority: priority.information, type: 'MonthlyReceipt', message })
  return undefined
}

/** Has to be signed; as "failed" receipt it stays due. */
export async function yearly(turn: Turn): Promise<Refusal | undefined> {
  const refusal = refuseFlags(turn, 'yearly')
  if (refusal !== undefined || ignoresItems(turn, 'yearly')) return refusal
  const result = await signZero(turn)
  if (isRefusal(result)) return result
  const queueId = turn.input.queue.id
  if (result.kind !== 'signed') {
    const message = actions.yearlyFailed(queueId)
    addAction(turn, { priority: priority.warning, type: 'YearlyNotSigned', message })
    return undefined
  }
  addText(turn, captions.yearly, counterText(turn))
  turn.notifications.push(notify(turn, { kind: 'verification', jws: result.jws }))
  settle(turn)
  turn.bits &= ~(stateBits.yearlyDue | stateBits.monthlyDue)
  const message = actions.yearly(queueId)
  addAction(turn, { priority: priority.information, type: 'YearlyReceipt', message })
  return undefined
}

function counterText({ state }: Turn): string {
  return state.cashTotalizer.replace('.', ',')
}

function settle({ state, input }: Turn): void {
  state.lastSettlementMoment = input.moment.getTime()
  state.lastSettlementQueueItemId = input.item.id
  state.lastSettlementMonth = (state.lastSettlementMonth % DECEMBER) + 1
}
