// Daily, monthly and yearly closings, and the start of a migration, which is a daily closing too.
// Chosen by process.ts; in failed mode failure.ts does what is left of them.
import { DeviceError } from '../../../device/device.js'
import type { Signature } from '../../../model/receipt.js'
import { archiveUnlessBypassed } from '../archive.js'
import { addMasterData, journalClosing, journalDailyClosing } from '../closing-rows.js'
import { linkedSlot } from '../device-calls.js'
import { infoOf, settleUnsure } from '../ended.js'
import { dropGone } from '../gone.js'
import type { Refusal } from '../refusal.js'
import { specialItems } from '../signatures.js'
import { actions, actionTypes } from '../text.js'
import { cancelIfOwn, finishUnsure, wholeTransaction } from '../transactions.js'
import type { TseInfo } from '../tse/tse.js'
import { addAction, has, identify, priority, type Turn } from '../turn.js'
import { refuseItems, withTse } from './guard.js'
import { cancelAll } from './steps.js'

/** Monthly and yearly: they close nothing, the cash point closing is the daily one. */
export async function periodClosing(turn: Turn): Promise<Refusal | undefined> {
  return withTse(turn, async () => {
    const slot = linkedSlot(turn)
    const finished = await wholeTransaction(turn, slot)
    const number = finished.finish.transactionNumber
    identify(turn, number)
    turn.signatures.push(...specialItems(turn, finished))
    addMasterData(turn)
    journalClosing(turn, number)
    await archiveUnlessBypassed(turn, slot)
  })
}

export async function dailyClosing(turn: Turn): Promise<Refusal | undefined> {
  return withTse(turn, () => close(turn))
}

/** After it the queue signs nothing any more. */
export async function startMigration(turn: Turn): Promise<Refusal | undefined> {
  const refusal = refuseItems(turn)
  if (refusal !== undefined) return refusal
  return withTse(turn, async () => {
    await close(turn)
    turn.state.migrated = true
    const message = actions.migration(turn.input.queue.id)
    addAction(turn, { priority: priority.report, type: actionTypes.migration, message })
  })
}

async function close(turn: Turn): Promise<void> {
  const slot = linkedSlot(turn)
  const info = await infoOf(turn, slot)
  await settleUnsure(turn, { slot, info }, (finish) => finishUnsure(turn, slot, finish))
  const dropped = dropGone(turn, info)
  const closed = await cancelAll(turn, numbersToClose(turn, info), info)
  closed.push(...(await cancelLost(turn, info)))
  const finished = await wholeTransaction(turn, slot)
  const number = finished.finish.transactionNumber
  identify(turn, number)
  turn.signatures.push(...specialItems(turn, finished), ...closed, ...dropped)
  addMasterData(turn)
  journalDailyClosing(turn, number)
  turn.stateData = { ...turn.stateData, DailyClosingNumber: turn.state.dailyClosingNumber }
  await archiveUnlessBypassed(turn, slot)
}

/**
 * After a start went wrong the TSE may have open what this queue does not know: whatever its client
 * may finish is its own.
 */
async function cancelLost(turn: Turn, { openTransactions }: TseInfo): Promise<Signature[]> {
  const { state } = turn
  if (!state.startsLost) return []
  const closed: Signature[] = []
  for (const number of openTransactions) closed.push(...((await cancelIfOwn(turn, number)) ?? []))
  state.startsLost = false
  return closed
}

/** Those of this queue, and with the flag or the parameter those of all others too. */
function numbersToClose(turn: Turn, info: TseInfo): number[] {
  const { state, configuration } = turn
  const own = [...state.openTransactions.map(({ number }) => number), ...state.leftOpen]
  if (own.length > 0 && has(turn, 'failIfOpen')) {
    throw new DeviceError(`${own.length} open transactions exist, and the receipt forbids them`)
  }
  const all = has(turn, 'closeAll') || configuration.CloseOpenTSETransactionsOnDailyClosing
  return all ? [...new Set([...own, ...info.openTransactions])] : own
}
