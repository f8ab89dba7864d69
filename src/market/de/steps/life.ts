// The life of a queue and its TSE: start, stop, and the switch to another TSE.
import { DeviceError, shownUnit } from '../../../device/device.js'
import { TSE_STATES, type Tse } from '../../../device/tse/tse.js'
import { objectIn } from '../../../lib/json.js'
import { SWITCH_BITS } from '../../../model/scu.js'
import { addAction, isActive, priority } from '../../kit/draft.js'
import { type Refusal, refuse } from '../../kit/refusal.js'
import { type SignatureKind, signatureKinds } from '../cases.js'
import { noteUnit } from '../closing.js'
import {
  addTseInfo,
  archiveUnlessBypassed,
  ask,
  firstSlot,
  identityOf,
  once,
  slotOf,
} from '../device-calls.js'
import { failedAnswer, withTse } from '../guard.js'
import type { DeState } from '../queue.js'
import {
  addItem,
  type Finished,
  has,
  identify,
  type ReceiptDraft,
  specialItems,
  type TseSlot,
} from '../receipt-draft.js'
import { actions, actionTypes, captions, parties, refusals } from '../text.js'
import { wholeTransaction } from '../transactions.js'

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
  /** Another unit than before. */
  changed?: boolean
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
  const action = { priority: priority.report, type: notice.actionType, message, data }
  addAction(draft, notice.changed === true ? { ...action, event: changed(notice) } : action)
}

const changed = ({ scuId = '' }: Notice) =>
  ({ type: 'queue.unit_changed', data: { scuId } }) as const

// ------------------------------------------------------------------------- start and stop receipts

/** Without TSE nothing starts: an error, and the next start receipt tries again. */
export async function start(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const { queue } = draft.input
  if (queue.stopMoment !== null) {
    note(draft, actions.deactivated(queue.id))
    failedAnswer(draft)
    return undefined
  }
  if (isActive(draft)) return repeatStart(draft)
  const slot = firstSlot(draft)
  if (slot === undefined) return refuse(refusals.noScu)
  try {
    const clientOnly = has(draft, 'selfTestOrClientOnly')
    await activate(draft, slot, await putIntoOperation(draft, slot, { clientOnly }))
    return undefined
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    return refuse(refusals.start(shownUnit(slot.scu), error.message))
  }
}

/** Clients send the start receipt on every run: it is signed like any other. */
async function repeatStart(draft: ReceiptDraft): Promise<Refusal | undefined> {
  note(draft, actions.alreadyActive(draft.input.queue.id))
  return withTse(draft, async () => addSpecial(draft, await wholeTransaction(draft)))
}

const note = (draft: ReceiptDraft, message: string): string =>
  addAction(draft, { priority: priority.information, type: 'StartRepeated', message })

function addSpecial(draft: ReceiptDraft, finished: Finished): void {
  identify(draft, finished.finish.transactionNumber)
  draft.signatures.push(...specialItems(draft, finished))
}

async function activate(draft: ReceiptDraft, slot: TseSlot, finished: Finished): Promise<void> {
  draft.state.scuId = slot.scu.id
  // an attempt before this one may have been refused half-way
  draft.state.startsLost = true
  noteUnit(draft, slot)
  addSpecial(draft, finished)
  announce(draft, {
    slot,
    title: captions.started,
    subject: captions.started,
    kind: signatureKinds.started,
    actionType: actionTypes.started,
    data: { ...scuMembers(slot, slot.scu.id), IsStartReceipt: true },
    signed: true,
  })
  await showTse(draft, slot)
  draft.life = 'begins'
}

function scuMembers(slot: TseSlot | undefined, scuId: string | null): Record<string, unknown> {
  const facts = unitFacts(slot)
  return {
    SCUId: scuId,
    SCUPackageName: facts.package,
    SCUSignatureAlgorithm: facts.algorithm,
    SCUPublicKeyBase64: facts.publicKey,
    SCUSerialNumberBase64: facts.serialBase64,
  }
}

/** Final, with or without TSE. */
export async function stop(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const { scuId } = draft.state
  const slot = slotOf(draft, scuId)
  const finished = slot === undefined ? undefined : await leave(draft, slot)
  if (finished !== undefined) addSpecial(draft, finished)
  announce(draft, {
    slot,
    title: captions.stopped,
    subject: captions.stopped,
    kind: signatureKinds.stopped,
    actionType: actionTypes.stopped,
    data: { ...scuMembers(slot, scuId), IsStopReceipt: true },
    signed: finished !== undefined,
  })
  if (slot !== undefined && finished !== undefined) await showTse(draft, slot)
  draft.life = 'ends'
  return undefined
}

// ----------------------------------------------------------------------- the switch to another TSE

interface Pair {
  sourceId: string
  targetId: string
}

/** Leaves the linked TSE; until the switch is finished nothing is signed. */
export async function initiateSwitch(draft: ReceiptDraft): Promise<Refusal | undefined> {
  if (has(draft, 'void')) return callOff(draft)
  const refusal = await refuseEarly(draft)
  if (refusal !== undefined) return refusal
  const pair = pairOf(draft)
  if ('kind' in pair) return pair
  const slot = slotOf(draft, pair.sourceId)
  const finished = slot === undefined ? undefined : await leave(draft, slot)
  if (finished !== undefined) addSpecial(draft, finished)
  announce(draft, {
    slot,
    title: captions.separated,
    subject: captions.separation,
    scuId: pair.sourceId,
    kind: signatureKinds.started,
    actionType: actionTypes.switchBegun,
    data: { ...ids(pair), ...members('Source', slot) },
    signed: finished !== undefined,
  })
  if (slot !== undefined && finished !== undefined) await showTse(draft, slot)
  draft.state.scuId = null
  draft.state.scuSwitch = pair
  return undefined
}

