// One receipt of an Austrian queue, from the request to the complete answer.
// The `process` of the market: called by the sign path, one receipt of a queue after the other.
import type { Accepted, Refused, SignOutcome } from '../market.js'
import type { Path } from './cases.js'
import { enterModes, modeBits, rememberIdentification } from './modes.js'
import { monthly, yearly } from './paths/closing.js'
import { disabled } from './paths/disabled.js'
import { pos } from './paths/pos.js'
import { start } from './paths/start.js'
import { stop } from './paths/stop.js'
import { zero } from './paths/zero.js'
import { isAnswered, readReceipt } from './reading.js'
import type { Refusal } from './refusal.js'
import type { AtState } from './state.js'
import { type AtInput, isActive, newTurn, sandboxMark, type Turn } from './turn.js'
import { ERROR_STATE, ERROR_TYPE, stateWord } from './words.js'

const paths: Record<Path, (turn: Turn) => Promise<Refusal | undefined>> = {
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
  const reading = readReceipt(input.request)
  if (reading.kind === 'refusal') return refused(input, reading)
  const turn = newTurn(input, reading)
  enterModes(turn)
  if (isOutOfService(turn)) {
    disabled(turn)
    return accepted(turn)
  }
  const refusal = await paths[reading.path](turn)
  return refusal === undefined ? accepted(turn) : refused(input, refusal)
}

/** Only a start receipt works on a queue that is not active, and never on a stopped one. */
function isOutOfService(turn: Turn): boolean {
  if (isActive(turn)) return false
  return turn.reading.path !== 'start' || turn.input.queue.stopMoment !== null
}

function accepted(turn: Turn): Accepted<AtState> {
  const { input, reading, state } = turn
  rememberIdentification(turn)
  const bits = turn.bits | modeBits(state, input.moment.getTime())
  const signatures = [...turn.explanations, ...turn.signatures, ...turn.notifications]
  if (input.sandbox) signatures.push(sandboxMark(input.queue.id))
  const result: Accepted<AtState> = {
    kind: 'accepted',
    stateWord: stateWord(bits, reading.tagging),
    identification: turn.identification,
    signatures,
    stateData: turn.stateData,
    state,
    journal: turn.journal,
    actions: turn.actions,
  }
  if (turn.secrets !== undefined) result.secrets = turn.secrets
  if (turn.startMoment !== undefined) result.startMoment = turn.startMoment
  if (turn.stopMoment !== undefined) result.stopMoment = turn.stopMoment
  return result
}

function refused({ request }: AtInput, { message, field }: Refusal): Refused {
  const result: Refused = {
    kind: 'refused',
    message,
    stateWord: ERROR_STATE,
    signatureType: ERROR_TYPE,
    answered: isAnswered(request),
    actions: [],
  }
  if (field !== undefined) result.field = field
  return result
}
