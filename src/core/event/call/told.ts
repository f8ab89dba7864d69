// A kept call as it is told, over HTTP and on the command line: the same members.
import type { CallLine, KeptCall } from '../../../model/kept-call.js'
import { hintsOf } from './hints.js'
import { repeatedCall } from './repeat.js'

export function toldLine({ accountId, isProven, ...row }: CallLine) {
  return { ...row, operatorId: accountId, proven: isProven }
}

export function toldCall(row: KeptCall) {
  const { headers, body, answer, answerType, ...line } = row
  const more = { hints: hintsOf(row), curl: repeatedCall(row) ?? null }
  return { ...toldLine(line), headers: { ...headers }, body, answer, answerType, ...more }
}
