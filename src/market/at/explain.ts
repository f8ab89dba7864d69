// Why a receipt is signed and counted, as the sandbox shows it: items and ftStateData.
// Called by the paths; does nothing in production.
import type { Decision } from './decision.js'
import { explanations, signAndCount } from './text.js'
import { hint, type Turn } from './turn.js'

/** Zero, start, stop, monthly and yearly receipts: signed and counted whatever they hold. */
export function explainZero(turn: Turn): void {
  if (!turn.input.sandbox) return
  const data = signAndCount(true, true)
  if (turn.configuration.SignAll) turn.explanations.push(hint(turn, explanations.signAll, data))
  turn.explanations.push(hint(turn, explanations.zero, data))
  setStateData(turn, {
    Number: -1,
    Exception: '',
    Signing: true,
    Counting: true,
    ZeroReceipt: true,
  })
}

export function explainSignAll(turn: Turn, counting: boolean): void {
  if (!turn.input.sandbox) return
  turn.explanations.push(hint(turn, explanations.signAll, signAndCount(true, counting)))
  const data = { Number: -1, Exception: '', Signing: true, Counting: counting, ZeroReceipt: false }
  setStateData(turn, data)
}

export function explainDecision(turn: Turn, decision: Decision): void {
  if (!turn.input.sandbox) return
  const { number, table, effects, label } = decision
  const verdict = signAndCount(table.sign, table.count)
  turn.explanations.push(hint(turn, `${explanations.decision} ${number}`, verdict))
  for (const { exception, sign, count } of effects) {
    const caption = `${explanations.exception} ${exception}`
    turn.explanations.push(hint(turn, caption, signAndCount(sign, count)))
  }
  setStateData(turn, {
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
function setStateData(turn: Turn, data: StateData): void {
  turn.stateData = JSON.stringify(turn.reading.tagging === 'v2' ? { AT: data } : data)
}
