// Answers that may be asked for again (IsRetry), bounded.
import type { Answer, ModuleState } from './state.js'

/** Of answers that arrived: the last receipts. */
const MOST_DELIVERED = 6
/**
 * Of answers that were lost: a queue that lost one waits with its retry for its next zero receipt,
 * and other queues go on meanwhile.
 */
const MOST_LOST = 64

export function findAnswer(state: ModuleState, key: string): Answer | undefined {
  return state.answers.findLast((answer) => answer.key === key)
}

/** An answer that was lost has arrived after all. */
export function delivered(state: ModuleState, answer: Answer): void {
  if (answer.lost === undefined) return
  const { lost: _lost, ...rest } = answer
  state.answers = state.answers.map((one) => (one === answer ? rest : one))
}

export function keepAnswer(state: ModuleState, answer: Answer): void {
  state.answers.push(answer)
  const lost = state.answers.filter((one) => one.lost === true)
  dropFirst(state, { lost: true, surplus: lost.length - MOST_LOST })
  const delivered = state.answers.length - lost.length
  dropFirst(state, { lost: undefined, surplus: delivered - MOST_DELIVERED })
}

function dropFirst(
  state: ModuleState,
  { lost, surplus }: { lost: true | undefined; surplus: number },
): void {
  if (surplus <= 0) return
  let left = surplus
  state.answers = state.answers.filter((one) => {
    if (left === 0 || one.lost !== lost) return true
    left -= 1
    return false
  })
}
