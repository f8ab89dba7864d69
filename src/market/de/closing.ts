// What a closing stores, when a daily closing is due, and ftState at a moment.

import { LocalTime } from '../../lib/local-time.js'
import type { QueueView } from '../../model/queue.js'
import { addAction, isActive, priority } from '../kit/draft.js'
import { receiptCases, stateBits, stateWord } from './cases.js'
import { identityOf, slotOf } from './device-calls.js'
import { CLOSING_KIND, closingContent, type DeState, type UsedUnit } from './queue.js'
import { has, type ReceiptDraft, type TseSlot } from './receipt-draft.js'
import { actions, closingType } from './text.js'

/** The unit is in use from now on. */
export function noteUnit(draft: ReceiptDraft, slot: TseSlot | undefined): void {
  const used = usedUnit(slot)
  if (used === undefined) return
  const { state } = draft
  const known = state.units.some((one) => one.scuId === used.scuId)
  state.units = known
    ? state.units.map((one) => (one.scuId === used.scuId ? used : one))
    : [...state.units, used]
}

function usedUnit(slot: TseSlot | undefined): UsedUnit | undefined {
  const identity = identityOf(slot)
  if (slot === undefined || identity === undefined) return undefined
  const fingerprintHex = identity.certificate.fingerprint.toString('hex')
  return { scuId: slot.scu.id, serialHex: identity.serialHex, fingerprintHex }
}

/** Monthly and yearly; `transactionNumber` undefined: without TSE. */
export function journalClosing(draft: ReceiptDraft, transactionNumber: number | undefined): void {
  const masterDataChanged = updateMasterData(draft)
  addClosingAction(draft, { code: draft.reading.code, transactionNumber, masterDataChanged })
}

/** The cash point closing (Kassenabschluss): its number, its row, its action journal entry. */
export function journalDailyClosing(
  draft: ReceiptDraft,
  transactionNumber: number | undefined,
): void {
  const { state, input } = draft
  state.dailyClosingNumber += 1
  addClosingRow(draft)
  const masterDataChanged = updateMasterData(draft)
  const code = receiptCases.daily
  addClosingAction(draft, { code, transactionNumber, masterDataChanged })
  state.firstSinceClosing = null
  state.lastClosingRow = input.receipt.row
  state.lastClosingNumber = input.queue.receiptNumerator + 1
  const linked = state.units.filter((one) => one.scuId === state.scuId)
  state.units = linked
}

/** Current master data, as ftStateData shows them. */
export function addMasterData(draft: ReceiptDraft): void {
  const { masterData } = draft.state
  if (masterData !== null && masterData !== undefined) {
    draft.stateData = { ...draft.stateData, MasterData: masterData }
  }
}

function addClosingRow(draft: ReceiptDraft): void {
  const { state, input } = draft
  noteUnit(draft, slotOf(draft, state.scuId))
  draft.journal.push({
    id: input.tools.newId(),
    kind: CLOSING_KIND,
    number: state.dailyClosingNumber,
    scuId: state.scuId,
    certificate: null,
    content: closingContent({
      row: input.receipt.row,
      previousRow: state.lastClosingRow,
      receiptNumber: input.queue.receiptNumerator + 1,
      identification: draft.identification,
      moment: input.receipt.request.receiptMoment.getTime(),
      masterData: state.masterData ?? null,
      units: state.units,
    }),
  })
}

/** Takes over the configured master data when the receipt says so and they differ. */
function updateMasterData(draft: ReceiptDraft): boolean {
  if (!has(draft, 'masterData')) return false
  const next = draft.configuration.init_masterData ?? null
  if (next === null || sameJson(next, draft.state.masterData)) return false
  draft.state.masterData = next
  return true
}

/** The same members with the same values, in whatever order. */
function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  const left = new Map(Object.entries(a))
  const right = new Map(Object.entries(b))
  return [...names].every((name) => sameJson(left.get(name), right.get(name)))
}

interface ClosingAction {
  code: number
  transactionNumber: number | undefined
  masterDataChanged: boolean
}

function addClosingAction(draft: ReceiptDraft, closing: ClosingAction): void {
  const { code, transactionNumber, masterDataChanged } = closing
  const isDaily = code === receiptCases.daily
  const unreached = transactionNumber === undefined ? actions.withoutTse : ''
  addAction(draft, {
    priority: priority.report,
    type: closingType(code, masterDataChanged),
    message: `${actions.closing(code, masterDataChanged)}${unreached}`,
    data: {
      ftReceiptNumerator: draft.input.queue.receiptNumerator + 1,
      transactionNumber,
      masterDataChanged,
      closingNumber: isDaily ? draft.state.dailyClosingNumber : -1,
    },
  })
}

// ---------------------------------------------------------------------------------- when it is due

/** The day on which summer time begins. */
const SHORTEST_DAY_MS = 23 * 60 * 60 * 1000
export const berlin = new LocalTime('Europe/Berlin')

/** Both by the queue's time: a register that dates its receipts wrongly silences nothing. */
export function isClosingDue({ firstSinceClosing }: DeState, now: number): boolean {
  if (firstSinceClosing === null || now - firstSinceClosing <= SHORTEST_DAY_MS) return false
  return berlin.dayNumber(now) - berlin.dayNumber(firstSinceClosing) >= 2
}

export function noteFirst(draft: ReceiptDraft): void {
  const { state, reading, input } = draft
  if (state.firstSinceClosing !== null || reading.row.path !== 'business') return
  if (isActive(draft)) state.firstSinceClosing = input.moment.getTime()
}

// ----------------------------------------------------------------------- ftState without a receipt

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
