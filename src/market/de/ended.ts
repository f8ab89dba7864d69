// Transactions whose end has no receipt of its own, or a later one: what the DSFinV-K needs of them
// goes into the market journal.
import { DeviceRefusal } from '../../device/device.js'
import type { TseInfo } from '../../device/tse/tse.js'
import { processTypes } from './cases.js'
import { ask, certificateOf } from './device-calls.js'
import { forget } from './gone.js'
import type { ReceiptDraft, TseSlot } from './receipt-draft.js'
import { ENDED_KIND, endedContent, LATE_KIND } from './rows.js'
import type { Finished } from './signatures.js'
import type { UnsureFinish } from './state.js'

/** More finishes without answer are not remembered. */
const MOST_UNSURE = 512

export interface Ending {
  slot: TseSlot
  finished: Finished
  /** Client of the TSE whose transaction it was. */
  client: string
  /** cbReceiptReference under which it was open; '' when it had none. */
  reference: string
}

/** A transaction that another receipt has ended without content. */
export function noteEnded(draft: ReceiptDraft, ending: Ending): void {
  push(draft, { ...ending, kind: ENDED_KIND, number: ending.finished.finish.signatureCounter })
}

/** A receipt that was answered without signature is finished on the TSE after all. */
export function noteLate(
  draft: ReceiptDraft,
  { slot, finished, row }: { slot: TseSlot; finished: Finished; row: number | undefined },
): void {
  if (row === undefined || finished.processType === processTypes.other) return
  const client = draft.input.queue.identification
  push(draft, { slot, finished, client, reference: '', kind: LATE_KIND, number: row })
}

function push(draft: ReceiptDraft, row: Ending & { kind: string; number: number }): void {
  const { finish, identity, processType, processData } = row.finished
  const { queue, receipt, tools } = draft.input
  draft.journal.push({
    id: tools.newId(),
    kind: row.kind,
    number: row.number,
    scuId: row.slot.scu.id,
    certificate: certificateOf(row.slot),
    content: endedContent({
      row: receipt.row,
      receipt: queue.receiptNumerator,
      client: row.client,
      reference: row.reference,
      transaction: finish.transactionNumber,
      counter: finish.signatureCounter,
      start: finish.startMoment.getTime(),
      end: finish.moment.getTime(),
      signature: finish.signature.toString('base64'),
      processType,
      processData,
      serialHex: identity.serialHex,
      algorithm: identity.algorithm,
      logTimeFormat: identity.logTimeFormat,
    }),
  })
}

// --------------------------------------------------------------------- lost answers

/** The TSE may have finished it: nobody knows before it answers again. */
export function noteUnsure({ state }: ReceiptDraft, finish: UnsureFinish, error: unknown): void {
  if (error instanceof DeviceRefusal || finish.processType === processTypes.other) return
  const { number, itemId } = finish
  const others = state.unsure.filter((one) => one.number !== number || one.itemId !== itemId)
  state.unsure = [...others, finish].slice(-MOST_UNSURE)
}

/**
 * Gets the lost answers of what the TSE has finished: it repeats them for the item that they
 * belonged to. What is still open there is ended by the next closing.
 */
export async function settleUnsure(
  draft: ReceiptDraft,
  { slot, info }: { slot: TseSlot; info: TseInfo },
  finishedBy: (finish: UnsureFinish) => Promise<Finished>,
): Promise<void> {
  const { state } = draft
  const open = new Set(info.openTransactions)
  for (const finish of state.unsure) {
    if (!open.has(finish.number)) await settle(draft, slot, { finish, finishedBy })
    state.unsure = state.unsure.filter((one) => one !== finish)
  }
}

interface Settling {
  finish: UnsureFinish
  finishedBy: (finish: UnsureFinish) => Promise<Finished>
}

async function settle(
  draft: ReceiptDraft,
  slot: TseSlot,
  { finish, finishedBy }: Settling,
): Promise<void> {
  try {
    const finished = await finishedBy(finish)
    const { client, reference, row } = finish
    if (row !== null) noteLate(draft, { slot, finished, row })
    else noteEnded(draft, { slot, finished, client, reference })
    forget(draft, finish.number)
  } catch (error) {
    // it was ended by somebody else, or the TSE does not remember its answer
    if (!(error instanceof DeviceRefusal)) throw error
  }
}

/** What the TSE says now, when there is anything to compare it with. */
export function infoOf(draft: ReceiptDraft, slot: TseSlot): Promise<TseInfo> {
  return ask(draft, slot, (device, limit) => device.info(limit))
}
