// Zero receipts, closings, and receipts that nothing signs.

import { DeviceError, DeviceRefusal } from '../../../device/device.js'
import type { TseInfo } from '../../../device/tse/tse.js'
import type { Signature } from '../../../model/receipt.js'
import { addAction, outage, priority } from '../../kit/draft.js'
import { enterLate, lateEntriesOf, usedFailed } from '../../kit/late-entry.js'
import type { Refusal } from '../../kit/refusal.js'
import { signatureKinds, stateBits } from '../cases.js'
import { addMasterData, journalClosing, journalDailyClosing } from '../closing.js'
import { addTseInfo, archive, archiveUnlessBypassed, ask, linkedSlot } from '../device-calls.js'
import { dropFinish, dropGone, infoOf, settleUnsure, TransactionGone } from '../ended.js'
import { refuseItems, withTse } from '../guard.js'
import { type FailedFinish, noLateSigning, noTseFailure, openOf, without } from '../queue.js'
import {
  addItem,
  addTraining,
  has,
  identify,
  item,
  type ReceiptDraft,
  secondsText,
  specialItems,
  startItem,
  type TseSlot,
} from '../receipt-draft.js'
import { actions, actionTypes, captions } from '../text.js'
import {
  cancelIfOwn,
  finishLater,
  finishUnsure,
  remember,
  startOn,
  wholeTransaction,
} from '../transactions.js'
import { cancelAll } from './flow.js'

/** The queue is not started or is stopped: stored, numbered, not signed. */
export function disabled(draft: ReceiptDraft): void {
  draft.bits |= stateBits.outOfService
  noteOnce(draft, 'de-queue-not-active', actions.notActive(draft.input.queue.id))
}

/** The queue has left one TSE and has not begun with the next. */
export function switching(draft: ReceiptDraft): void {
  draft.bits |= stateBits.switching
  noteOnce(draft, 'de-scu-switch', actions.switching)
}

function noteOnce(draft: ReceiptDraft, key: string, message: string): void {
  if (!draft.input.tools.once(key)) return
  addAction(draft, { priority: priority.warning, type: 'NotSigned', message })
}

/** Made while the queue could not be reached (Ausfallsnacherfassung). */
export function lateSigned(draft: ReceiptDraft): void {
  const { state, input } = draft
  const moment = input.receipt.request.receiptMoment
  const message = actions.lateSigning(input.queue.id)
  const begins = { priority: priority.information, type: 'LateSigningEntered', message }
  Object.assign(state, usedFailed(enterLate(draft, lateEntriesOf(state), begins)))
  draft.bits |= stateBits.lateSigning
  const caption = captions.lateSigning(secondsText(moment))
  addItem(draft, { kind: signatureKinds.storage, caption, data: captions.recorderFailed })
}

/** Written by hand and entered afterwards. */
export function handwritten(draft: ReceiptDraft): void {
  const caption = captions.handwritten(secondsText(draft.input.receipt.request.receiptMoment))
  addItem(draft, { kind: signatureKinds.storage, caption, data: '' })
}

/** A zero receipt ends the phase of receipts that were entered later. */
export function endLateSigning(draft: ReceiptDraft): void {
  const { state, input } = draft
  if (state.usedFailedCount === 0) return
  const from = secondsText(state.usedFailedMomentMin ?? input.moment)
  const to = secondsText(state.usedFailedMomentMax ?? input.moment)
  const caption = captions.lateSigningDone(secondsText(input.moment))
  const data = captions.lateSigningData(state.usedFailedCount, from, to)
  addReport(draft, { caption, data, event: outage.closed('register', state.usedFailedCount) })
  Object.assign(state, noLateSigning)
}

/** A text to be archived that is reported to the operator as well. */
function addReport(
  draft: ReceiptDraft,
  {
    caption,
    data,
    event,
  }: { caption: string; data: string; event: ReturnType<typeof outage.closed> },
): void {
  addItem(draft, { kind: signatureKinds.storage, caption, data })
  const message = caption + data
  const { report } = priority
  addAction(draft, { priority: report, type: actionTypes.text, message, data: message, event })
}

