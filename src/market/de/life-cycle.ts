// A TSE put into operation for this queue, and left again; what receipts and journal say of it.
// Called by the start, stop and switch receipts.
import { DeviceError } from '../../device/device.js'
import { archiveUnlessBypassed } from './archive.js'
import { ask, identityOf } from './device-calls.js'
import type { Finished } from './signatures.js'
import { actions, parties } from './text.js'
import { wholeTransaction } from './transactions.js'
import { TSE_STATES, type Tse } from './tse/tse.js'
import { addTseInfo } from './tse-info.js'
import { addAction, addItem, has, priority, type TseSlot, type Turn } from './turn.js'
import { type SignatureKind, signatureKinds } from './words.js'

/** Throws DeviceError unless the TSE works for this client afterwards. */
export async function putIntoOperation(
  turn: Turn,
  slot: TseSlot,
  { clientOnly }: { clientOnly: boolean },
): Promise<Finished> {
  if (!clientOnly) {
    await ask(turn, slot, (device, limit) => device.setState(TSE_STATES.initialized, limit))
  }
  const { state } = await ask(turn, slot, (device, limit) => device.info(limit))
  if (state !== TSE_STATES.initialized) {
    throw new DeviceError(`the TSE is in state ${state}, not in ${TSE_STATES.initialized}`)
  }
  const clientId = turn.input.queue.identification
  await ask(turn, slot, (device, limit) => device.registerClient(clientId, limit))
  return wholeTransaction(turn, slot)
}

/**
 * Transaction, export, end of the client and of the TSE; each is tried whatever became of the ones
 * before. Undefined when the transaction was not signed.
 */
export async function leave(turn: Turn, slot: TseSlot): Promise<Finished | undefined> {
  const finished = await attempt(turn, () => wholeTransaction(turn, slot))
  await archiveUnlessBypassed(turn, slot)
  const clientId = turn.input.queue.identification
  const tell = (call: (device: Tse, limit: { timeoutMs: number }) => Promise<unknown>) =>
    attempt(turn, () => ask(turn, slot, call))
  await tell((device, limit) => device.unregisterClient(clientId, limit))
  if (!has(turn, 'selfTestOrClientOnly')) {
    await tell((device, limit) => device.setState(TSE_STATES.terminated, limit))
  }
  return finished
}

async function attempt<T>(turn: Turn, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    const message = actions.leaveFailed(error.message)
    addAction(turn, { priority: priority.warning, type: 'TseNotLeft', message })
    return undefined
  }
}

/** ftStateData with the state of the TSE, as far as it tells. */
export async function showTse(turn: Turn, slot: TseSlot): Promise<void> {
  try {
    await addTseInfo(turn, slot)
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
export function announce(turn: Turn, notice: Notice): void {
  const { identification, id, cashBoxId } = turn.input.queue
  const { serialHex } = unitFacts(notice.slot)
  const text = parties(identification, serialHex, id)
  const unit = notice.scuId === undefined ? '' : `, SCU-ID: ${notice.scuId}`
  const message = `${notice.subject}. ${text}${unit}`
  const data = {
    CashBoxId: cashBoxId,
    QueueId: id,
    Moment: turn.input.moment.toISOString(),
    CashBoxIdentification: identification,
    ...notice.data,
    Version: 'V0',
  }
  if (notice.signed) {
    addItem(turn, { kind: signatureKinds.storage, caption: notice.title, data: text })
    addItem(turn, { kind: notice.kind, caption: message, data: JSON.stringify(data) })
  }
  addAction(turn, { priority: priority.report, type: notice.actionType, message, data })
}
