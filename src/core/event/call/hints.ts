// What the caller should look at: the hints of the sandbox in the answer, the refusal, and what the
// state of the Queue says.
import type { KeptCall } from '../../../model/kept-call.js'

export interface CallHint {
  /** A word for programs. */
  code: string
  text: string
}

const MOST = 20
const JSON_HINT = /"caption"\s*:\s*"\[Hint\] (\w+)"\s*,\s*"data"\s*:\s*("(?:[^"\\]|\\.)*")/gi
const XML_HINT = /<(?:\w+:)?Caption>\[Hint\] (\w+)<[^>]*>\s*<(?:\w+:)?Data>([^<]*)</gi
const STATE = /"ftState"\s*:\s*"?(\d{1,20})/i
const SLOW_MS = 2_000

/** Bits of the state that every country has, beside its letters. */
const STATES = [
  [0x1n, 'QueueOut', 'The Queue is not in operation: it wants a start receipt, or was stopped.'],
  [0x2n, 'UnitOut', 'The signing unit does not answer; receipts are signed later.'],
  [0x8n, 'LateSigning', 'Receipts of an outage wait for a zero receipt, which ends it.'],
  [0x40n, 'MessagePending', 'A message waits; a zero receipt brings it.'],
] as const

export function hintsOf(call: KeptCall): CallHint[] {
  const { answer, code, message, status, ms } = call
  const hints: CallHint[] = []
  if (code !== null) hints.push({ code, text: message ?? '' })
  if (answer !== null && status < 400) hints.push(...told(answer), ...stateHints(answer))
  if (ms >= SLOW_MS) {
    hints.push({ code: 'Slow', text: `The answer took ${(ms / 1000).toFixed(1)} s.` })
  }
  return hints.slice(0, MOST)
}

function told(answer: string): CallHint[] {
  const found = answer.trimStart().startsWith('<')
    ? [...answer.matchAll(XML_HINT)].map(([, code = '', text = '']) => ({ code, text }))
    : [...answer.matchAll(JSON_HINT)].map(([, code = '', text = '""']) => ({
        code,
        text: String(JSON.parse(text)),
      }))
  return found
}

function stateHints(answer: string): CallHint[] {
  const digits = STATE.exec(answer)?.[1]
  if (digits === undefined) return []
  const state = BigInt(digits)
  return STATES.filter(([bit]) => (state & bit) !== 0n).map(([, code, text]) => ({ code, text }))
}
