// Why a receipt is signed and counted, as the sandbox shows it: items and ftStateData. Does nothing
// in production.
import type { Decision } from './decision.js'
import { hint, type ReceiptDraft } from './receipt-draft.js'
import { explanations, signAndCount } from './text.js'

/** Zero, start, stop, monthly and yearly receipts: signed and counted whatever they hold. */
export function explainZero(draft: ReceiptDraft): void {
  if (!draft.input.tools.sandbox) return
  const data = signAndCount(true, true)
  if (draft.configuration.SignAll) draft.explanations.push(hint(draft, explanations.signAll, data))
  draft.explanations.push(hint(draft, explanations.zero, data))
  setStateData(draft, {
    Number: -1,
    Exception: '',
    Signing: true,
    Counting: true,
    ZeroReceipt: true,
  })
}

export function explainSignAll(draft: ReceiptDraft, counting: boolean): void {
  if (!draft.input.tools.sandbox) return
  draft.explanations.push(hint(draft, explanations.signAll, signAndCount(true, counting)))
  const data = { Number: -1, Exception: '', Signing: true, Counting: counting, ZeroReceipt: false }
  setStateData(draft, data)
}

export function explainDecision(draft: ReceiptDraft, decision: Decision): void {
  if (!draft.input.tools.sandbox) return
  const { number, table, effects, label } = decision
  const verdict = signAndCount(table.sign, table.count)
  draft.explanations.push(hint(draft, `${explanations.decision} ${number}`, verdict))
  for (const { exception, sign, count } of effects) {
    const caption = `${explanations.exception} ${exception}`
    draft.explanations.push(hint(draft, caption, signAndCount(sign, count)))
  }
  setStateData(draft, {
    Number: number,
    Exception: label,
    Signing: decision.sign,
    Counting: decision.count,
    ZeroReceipt: false,
  })
}

interface StateData {
  Number: number
  Exception: string
  Signing: boolean
  Counting: boolean
  ZeroReceipt: boolean
}

/** v0/v1: the object itself; v2: under the key of the market. */
function setStateData(draft: ReceiptDraft, data: StateData): void {
  draft.stateData = JSON.stringify(draft.reading.tagging === 'v2' ? { AT: data } : data)
}
