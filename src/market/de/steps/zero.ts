// The zero receipt (Nullbeleg): shows that the TSE works again, and carries commands for it.
import { DeviceRefusal } from '../../../device/device.js'
import type { Signature } from '../../../model/receipt.js'
import { addAction, priority } from '../../kit/draft.js'
import type { Refusal } from '../../kit/refusal.js'
import { archive } from '../archive.js'
import { signatureKinds } from '../case-words.js'
import { ask, linkedSlot } from '../device-calls.js'
import { infoOf, settleUnsure } from '../ended.js'
import { dropFinish, dropGone, TransactionGone } from '../gone.js'
import {
  addTraining,
  has,
  identify,
  item,
  type ReceiptDraft,
  secondsText,
  type TseSlot,
} from '../receipt-draft.js'
import { specialItems, startItem } from '../signatures.js'
import { type FailedFinish, noTseFailure, openOf, without } from '../state.js'
import { actions, actionTypes, captions } from '../text.js'
import { finishLater, finishUnsure, remember, startOn, wholeTransaction } from '../transactions.js'
import { addTseInfo } from '../tse-info.js'
import { withTse } from './guard.js'
import { addReport, endLateSigning } from './unsigned.js'

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
  addReport(draft, captions.restored(secondsText(now)), data)
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
