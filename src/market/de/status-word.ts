// What a receipt would show as ftState at a moment, without one being made. The `stateAt` of the
// market: called for status exports.
import type { QueueView } from '../../model/queue.js'
import { stateBits, stateWord } from './case-words.js'
import { isClosingDue } from './closing-due.js'
import type { DeState } from './state.js'

/** `now`: the queue's time, in Unix milliseconds. */
export function stateAt(
  queue: QueueView,
  state: DeState,
  { now, answersV2 }: { now: number; answersV2: boolean },
): bigint {
  return stateWord(bitsAt(queue, state, now), answersV2 ? 'v2' : 'v0')
}

function bitsAt({ startMoment, stopMoment }: QueueView, state: DeState, now: number): number {
  if (startMoment === null || stopMoment !== null) return stateBits.outOfService
  const due = isClosingDue(state, now) ? stateBits.dailyDue : 0
  const late = state.usedFailedCount > 0 ? stateBits.lateSigning : 0
  if (state.scuId === null) return stateBits.switching | due | late
  const failed = state.sscdFailCount > 0 ? stateBits.tseFailed : 0
  return failed | due | late
}
