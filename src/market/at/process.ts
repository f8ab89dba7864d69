// One receipt of an Austrian queue, from the request to the complete answer.
import type { ReceiptOutcome } from '../contract.js'
import { finished, isActive } from '../kit/draft.js'
import { type Refusal, refused } from '../kit/refusal.js'
import { ERROR_STATE, stateWord } from './case-words.js'
import type { Path } from './cases.js'
import { enterModes, modeBits, rememberIdentification } from './modes.js'
import { readReceipt } from './reading.js'
import { type AtInput, newDraft, type ReceiptDraft } from './receipt-draft.js'
import type { AtState } from './state.js'
import { monthly, yearly } from './steps/closing.js'
import { disabled } from './steps/disabled.js'
import { pos } from './steps/pos.js'
import { start } from './steps/start.js'
import { stop } from './steps/stop.js'
import { zero } from './steps/zero.js'

const paths: Record<Path, (draft: ReceiptDraft) => Promise<Refusal | undefined>> = {
  pos,
  zero,
  start,
  stop,
  monthly,
  yearly,
}

/**
 * Signs what the RKSV wants signed. A failed device is part of a normal answer; a broken rule is a
 * refusal, which changes nothing; anything thrown is a broken program.
 */
export async function process(input: AtInput): Promise<ReceiptOutcome<AtState>> {
  const reading = readReceipt(input.receipt)
  if (reading.kind === 'refusal') return refused(input, reading, { stateWord: ERROR_STATE })
  const draft = newDraft(input, reading)
  enterModes(draft)
  if (isOutOfService(draft)) {
    disabled(draft)
    return accepted(draft)
  }
  const refusal = await paths[reading.path](draft)
  return refusal === undefined
    ? accepted(draft)
    : refused(input, refusal, { stateWord: ERROR_STATE })
}

/** Only a start receipt works on a queue that is not active, and never on a stopped one. */
function isOutOfService(draft: ReceiptDraft): boolean {
  if (isActive(draft)) return false
  return draft.reading.path !== 'start' || draft.input.queue.stopMoment !== null
}

function accepted(draft: ReceiptDraft): ReceiptOutcome<AtState> {
  const { input, reading, state, stateData, journal } = draft
  rememberIdentification(draft)
  const bits = draft.bits | modeBits(state, input.moment.getTime())
  const outcome = finished(draft, {
    stateWord: stateWord(bits, reading.tagging),
    signatures: [...draft.explanations, ...draft.signatures, ...draft.notifications],
    stateData,
    journal,
  })
  if (draft.secrets !== undefined) outcome.secrets = draft.secrets
  return outcome
}