// ----------------------------------------------------------------------------------- zero receipts

export async function zero(draft: ReceiptDraft): Promise<Refusal | undefined> {
  return withTse(draft, async () => {
    const slot = linkedSlot(draft)
    const { finished, early } = await ownTransaction(draft, slot)
    identify(draft, finished.finish.transactionNumber)
    draft.signatures.push(...specialItems(draft, finished), ...early)
    if (draft.state.sscdFailCount > 0) await leaveFailedMode(draft, slot)
    await compare(draft, slot)
    endLateSigning(draft)
    if (has(draft, 'tseInfo')) await showTse(draft, slot)
    if (has(draft, 'selfTestOrClientOnly')) {
      await ask(draft, slot, (device, limit) => device.selfTest(limit))
    }
    if (has(draft, 'tarDownload')) await archive(draft, slot)
    addTraining(draft)
    const { TseInfo = null } = draft.stateData
    const message = actions.zero
    const { information } = priority
    addAction(draft, { priority: information, type: actionTypes.zero, message, data: { TseInfo } })
  })
}

/** A TSE that is full of open transactions first gets the ends of those that wait. */
async function ownTransaction(draft: ReceiptDraft, slot: TseSlot) {
  try {
    return { finished: await wholeTransaction(draft, slot), early: [] }
  } catch (error) {
    const { failedFinishes } = draft.state
    if (!(error instanceof DeviceRefusal) || failedFinishes.length === 0) throw error
  }
  const early = await finishWaiting(draft)
  return { finished: await wholeTransaction(draft, slot), early }
}

/** What queue and TSE know of each other's open transactions is made the same. */
async function compare(draft: ReceiptDraft, slot: TseSlot): Promise<void> {
  const { openTransactions, leftOpen, unsure } = draft.state
  if (openTransactions.length + leftOpen.length + unsure.length === 0) return
  const info = await infoOf(draft, slot)
  await settleUnsure(draft, { slot, info }, (finish) => finishUnsure(draft, slot, finish))
  draft.signatures.push(...dropGone(draft, info))
}

async function showTse(draft: ReceiptDraft, slot: TseSlot): Promise<void> {
  await addTseInfo(draft, slot)
  const TransactionNumberDictionary = Object.fromEntries(
    draft.state.openTransactions.map(({ reference, number }) => [
      reference,
      { Key: reference, Value: number },
    ]),
  )
  draft.stateData = { ...draft.stateData, TransactionNumberDictionary }
}

// --------------------------------------------------------------------- recovery

/** Finishes and starts what the TSE missed; receipts of the meantime are not signed afterwards. */
async function leaveFailedMode(draft: ReceiptDraft, slot: TseSlot): Promise<void> {
  const { state } = draft
  draft.signatures.push(...(await finishWaiting(draft)))
  for (const start of state.failedStarts) {
    draft.signatures.push(await startAgain(draft, slot, start))
    state.failedStarts = without(state.failedStarts, start.reference)
  }
  const now = draft.input.moment
  const data = captions.restoredData(
    state.sscdFailCount,
    secondsText(state.sscdFailMoment ?? now),
    secondsText(now),
  )
  const caption = captions.restored(secondsText(now))
  addReport(draft, { caption, data, event: outage.closed('device', state.sscdFailCount) })
  Object.assign(state, noTseFailure)
}

/** The ends of transactions that wait, with what the TSE no longer knows dropped. */
async function finishWaiting(draft: ReceiptDraft): Promise<Signature[]> {
  const { state } = draft
  const items: Signature[] = []
  for (const finish of state.failedFinishes) {
    items.push(...(await finishAgain(draft, finish)))
    state.failedFinishes = without(state.failedFinishes, finish.reference)
  }
  return items
}

async function finishAgain(draft: ReceiptDraft, finish: FailedFinish): Promise<Signature[]> {
  const open = openOf(draft.state, finish.reference)
  if (open === undefined) return []
  try {
    return specialItems(draft, await finishLater(draft, open, finish))
  } catch (error) {
    if (error instanceof TransactionGone) return [dropFinish(draft, open.number, finish)]
    throw error
  }
}

