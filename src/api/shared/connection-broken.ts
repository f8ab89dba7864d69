// Bytes that are no HTTP request, behind calls that are being worked on: those get their answers
// first.
import type { Socket } from 'node:net'
import { isWorkedOn, openAnswers } from './open-answers.js'

const ENDED = Symbol('ended')

interface Connection extends Socket {
  /** It waits for an answer, and says no more. */
  [ENDED]?: true
}

/** Once, when nothing is worked on any more for this connection; at once where nothing is. */
export function behindAnswers(socket: Connection, work: () => void): void {
  if (socket[ENDED]) return
  const last = openAnswers(socket).filter(isWorkedOn)
  if (last.length === 0) {
    work()
    return
  }
  socket[ENDED] = true
  let left = last.length
  for (const answer of last) {
    answer.once('close', () => {
      left -= 1
      if (left === 0) work()
    })
  }
}