/** Only right after a daily closing, unless it is forced or the TSE is out of reach. */
async function refuseEarly(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const { state, input } = draft
  if (has(draft, 'force') || state.lastClosingNumber === input.queue.receiptNumerator) {
    return undefined
  }
  return (await reaches(draft)) ? refuse(refusals.notAfterClosing) : undefined
}

async function reaches(draft: ReceiptDraft): Promise<boolean> {
  const slot = slotOf(draft, draft.state.scuId)
  if (slot === undefined) return false
  try {
    await once(draft, slot, (device, limit) => device.info(limit))
    return true
  } catch (error) {
    if (error instanceof DeviceError) return false
    throw error
  }
}

/** Source and target have to name each other. */
function pairOf(draft: ReceiptDraft): Pair | Refusal {
  const source = slotOf(draft, draft.state.scuId)
  const targetId = source === undefined ? undefined : memberOf(source, 'TargetScuId')
  if (source === undefined || targetId === undefined || !isMode(source, SWITCH_BITS.source)) {
    return refuse(refusals.source)
  }
  const target = draft.input.units.find(({ scu }) => scu.id.toLowerCase() === targetId)
  if (target === undefined || !isMode(target, SWITCH_BITS.target)) {
    return refuse(refusals.target)
  }
  const back = memberOf(target, 'SourceScuId')
  if (back !== source.scu.id.toLowerCase()) return refuse(refusals.target)
  return { sourceId: source.scu.id, targetId: target.scu.id }
}

const isMode = ({ scu }: TseSlot, bit: number): boolean => (scu.mode & bit) !== 0

/** A member of the unit's configuration, in lower case. */
function memberOf({ scu }: TseSlot, name: string): string | undefined {
  const member = objectIn(scu.configuration)?.get(name)
  return typeof member === 'string' ? member.toLowerCase() : undefined
}

/** Works with the target from now on. A TSE that fails leaves the switch as it is: an error. */
export async function finishSwitch(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const { scuSwitch } = draft.state
  if (draft.state.scuId !== null || scuSwitch === null) return refuse(refusals.notSwitching)
  const slot = slotOf(draft, scuSwitch.targetId)
  if (slot === undefined) return refuse(refusals.target)
  try {
    const finished = await putIntoOperation(draft, slot, { clientOnly: false })
    dropTransactions(draft)
    addSpecial(draft, finished)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    return refuse(refusals.finish(shownUnit(slot.scu), error.message))
  }
  link(draft, slot)
  connected(draft, { slot, pair: scuSwitch, signed: true })
  await showTse(draft, slot)
  return undefined
}

/** Back to the source, which may be out of service for good: then in failed mode. */
async function callOff(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const { scuSwitch } = draft.state
  if (draft.state.scuId !== null || scuSwitch === null) return refuse(refusals.notSwitching)
  const slot = slotOf(draft, scuSwitch.sourceId)
  if (slot === undefined) return refuse(refusals.source)
  link(draft, slot)
  const pair = { sourceId: scuSwitch.sourceId, targetId: scuSwitch.sourceId }
  let signed = false
  await withTse(draft, async () => {
    addSpecial(draft, await putIntoOperation(draft, slot, { clientOnly: true }))
    signed = true
  })
  connected(draft, { slot, pair, signed })
  if (signed) await showTse(draft, slot)
  return undefined
}

function link(draft: ReceiptDraft, slot: TseSlot): void {
  draft.state.scuId = slot.scu.id
  // an attempt before this one may have been refused half-way
  draft.state.startsLost = true
  draft.state.scuSwitch = null
  noteUnit(draft, slot)
}

type Connection = Pick<Notice, 'signed'> & { slot: TseSlot; pair: Pair }

function connected(draft: ReceiptDraft, { slot, pair, signed }: Connection): void {
  announce(draft, {
    slot,
    title: captions.connected,
    subject: captions.connection,
    scuId: pair.targetId,
    kind: signatureKinds.started,
    actionType: actionTypes.switchEnded,
    data: { ...ids(pair), ...members('Target', slot) },
    changed: pair.sourceId !== pair.targetId,
    signed,
  })
}

function ids({ sourceId, targetId }: Pair): Record<string, unknown> {
  return { SourceSCUId: sourceId, TargetSCUId: targetId }
}

function members(side: 'Source' | 'Target', slot: TseSlot | undefined): Record<string, unknown> {
  const facts = unitFacts(slot)
  return {
    [`${side}SCUPackageName`]: facts.package,
    [`${side}SCUSignatureAlgorithm`]: facts.algorithm,
    [`${side}SCUPublicKeyBase64`]: facts.publicKey,
    [`${side}SCUSerialNumberOctet`]: facts.serialHex,
  }
}

/** The new TSE knows nothing of what was open on the old one, but has the same numbers. */
function dropTransactions(draft: ReceiptDraft): void {
  const { state } = draft
  for (const { reference, number } of state.openTransactions) {
    addAction(draft, {
      priority: priority.report,
      type: actionTypes.dropped,
      message: actions.droppedBySwitch(number),
      data: { cbReceiptReference: reference, TransactionNumber: number },
    })
  }
  const none = { openTransactions: [], leftOpen: [], failedFinishes: [], unsure: [] }
  Object.assign(state, none satisfies Partial<DeState>)
}
