// One receipt of a German queue, from the request to the complete answer.
import type { ReceiptOutcome } from '../contract.js'
import { finished, isActive } from '../kit/draft.js'
import { type Refusal, refuse, refused } from '../kit/refusal.js'
import { ERROR_STATE, stateBits, stateWord } from './case-words.js'
import { type Path, receiptCases } from './cases.js'
import { isClosingDue, noteFirst } from './closing-due.js'
import { logRows, slotOf } from './device-calls.js'
import { failedAnswer } from './failure.js'
import { readReceipt } from './reading.js'
import { type DeInput, has, newDraft, type ReceiptDraft } from './receipt-draft.js'
import type { DeState } from './state.js'
import { business } from './steps/business.js'
import { dailyClosing, periodClosing, startMigration } from './steps/closing.js'
import { refuseFlags, refuseInOutage } from './steps/guard.js'
import { start, stop } from './steps/start.js'
import { failTransaction, startTransaction, updateTransaction } from './steps/steps.js'
import { finishSwitch, initiateSwitch } from './steps/switch.js'
import { disabled, handwritten, lateSigned, switching } from './steps/unsigned.js'
import { zero } from './steps/zero.js'
import { refusals } from './text.js'

const paths: Record<Path, (draft: ReceiptDraft) => Promise<Refusal | undefined>> = {
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
 * broken rule is a refusal, which changes nothing; anything thrown is a broken program.
 */
export async function process(input: DeInput): Promise<ReceiptOutcome<DeState>> {
  if (input.state.migrated) return refusedBy(input, refuse(refusals.migrated))
  const reading = readReceipt(input.receipt)
  if (reading.kind === 'refusal') return refusedBy(input, reading)
  const draft = newDraft(input, reading)
  const without = unsignedPath(draft)
  if (without !== undefined) {
    const wrong = without === failedAnswer ? refuseInOutage(draft) : undefined
    if (wrong !== undefined) return refusedBy(input, wrong)
    without(draft)
    return accepted(draft)
  }
  const refusal = refuseFlags(draft) ?? (await paths[reading.row.path](draft))
  return refusal === undefined ? accepted(draft) : refusedBy(input, refusal, draft)
}

/** What is done without TSE, in the order in which it is looked at. */
function unsignedPath(draft: ReceiptDraft): ((draft: ReceiptDraft) => void) | undefined {
  const { code } = draft.reading
  if (!isActive(draft)) {
    if (code !== receiptCases.start) return disabled
  } else if (draft.state.scuId === null && !continuesSwitch(draft)) {
    return switching
  }
  if (has(draft, 'lateSigning')) return lateSigned
  if (has(draft, 'handwritten')) return handwritten
  if (draft.state.sscdFailCount > 0 && !TRIES_ALWAYS.has(code)) return failedAnswer
  return undefined
}

function continuesSwitch(draft: ReceiptDraft): boolean {
  const { code } = draft.reading
  if (code === receiptCases.finishSwitch) return true
  return code === receiptCases.initiateSwitch && has(draft, 'void')
}

const UNANSWERED = stateBits.outOfService | stateBits.switching

function accepted(draft: ReceiptDraft): ReceiptOutcome<DeState> {
  const { input, state } = draft
  if (slotOf(draft, state.scuId)?.device.keepsLog === true) state.lastRow = input.receipt.row
  noteFirst(draft)
  const hasData = Object.keys(draft.stateData).length > 0
  const outcome = finished(draft, {
    stateWord: stateWord(draft.bits | modeBits(draft), draft.words),
    signatures: [...draft.signatures],
    stateData: hasData ? JSON.stringify(draft.stateData) : null,
    journal: [...logRows(draft), ...draft.journal],
  })
  const warnings = warningsOf(draft)
  if (warnings.length > 0) outcome.warnings = warnings
  return outcome
}

/** Bits that follow from the state as the receipt leaves it. */
function modeBits(draft: ReceiptDraft): number {
  const { state, input, bits } = draft
  const failed = state.sscdFailCount > 0 && (bits & UNANSWERED) === 0
  const due = isActive(draft) && isClosingDue(state, input.moment.getTime())
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

function warningsOf({ reading, state, input: { receipt } }: ReceiptDraft): readonly string[] {
  // what is no slip is in no DSFinV-K
  if (reading.bonType === null) return NO_WARNINGS
  // most receipts lack nothing, or always the same
  if (WANTED.every(([key]) => receipt.request[key])) return NO_WARNINGS
  // a receipt that names no system has the first one of the master data
  const hasSystem = (state.masterData?.PosSystems ?? []).length > 0
  return WANTED.filter(
    ([key]) => !receipt.request[key] && !(key === 'posSystemId' && hasSystem),
  ).map(([, name]) => `${name} is missing in a receipt; the DSFinV-K wants it`)
}

/** A TSE may have logged before the rule was broken: its messages are kept all the same. */
function refusedBy(input: DeInput, refusal: Refusal, draft?: ReceiptDraft) {
  const journal = draft === undefined ? [] : logRows(draft)
  return refused(input, refusal, { stateWord: ERROR_STATE, journal })
}
