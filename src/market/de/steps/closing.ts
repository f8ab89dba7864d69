// Daily, monthly and yearly closings, and the start of a migration, which is a daily closing too.
import { DeviceError } from '../../../device/device.js'
import type { TseInfo } from '../../../device/tse/tse.js'
import type { Signature } from '../../../model/receipt.js'
import { addAction, priority } from '../../kit/draft.js'
import type { Refusal } from '../../kit/refusal.js'
import { archiveUnlessBypassed } from '../archive.js'
import { addMasterData, journalClosing, journalDailyClosing } from '../closing-rows.js'
import { linkedSlot } from '../device-calls.js'
import { infoOf, settleUnsure } from '../ended.js'
import { dropGone } from '../gone.js'
import { has, identify, type ReceiptDraft } from '../receipt-draft.js'
import { specialItems } from '../signatures.js'
import { actions, actionTypes } from '../text.js'
import { cancelIfOwn, finishUnsure, wholeTransaction } from '../transactions.js'
import { refuseItems, withTse } from './guard.js'
import { cancelAll } from './steps.js'

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
