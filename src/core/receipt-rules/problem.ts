// What the rules of the PosSystem API find in a request, and what a request brings along into the
// sign path.
import type { StoredAnswer } from '../../store/sign/replay.js'

export interface Problem {
  /** Stable; stands in the answer where rules are strict. */
  code: string
  /** JSON path of the member at fault. */
  path: string
  message: string
  /** An error whatever SIGN_VALIDATION says. */
  always: boolean
}

export interface PosWork {
  /** SIGN_VALIDATION=strict: every problem is an error. */
  strict: boolean
  problems: readonly Problem[]
  /** References of earlier receipts, which are looked up when it is the receipt's turn. */
  references: readonly string[]
  /** The receipts that they stand for, once they were looked up. */
  previous?: readonly StoredAnswer[]
}

/** Those of the problems that make the receipt an error. */
export function errorsOf({ strict, problems }: PosWork): Problem[] {
  return problems.filter((problem) => strict || problem.always)
}