/** A start that the TSE refuses is not asked for again. */
async function startAgain(
  draft: ReceiptDraft,
  slot: TseSlot,
  { reference, itemId }: { reference: string; itemId: string },
): Promise<Signature> {
  try {
    const start = await startOn(draft, slot, { itemId, again: true })
    remember(draft, reference, start)
    return startItem(draft, start)
  } catch (error) {
    if (!(error instanceof DeviceRefusal)) throw error
    const message = actions.refusedStart(reference, error.message)
    addAction(draft, { priority: priority.warning, type: 'FailedStartDropped', message })
    const data = captions.notStartedData(reference)
    return item(draft, { kind: signatureKinds.storage, caption: captions.notStarted, data })
  }
}

// ---------------------------------------------------------------------------------------- closings

/** Monthly and yearly: they close nothing, the cash point closing is the daily one. */
export async function periodClosing(draft: ReceiptDraft): Promise<Refusal | undefined> {
  return withTse(draft, async () => {
    const slot = linkedSlot(draft)
    const finished = await wholeTransaction(draft, slot)
    const number = finished.finish.transactionNumber
    identify(draft, number)
    draft.signatures.push(...specialItems(draft, finished))
    addMasterData(draft)
    journalClosing(draft, number)
    await archiveUnlessBypassed(draft, slot)
  })
}

export async function dailyClosing(draft: ReceiptDraft): Promise<Refusal | undefined> {
  return withTse(draft, () => close(draft))
}

/** After it the queue signs nothing any more. */
export async function startMigration(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const refusal = refuseItems(draft)
  if (refusal !== undefined) return refusal
  return withTse(draft, async () => {
    await close(draft)
    draft.state.migrated = true
    const message = actions.migration(draft.input.queue.id)
    addAction(draft, { priority: priority.report, type: actionTypes.migration, message })
  })
}

async function close(draft: ReceiptDraft): Promise<void> {
  const slot = linkedSlot(draft)
  const info = await infoOf(draft, slot)
  await settleUnsure(draft, { slot, info }, (finish) => finishUnsure(draft, slot, finish))
  const dropped = dropGone(draft, info)
  const closed = await cancelAll(draft, numbersToClose(draft, info), info)
  closed.push(...(await cancelLost(draft, info)))
  const finished = await wholeTransaction(draft, slot)
  const number = finished.finish.transactionNumber
  identify(draft, number)
  draft.signatures.push(...specialItems(draft, finished), ...closed, ...dropped)
  addMasterData(draft)
  journalDailyClosing(draft, number)
  draft.stateData = { ...draft.stateData, DailyClosingNumber: draft.state.dailyClosingNumber }
  draft.state.memoryUsed = Number((info.logMemory / Math.max(1, info.maxLogMemory)).toFixed(3))
  await archiveUnlessBypassed(draft, slot)
}

/**
 * After a start went wrong the TSE may have open what this queue does not know: whatever its client
 * may finish is its own.
 */
async function cancelLost(
  draft: ReceiptDraft,
  { openTransactions }: TseInfo,
): Promise<Signature[]> {
  const { state } = draft
  if (!state.startsLost) return []
  const closed: Signature[] = []
  for (const number of openTransactions) closed.push(...((await cancelIfOwn(draft, number)) ?? []))
  state.startsLost = false
  return closed
}

/** Those of this queue, and with the flag or the parameter those of all others too. */
function numbersToClose(draft: ReceiptDraft, info: TseInfo): number[] {
  const { state, configuration } = draft
  const own = [...state.openTransactions.map(({ number }) => number), ...state.leftOpen]
  if (own.length > 0 && has(draft, 'failIfOpen')) {
    throw new DeviceError(`${own.length} open transactions exist, and the receipt forbids them`)
  }
  const all = has(draft, 'closeAll') || configuration.CloseOpenTSETransactionsOnDailyClosing
  return all ? [...new Set([...own, ...info.openTransactions])] : own
}
