// The change from one TSE to another: initiate, call off, finish.
import { DeviceError, shownUnit } from '../../../device/device.js'
import { objectIn } from '../../../lib/json.js'
import { SWITCH_BITS } from '../../../model/scu.js'
import { addAction, priority } from '../../kit/draft.js'
import { type Refusal, refuse } from '../../kit/refusal.js'
import { signatureKinds } from '../case-words.js'
import { noteUnit } from '../closing-rows.js'
import { once, slotOf } from '../device-calls.js'
import { announce, leave, putIntoOperation, showTse, unitFacts } from '../life-cycle.js'
import { has, identify, type ReceiptDraft, type TseSlot } from '../receipt-draft.js'
import { type Finished, specialItems } from '../signatures.js'
import type { DeState } from '../state.js'
import { actions, actionTypes, captions, refusals } from '../text.js'
import { withTse } from './guard.js'

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

function addSpecial(draft: ReceiptDraft, finished: Finished): void {
  identify(draft, finished.finish.transactionNumber)
  draft.signatures.push(...specialItems(draft, finished))
}

interface Connection {
  slot: TseSlot
  pair: Pair
  signed: boolean
}

function connected(draft: ReceiptDraft, { slot, pair, signed }: Connection): void {
  announce(draft, {
    slot,
    title: captions.connected,
    subject: captions.connection,
    scuId: pair.targetId,
    kind: signatureKinds.started,
    actionType: actionTypes.switchEnded,
    data: { ...ids(pair), ...members('Target', slot) },
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
  Object.assign(state, nothingOpen)
}

const nothingOpen = {
  openTransactions: [],
  leftOpen: [],
  failedFinishes: [],
  unsure: [],
} satisfies Partial<DeState>
