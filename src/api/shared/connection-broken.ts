// Bytes that are no HTTP request, behind calls that are being worked on: those get their answers
// first.
import type { Socket } from 'node:net'
import { isWorkedOn, openAnswers } from './open-answers.js'

/** They wait for an answer, and say no more. */
const ended = new WeakSet<Socket>()

/** Once, when nothing is worked on any more for this connection; at once where nothing is. */
export function behindAnswers(socket: Socket, work: () => void): void {
  if (ended.has(socket)) return
  const last = openAnswers(socket).filter(isWorkedOn)
  if (last.length === 0) {
    work()
    return
  }
  ended.add(socket)
  let left = last.length
  for (const answer of last) {
    answer.once('close', () => {
      left -= 1
      if (left === 0) work()
    })
  }
}
