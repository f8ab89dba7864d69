// Receipts, invoices, orders and protocols: a transaction of their own, or the end of one.
// Chosen by process.ts for everything that is no operation of the queue itself.
import { Decimal } from '../../../lib/decimal.js'
import { processTypes } from '../cases.js'
import { effectiveAmount, effectivePayAmount } from '../item-cases.js'
import { type Refusal, refuse } from '../refusal.js'
import { addActionStart, addBusiness } from '../signatures.js'
import { openOf } from '../state.js'
import { actions, refusals } from '../text.js'
import { endTransaction, wholeTransaction } from '../transactions.js'
import { addAction, addTraining, identify, priority, type Turn } from '../turn.js'
import { withTse } from './guard.js'

export async function business(turn: Turn): Promise<Refusal | undefined> {
  const open = turn.implicit ? undefined : openOf(turn.state, turn.reference)
  if (!turn.implicit && open === undefined) {
    return refuse(refusals.noTransaction(turn.reference), 'cbReceiptReference')
  }
  noteDifference(turn)
  return withTse(turn, async () => {
    const finished =
      open === undefined ? await wholeTransaction(turn) : await endTransaction(turn, open)
    identify(turn, finished.finish.transactionNumber)
    addBusiness(turn, finished)
    if (turn.reading.processType === processTypes.receipt) addActionStart(turn)
    addTraining(turn)
  })
}

/** Charge and pay items should have the same sum; a receipt without one kind of them cannot. */
function noteDifference(turn: Turn): void {
  const { charges, pays } = turn.reading
  if (charges.length === 0 || pays.length === 0) return
  const { ZERO } = Decimal
  const charged = charges.reduce((sum, one) => sum.plus(effectiveAmount(one.item, one.flags)), ZERO)
  const paid = pays.reduce(
    (sum, one) => sum.plus(effectivePayAmount(one.code, one.item, one.flags)),
    ZERO,
  )
  if (charged.equals(paid)) return
  const message = actions.sumsDiffer(charged.toString(), paid.toString())
  addAction(turn, { priority: priority.information, type: 'SumsDiffer', message })
}
