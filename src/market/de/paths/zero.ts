// The zero receipt (Nullbeleg): shows that the TSE works again, and carries commands for it.
// Chosen by process.ts for case 0002, in failed mode too.
import { DeviceRefusal } from '../../../device/device.js'
import type { Signature } from '../../../model/receipt.js'
import { archive } from '../archive.js'
import { ask, linkedSlot } from '../device-calls.js'
import { infoOf, settleUnsure } from '../ended.js'
import { dropFinish, dropGone, TransactionGone } from '../gone.js'
import type { Refusal } from '../refusal.js'
import { specialItems, startItem } from '../signatures.js'
import { type FailedFinish, noTseFailure, openOf, without } from '../state.js'
import { actions, actionTypes, captions } from '../text.js'
import { finishLater, finishUnsure, remember, startOn, wholeTransaction } from '../transactions.js'
import { addTseInfo } from '../tse-info.js'
import {
  addAction,
  addTraining,
  has,
  identify,
  item,
  priority,
  secondsText,
  type TseSlot,
  type Turn,
} from '../turn.js'
import { signatureKinds } from '../words.js'
import { withTse } from './guard.js'
import { addReport, endLateSigning } from './unsigned.js'

export async function zero(turn: Turn): Promise<Refusal | undefined> {
  return withTse(turn, async () => {
    const slot = linkedSlot(turn)
    const { finished, early } = await ownTransaction(turn, slot)
    identify(turn, finished.finish.transactionNumber)
    turn.signatures.push(...specialItems(turn, finished), ...early)
    if (turn.state.sscdFailCount > 0) await leaveFailedMode(turn, slot)
    await compare(turn, slot)
    endLateSigning(turn)
    if (has(turn, 'tseInfo')) await showTse(turn, slot)
    if (has(turn, 'selfTestOrClientOnly')) {
      await ask(turn, slot, (device, limit) => device.selfTest(limit))
    }
    if (has(turn, 'tarDownload')) await archive(turn, slot)
    addTraining(turn)
    const { TseInfo = null } = turn.stateData
    const message = actions.zero
    const { information } = priority
    addAction(turn, { priority: information, type: actionTypes.zero, message, data: { TseInfo } })
  })
}

/** A TSE that is full of open transactions first gets the ends of those that wait. */
async function ownTransaction(turn: Turn, slot: TseSlot) {
  try {
    return { finished: await wholeTransaction(turn, slot), early: [] }
  } catch (error) {
    const { failedFinishes } = turn.state
    if (!(error instanceof DeviceRefusal) || failedFinishes.length === 0) throw error
  }
  const early = await finishWaiting(turn)
  return { finished: await wholeTransaction(turn, slot), early }
}

/** What queue and TSE know of each other's open transactions is made the same. */
async function compare(turn: Turn, slot: TseSlot): Promise<void> {
  const { openTransactions, leftOpen, unsure } = turn.state
  if (openTransactions.length + leftOpen.length + unsure.length === 0) return
  const info = await infoOf(turn, slot)
  await settleUnsure(turn, { slot, info }, (finish) => finishUnsure(turn, slot, finish))
  turn.signatures.push(...dropGone(turn, info))
}

async function showTse(turn: Turn, slot: TseSlot): Promise<void> {
  await addTseInfo(turn, slot)
  const TransactionNumberDictionary = Object.fromEntries(
    turn.state.openTransactions.map(({ reference, number }) => [
      reference,
      { Key: reference, Value: number },
    ]),
  )
  turn.stateData = { ...turn.stateData, TransactionNumberDictionary }
}

// --------------------------------------------------------------------- recovery

/** Finishes and starts what the TSE missed; receipts of the meantime are not signed afterwards. */
async function leaveFailedMode(turn: Turn, slot: TseSlot): Promise<void> {
  const { state } = turn
  turn.signatures.push(...(await finishWaiting(turn)))
  for (const start of state.failedStarts) {
    turn.signatures.push(await startAgain(turn, slot, start))
    state.failedStarts = without(state.failedStarts, start.reference)
  }
  const now = turn.input.moment
  const data = captions.restoredData(
    state.sscdFailCount,
    secondsText(state.sscdFailMoment ?? now),
    secondsText(now),
  )
  addReport(turn, captions.restored(secondsText(now)), data)
  Object.assign(state, noTseFailure)
}

/** The ends of transactions that wait, with what the TSE no longer knows dropped. */
async function finishWaiting(turn: Turn): Promise<Signature[]> {
  const { state } = turn
  const items: Signature[] = []
  for (const finish of state.failedFinishes) {
    items.push(...(await finishAgain(turn, finish)))
    state.failedFinishes = without(state.failedFinishes, finish.reference)
  }
  return items
}

async function finishAgain(turn: Turn, finish: FailedFinish): Promise<Signature[]> {
  const open = openOf(turn.state, finish.reference)
  if (open === undefined) return []
  try {
    return specialItems(turn, await finishLater(turn, open, finish))
  } catch (error) {
    if (error instanceof TransactionGone) return [dropFinish(turn, open.number, finish)]
    throw error
  }
}

/** A start that the TSE refuses is not asked for again. */
async function startAgain(
  turn: Turn,
  slot: TseSlot,
  { reference, itemId }: { reference: string; itemId: string },
): Promise<Signature> {
  try {
    const start = await startOn(turn, slot, { itemId, again: true })
    remember(turn, reference, start)
    return startItem(turn, start)
  } catch (error) {
    if (!(error instanceof DeviceRefusal)) throw error
    const message = actions.refusedStart(reference, error.message)
    addAction(turn, { priority: priority.warning, type: 'FailedStartDropped', message })
    const data = captions.notStartedData(reference)
    return item(turn, { kind: signatureKinds.storage, caption: captions.notStarted, data })
  }
}
