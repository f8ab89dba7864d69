// Receipts, invoices, orders and protocols: a transaction of their own, or the end of one.
import { Decimal } from '../../../lib/decimal.js'
import { addAction, priority } from '../../kit/draft.js'
import { type Refusal, refuse } from '../../kit/refusal.js'
import { processTypes } from '../cases.js'
import { effectiveAmount, effectivePayAmount } from '../item-cases.js'
import { addTraining, identify, type ReceiptDraft } from '../receipt-draft.js'
import { addActionStart, addBusiness } from '../signatures.js'
import { openOf } from '../state.js'
import { actions, refusals } from '../text.js'
import { endTransaction, wholeTransaction } from '../transactions.js'
import { withTse } from './guard.js'

export async function business(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const open = draft.implicit ? undefined : openOf(draft.state, draft.reference)
  if (!draft.implicit && open === undefined) {
    return refuse(refusals.noTransaction(draft.reference), 'cbReceiptReference')
  }
  noteDifference(draft)
  return withTse(draft, async () => {
    const finished =
      open === undefined ? await wholeTransaction(draft) : await endTransaction(draft, open)
    identify(draft, finished.finish.transactionNumber)
    addBusiness(draft, finished)
    if (draft.reading.processType === processTypes.receipt) addActionStart(draft)
    addTraining(draft)
  })
}

/** Charge and pay items should have the same sum; a receipt without one kind of them cannot. */
function noteDifference(draft: ReceiptDraft): void {
  const { charges, pays } = draft.reading
  if (charges.length === 0 || pays.length === 0) return
  const { ZERO } = Decimal
  const charged = charges.reduce((sum, one) => sum.plus(effectiveAmount(one.item, one.flags)), ZERO)
  const paid = pays.reduce(
    (sum, one) => sum.plus(effectivePayAmount(one.code, one.item, one.flags)),
    ZERO,
  )
  if (charged.equals(paid)) return
  const message = actions.sumsDiffer(charged.toString(), paid.toString())
  addAction(draft, { priority: priority.information, type: 'SumsDiffer', message })
}
