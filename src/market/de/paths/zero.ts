// The zero receipt (Nullbeleg): shows that the TSE works again, and carries commands for it.
// Chosen by process.ts for case 0002, in failed mode too.
import { archive } from '../archive.js'
import { ask, linkedSlot } from '../device-calls.js'
import type { Refusal } from '../refusal.js'
import { specialItems, startItem } from '../signatures.js'
import { type FailedFinish, noTseFailure, openOf, without } from '../state.js'
import { actions, actionTypes, captions } from '../text.js'
import { finishLater, forget, remember, startOn, wholeTransaction } from '../transactions.js'
import { addTseInfo } from '../tse-info.js'
import {
  addAction,
  addTraining,
  has,
  identify,
  priority,
  secondsText,
  type TseSlot,
  type Turn,
} from '../turn.js'
import { withTse } from './guard.js'
import { addReport, endLateSigning } from './unsigned.js'

export async function zero(turn: Turn): Promise<Refusal | undefined> {
  await withTse(turn, async () => {
    const slot = linkedSlot(turn)
    const finished = await wholeTransaction(turn, slot)
    identify(turn, finished.finish.transactionNumber)
    turn.signatures.push(...specialItems(turn, finished))
    if (turn.state.sscdFailCount > 0) await leaveFailedMode(turn, slot)
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
  return undefined
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
  if (has(turn, 'dropUnknown')) await dropUnknownFinishes(turn, slot)
  for (const finish of state.failedFinishes) await finishAgain(turn, finish)
  for (const { reference, itemId } of state.failedStarts) {
    const start = await startOn(turn, slot, { itemId, again: true })
    remember(turn, reference, start)
    state.failedStarts = without(state.failedStarts, reference)
    turn.signatures.push(startItem(turn, start))
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

async function finishAgain(turn: Turn, finish: FailedFinish): Promise<void> {
  const { state } = turn
  const open = openOf(state, finish.reference)
  if (open !== undefined) {
    turn.signatures.push(...specialItems(turn, await finishLater(turn, open, finish)))
  }
  state.failedFinishes = without(state.failedFinishes, finish.reference)
}

async function dropUnknownFinishes(turn: Turn, slot: TseSlot): Promise<void> {
  const { state } = turn
  const info = await ask(turn, slot, (device, limit) => device.info(limit))
  const known = new Set(info.openTransactions)
  for (const finish of state.failedFinishes) {
    const open = openOf(state, finish.reference)
    if (open === undefined || known.has(open.number)) continue
    forget(turn, open.number)
    state.failedFinishes = without(state.failedFinishes, finish.reference)
    addAction(turn, {
      priority: priority.report,
      type: actionTypes.dropped,
      message: actions.droppedFinish(open.number),
      data: {
        cbReceiptReference: finish.reference,
        ftQueueItemId: finish.itemId,
        TransactionNumber: open.number,
        FinishMoment: new Date(finish.moment).toISOString(),
      },
    })
  }
}
