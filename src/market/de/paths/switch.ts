// The change from one TSE to another: initiate, call off, finish.
// Chosen by process.ts for the cases 0017 and 0018.
import { DeviceError, shownUnit } from '../../../device/device.js'
import { objectIn } from '../../../lib/json.js'
import { noteUnit } from '../closing-rows.js'
import { modeBits, once, slotOf } from '../device-calls.js'
import { announce, leave, putIntoOperation, showTse, unitFacts } from '../life-cycle.js'
import { type Refusal, refuse } from '../refusal.js'
import { type Finished, specialItems } from '../signatures.js'
import type { DeState } from '../state.js'
import { actions, actionTypes, captions, refusals } from '../text.js'
import { addAction, has, identify, priority, type TseSlot, type Turn } from '../turn.js'
import { signatureKinds } from '../words.js'
import { withTse } from './guard.js'

interface Pair {
  sourceId: string
  targetId: string
}

/** Leaves the linked TSE; until the switch is finished nothing is signed. */
export async function initiateSwitch(turn: Turn): Promise<Refusal | undefined> {
  if (has(turn, 'void')) return callOff(turn)
  const refusal = await refuseEarly(turn)
  if (refusal !== undefined) return refusal
  const pair = pairOf(turn)
  if ('kind' in pair) return pair
  const slot = slotOf(turn, pair.sourceId)
  const finished = slot === undefined ? undefined : await leave(turn, slot)
  if (finished !== undefined) addSpecial(turn, finished)
  announce(turn, {
    slot,
    title: captions.separated,
    subject: captions.separation,
    scuId: pair.sourceId,
    kind: signatureKinds.started,
    actionType: actionTypes.switchBegun,
    data: { ...ids(pair), ...members('Source', slot) },
    signed: finished !== undefined,
  })
  if (slot !== undefined && finished !== undefined) await showTse(turn, slot)
  turn.state.scuId = null
  turn.state.scuSwitch = pair
  return undefined
}

/** Only right after a daily closing, unless it is forced or the TSE is out of reach. */
async function refuseEarly(turn: Turn): Promise<Refusal | undefined> {
  const { state, input } = turn
  if (has(turn, 'force') || state.lastClosingNumber === input.queue.receiptNumerator) {
    return undefined
  }
  return (await reaches(turn)) ? refuse(refusals.notAfterClosing) : undefined
}

async function reaches(turn: Turn): Promise<boolean> {
  const slot = slotOf(turn, turn.state.scuId)
  if (slot === undefined) return false
  try {
    await once(turn, slot, (device, limit) => device.info(limit))
    return true
  } catch (error) {
    if (error instanceof DeviceError) return false
    throw error
  }
}

/** Source and target have to name each other. */
function pairOf(turn: Turn): Pair | Refusal {
  const source = slotOf(turn, turn.state.scuId)
  const targetId = source === undefined ? undefined : memberOf(source, 'TargetScuId')
  if (source === undefined || targetId === undefined || !isMode(source, modeBits.switchSource)) {
    return refuse(refusals.source)
  }
  const target = turn.input.devices.find(({ scu }) => scu.id.toLowerCase() === targetId)
  if (target === undefined || !isMode(target, modeBits.switchTarget)) {
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
export async function finishSwitch(turn: Turn): Promise<Refusal | undefined> {
  const { scuSwitch } = turn.state
  if (turn.state.scuId !== null || scuSwitch === null) return refuse(refusals.notSwitching)
  const slot = slotOf(turn, scuSwitch.targetId)
  if (slot === undefined) return refuse(refusals.target)
  try {
    const finished = await putIntoOperation(turn, slot, { clientOnly: false })
    dropTransactions(turn)
    addSpecial(turn, finished)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    return refuse(refusals.finish(shownUnit(slot.scu), error.message))
  }
  link(turn, slot)
  connected(turn, { slot, pair: scuSwitch, signed: true })
  await showTse(turn, slot)
  return undefined
}

/** Back to the source, which may be out of service for good: then in failed mode. */
async function callOff(turn: Turn): Promise<Refusal | undefined> {
  const { scuSwitch } = turn.state
  if (turn.state.scuId !== null || scuSwitch === null) return refuse(refusals.notSwitching)
  const slot = slotOf(turn, scuSwitch.sourceId)
  if (slot === undefined) return refuse(refusals.source)
  link(turn, slot)
  const pair = { sourceId: scuSwitch.sourceId, targetId: scuSwitch.sourceId }
  let signed = false
  await withTse(turn, async () => {
    addSpecial(turn, await putIntoOperation(turn, slot, { clientOnly: true }))
    signed = true
  })
  connected(turn, { slot, pair, signed })
  if (signed) await showTse(turn, slot)
  return undefined
}

function link(turn: Turn, slot: TseSlot): void {
  turn.state.scuId = slot.scu.id
  // an attempt before this one may have been refused half-way
  turn.state.startsLost = true
  turn.state.scuSwitch = null
  noteUnit(turn, slot)
}

function addSpecial(turn: Turn, finished: Finished): void {
  identify(turn, finished.finish.transactionNumber)
  turn.signatures.push(...specialItems(turn, finished))
}

interface Connection {
  slot: TseSlot
  pair: Pair
  signed: boolean
}

function connected(turn: Turn, { slot, pair, signed }: Connection): void {
  announce(turn, {
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
function dropTransactions(turn: Turn): void {
  const { state } = turn
  for (const { reference, number } of state.openTransactions) {
    addAction(turn, {
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
