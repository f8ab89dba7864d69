// Answers that may be asked for again (IsRetry), bounded.
import { type Answer, type ModuleState, untold } from './state.js'

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
  const { lost: _lost, ...rest } = untold(answer)
  state.answers = state.answers.map((one) => (one === answer ? rest : one))
}

export function keepAnswer(state: ModuleState, answer: Answer): void {
  state.answers.push(answer)
  const most = answer.lost === true ? MOST_LOST : MOST_DELIVERED
  const others = state.answers.filter((one) => one.lost !== answer.lost).length
  dropFirst(state, { lost: answer.lost, surplus: state.answers.length - others - most })
}

function dropFirst(
  state: ModuleState,
  { lost, surplus }: { lost: true | undefined; surplus: number },
): void {
  for (let left = surplus; left > 0; left -= 1) {
    const first = state.answers.findIndex((one) => one.lost === lost)
    state.answers.splice(first, 1)
  }
}
