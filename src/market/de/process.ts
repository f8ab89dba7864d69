// One receipt of a German queue, from the request to the complete answer.
// The `process` of the market: called by the sign path, one receipt of a queue after the other.
import type { Accepted, Refused, SignOutcome } from '../market.js'
import { type Path, receiptCases } from './cases.js'
import { isClosingDue, noteFirst } from './closing-due.js'
import { logRows, slotOf } from './device-calls.js'
import { failedAnswer } from './failure.js'
import { business } from './paths/business.js'
import { dailyClosing, periodClosing, startMigration } from './paths/closing.js'
import { refuseFlags, refuseInOutage } from './paths/guard.js'
import { start, stop } from './paths/start.js'
import { failTransaction, startTransaction, updateTransaction } from './paths/steps.js'
import { finishSwitch, initiateSwitch } from './paths/switch.js'
import { disabled, handwritten, lateSigned, switching } from './paths/unsigned.js'
import { zero } from './paths/zero.js'
import { isAnswered, readReceipt } from './reading.js'
import { type Refusal, refuse } from './refusal.js'
import type { DeState } from './state.js'
import { refusals } from './text.js'
import { type DeInput, has, isActive, newTurn, sandboxMark, type Turn } from './turn.js'
import { ERROR_STATE, ERROR_TYPE, stateBits, stateWord } from './words.js'

const paths: Record<Path, (turn: Turn) => Promise<Refusal | undefined>> = {
  business,
  zero,
  start,
  stop,
  monthly: periodClosing,
  yearly: periodClosing,
  daily: dailyClosing,
  startTransaction,
  updateTransaction,
  failTransaction,
  initiateSwitch,
  finishSwitch,
  startMigration,
}

/** Cases that try the TSE even in failed mode. */
const TRIES_ALWAYS: ReadonlySet<number> = new Set([
  receiptCases.zero,
  receiptCases.failTransaction,
  receiptCases.stop,
  receiptCases.initiateSwitch,
  receiptCases.finishSwitch,
])

/**
 * Signs with the TSE what the KassenSichV wants signed. A failed TSE is part of a normal answer; a
 * broken rule is a Refused, which changes nothing; anything thrown is a broken program.
 */
export async function process(input: DeInput): Promise<SignOutcome<DeState>> {
  if (input.state.migrated) return refused(input, refuse(refusals.migrated))
  const reading = readReceipt(input.request)
  if (reading.kind === 'refusal') return refused(input, reading)
  const turn = newTurn(input, reading)
  const without = unsignedPath(turn)
  if (without !== undefined) {
    const wrong = without === failedAnswer ? refuseInOutage(turn) : undefined
    if (wrong !== undefined) return refused(input, wrong)
    without(turn)
    return accepted(turn)
  }
  const refusal = refuseFlags(turn) ?? (await paths[reading.row.path](turn))
  return refusal === undefined ? accepted(turn) : refused(input, refusal, turn)
}

/** What is done without TSE, in the order in which it is looked at. */
function unsignedPath(turn: Turn): ((turn: Turn) => void) | undefined {
  const { code } = turn.reading
  if (!isActive(turn)) {
    if (code !== receiptCases.start) return disabled
  } else if (turn.state.scuId === null && !continuesSwitch(turn)) {
    return switching
  }
  if (has(turn, 'lateSigning')) return lateSigned
  if (has(turn, 'handwritten')) return handwritten
  if (turn.state.sscdFailCount > 0 && !TRIES_ALWAYS.has(code)) return failedAnswer
  return undefined
}

function continuesSwitch(turn: Turn): boolean {
  const { code } = turn.reading
  if (code === receiptCases.finishSwitch) return true
  return code === receiptCases.initiateSwitch && has(turn, 'void')
}

const UNANSWERED = stateBits.outOfService | stateBits.switching

function accepted(turn: Turn): Accepted<DeState> {
  const { input, state } = turn
  if (slotOf(turn, state.scuId)?.device.keepsLog === true) state.lastRow = input.item.row
  noteFirst(turn)
  const signatures = [...turn.signatures]
  if (input.sandbox) signatures.push(sandboxMark(input.queue.id))
  const hasData = Object.keys(turn.stateData).length > 0
  const result: Accepted<DeState> = {
    kind: 'accepted',
    stateWord: stateWord(turn.bits | modeBits(turn), turn.words),
    identification: turn.identification,
    signatures,
    stateData: hasData ? JSON.stringify(turn.stateData) : null,
    state,
    journal: [...logRows(turn), ...turn.journal],
    actions: turn.actions,
  }
  const warnings = warningsOf(turn)
  if (warnings.length > 0) result.warnings = warnings
  if (turn.startMoment !== undefined) result.startMoment = turn.startMoment
  if (turn.stopMoment !== undefined) result.stopMoment = turn.stopMoment
  return result
}

/** Bits that follow from the state as the receipt leaves it. */
function modeBits(turn: Turn): number {
  const { state, input, bits } = turn
  const failed = state.sscdFailCount > 0 && (bits & UNANSWERED) === 0
  const due = isActive(turn) && isClosingDue(state, input.moment.getTime())
  return (failed ? stateBits.tseFailed : 0) | (due ? stateBits.dailyDue : 0)
}

/** What the DSFinV-K wants of every slip (Bon), and accepts nothing instead of. */
const WANTED = [
  ['terminalId', 'cbTerminalID'],
  ['receiptReference', 'cbReceiptReference'],
  ['user', 'cbUser'],
  ['posSystemId', 'ftPosSystemId'],
] as const
const NO_WARNINGS: readonly string[] = Object.freeze([])

function warningsOf({ reading, state, input: { request } }: Turn): readonly string[] {
  // what is no slip is in no DSFinV-K
  if (reading.bonType === null) return NO_WARNINGS
  // most receipts lack nothing, or always the same
  if (WANTED.every(([key]) => request[key])) return NO_WARNINGS
  // a receipt that names no system has the first one of the master data
  const hasSystem = (state.masterData?.PosSystems ?? []).length > 0
  return WANTED.filter(([key]) => !request[key] && !(key === 'posSystemId' && hasSystem)).map(
    ([, name]) => `${name} is missing in a receipt; the DSFinV-K wants it`,
  )
}

/** A TSE may have logged before the rule was broken: its messages are kept all the same. */
function refused({ request }: DeInput, { message, field }: Refusal, turn?: Turn): Refused {
  const result: Refused = {
    kind: 'refused',
    message,
    stateWord: ERROR_STATE,
    signatureType: ERROR_TYPE,
    answered: isAnswered(request),
    actions: [],
  }
  if (field !== undefined) result.field = field
  const journal = turn === undefined ? [] : logRows(turn)
  if (journal.length > 0) result.journal = journal
  return result
}
