// A TSE put into operation for this queue, and left again; what receipts and journal say of it.
import { DeviceError } from '../../device/device.js'
import { TSE_STATES, type Tse } from '../../device/tse/tse.js'
import { addAction, priority } from '../kit/draft.js'
import { archiveUnlessBypassed } from './archive.js'
import { type SignatureKind, signatureKinds } from './case-words.js'
import { ask, identityOf } from './device-calls.js'
import { addItem, has, type ReceiptDraft, type TseSlot } from './receipt-draft.js'
import type { Finished } from './signatures.js'
import { actions, parties } from './text.js'
import { wholeTransaction } from './transactions.js'
import { addTseInfo } from './tse-info.js'

/** Throws DeviceError unless the TSE works for this client afterwards. */
export async function putIntoOperation(
  draft: ReceiptDraft,
  slot: TseSlot,
  { clientOnly }: { clientOnly: boolean },
): Promise<Finished> {
  if (!clientOnly) {
    await ask(draft, slot, (device, limit) => device.setState(TSE_STATES.initialized, limit))
  }
  const { state } = await ask(draft, slot, (device, limit) => device.info(limit))
  if (state !== TSE_STATES.initialized) {
    throw new DeviceError(`the TSE is in state ${state}, not in ${TSE_STATES.initialized}`)
  }
  const clientId = draft.input.queue.identification
  await ask(draft, slot, (device, limit) => device.registerClient(clientId, limit))
  return wholeTransaction(draft, slot)
}

/**
 * Transaction, export, end of the client and of the TSE; each is tried whatever became of the ones
 * before. Undefined when the transaction was not signed.
 */
export async function leave(draft: ReceiptDraft, slot: TseSlot): Promise<Finished | undefined> {
  const finished = await attempt(draft, () => wholeTransaction(draft, slot))
  await archiveUnlessBypassed(draft, slot)
  const clientId = draft.input.queue.identification
  const tell = (call: (device: Tse, limit: { timeoutMs: number }) => Promise<unknown>) =>
    attempt(draft, () => ask(draft, slot, call))
  await tell((device, limit) => device.unregisterClient(clientId, limit))
  if (!has(draft, 'selfTestOrClientOnly')) {
    await tell((device, limit) => device.setState(TSE_STATES.terminated, limit))
  }
  return finished
}

async function attempt<T>(draft: ReceiptDraft, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    const message = actions.leaveFailed(error.message)
    addAction(draft, { priority: priority.warning, type: 'TseNotLeft', message })
    return undefined
  }
}

/** ftStateData with the state of the TSE, as far as it tells. */
export async function showTse(draft: ReceiptDraft, slot: TseSlot): Promise<void> {
  try {
    await addTseInfo(draft, slot)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
  }
}

// ------------------------------------------------------------------ what is said

/** Serial number, algorithm and key of a unit; '' when it was never reached. */
export function unitFacts(slot: TseSlot | undefined) {
  const identity = identityOf(slot)
  return {
    package: slot?.scu.package ?? '',
    algorithm: identity?.algorithm ?? '',
    publicKey: identity?.publicKey.toString('base64') ?? '',
    serialHex: identity?.serialHex ?? '',
    serialBase64: Buffer.from(identity?.serialHex ?? '', 'hex').toString('base64'),
  }
}

export interface Notice {
  slot: TseSlot | undefined
  /** Caption of the text that has to be archived. */
  title: string
  /** First words of the notification. */
  subject: string
  /** Added to the caption of the notification. */
  scuId?: string
  kind: SignatureKind
  actionType: string
  data: Record<string, unknown>
  /** False: only the journal says it, nothing was signed. */
  signed: boolean
}

/** The text and the Aztec code of a life-cycle receipt, and the action journal entry. */
export function announce(draft: ReceiptDraft, notice: Notice): void {
  const { identification, id, cashBoxId } = draft.input.queue
  const { serialHex } = unitFacts(notice.slot)
  const text = parties(identification, serialHex, id)
  const unit = notice.scuId === undefined ? '' : `, SCU-ID: ${notice.scuId}`
  const message = `${notice.subject}. ${text}${unit}`
  const data = {
    CashBoxId: cashBoxId,
    QueueId: id,
    Moment: draft.input.moment.toISOString(),
    CashBoxIdentification: identification,
    ...notice.data,
    Version: 'V0',
  }
  if (notice.signed) {
    addItem(draft, { kind: signatureKinds.storage, caption: notice.title, data: text })
    addItem(draft, { kind: notice.kind, caption: message, data: JSON.stringify(data) })
  }
  addAction(draft, { priority: priority.report, type: notice.actionType, message, data })
}
