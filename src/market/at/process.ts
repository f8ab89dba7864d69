// One receipt of an Austrian queue, from the request to the complete answer.
import type { Accepted, Refused, SignOutcome } from '../contract.js'
import { ERROR_STATE, ERROR_TYPE, stateWord } from './case-words.js'
import type { Path } from './cases.js'
import { enterModes, modeBits, rememberIdentification } from './modes.js'
import { readReceipt } from './reading.js'
import {
  type AtInput,
  isActive,
  newDraft,
  type ReceiptDraft,
  sandboxMark,
} from './receipt-draft.js'
import type { Refusal } from './refusal.js'
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
 * Refused, which changes nothing; anything thrown is a broken program.
 */
export async function process(input: AtInput): Promise<SignOutcome<AtState>> {
  const reading = readReceipt(input)
  if (reading.kind === 'refusal') return refused(input, reading)
  const draft = newDraft(input, reading)
  enterModes(draft)
  if (isOutOfService(draft)) {
    disabled(draft)
    return accepted(draft)
  }
  const refusal = await paths[reading.path](draft)
  return refusal === undefined ? accepted(draft) : refused(input, refusal)
}

/** Only a start receipt works on a queue that is not active, and never on a stopped one. */
function isOutOfService(draft: ReceiptDraft): boolean {
  if (isActive(draft)) return false
  return draft.reading.path !== 'start' || draft.input.queue.stopMoment !== null
}

function accepted(draft: ReceiptDraft): Accepted<AtState> {
  const { input, reading, state } = draft
  rememberIdentification(draft)
  const bits = draft.bits | modeBits(state, input.moment.getTime())
  const signatures = [...draft.explanations, ...draft.signatures, ...draft.notifications]
  if (input.sandbox) signatures.push(sandboxMark(input.queue.id))
  const result: Accepted<AtState> = {
    kind: 'accepted',
    stateWord: stateWord(bits, reading.tagging),
    identification: draft.identification,
    signatures,
    stateData: draft.stateData,
    state,
    journal: draft.journal,
    actions: draft.actions,
  }
  if (draft.secrets !== undefined) result.secrets = draft.secrets
  if (draft.startMoment !== undefined) result.startMoment = draft.startMoment
  if (draft.stopMoment !== undefined) result.stopMoment = draft.stopMoment
  return result
}

function refused({ words }: AtInput, { message, field }: Refusal): Refused {
  const result: Refused = {
    kind: 'refused',
    message,
    stateWord: ERROR_STATE,
    signatureType: ERROR_TYPE,
    answered: words.tagging !== 'v0',
    actions: [],
  }
  if (field !== undefined) result.field = field
  return result
}
