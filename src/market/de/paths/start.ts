// The initial operation receipt (In-Betriebnahme) and the out of operation receipt.
// Chosen by process.ts for the cases 0003 and 0004.
import { DeviceError, shownUnit } from '../../../device/device.js'
import { noteUnit } from '../closing-rows.js'
import { firstSlot, slotOf } from '../device-calls.js'
import { failedAnswer } from '../failure.js'
import { announce, leave, putIntoOperation, showTse, unitFacts } from '../life-cycle.js'
import { type Refusal, refuse } from '../refusal.js'
import { type Finished, specialItems } from '../signatures.js'
import { actions, actionTypes, captions, refusals } from '../text.js'
import { wholeTransaction } from '../transactions.js'
import { addAction, has, identify, isActive, priority, type TseSlot, type Turn } from '../turn.js'
import { signatureKinds } from '../words.js'
import { withTse } from './guard.js'

/** Without TSE nothing starts: an error, and the next start receipt tries again. */
export async function start(turn: Turn): Promise<Refusal | undefined> {
  const { queue } = turn.input
  if (queue.stopMoment !== null) {
    note(turn, actions.deactivated(queue.id))
    failedAnswer(turn)
    return undefined
  }
  if (isActive(turn)) return repeatStart(turn)
  const slot = firstSlot(turn)
  if (slot === undefined) return refuse(refusals.noScu)
  try {
    const clientOnly = has(turn, 'selfTestOrClientOnly')
    await activate(turn, slot, await putIntoOperation(turn, slot, { clientOnly }))
    return undefined
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    return refuse(refusals.start(shownUnit(slot.scu), error.message))
  }
}

/** Clients send the start receipt on every run: it is signed like any other. */
async function repeatStart(turn: Turn): Promise<Refusal | undefined> {
  note(turn, actions.alreadyActive(turn.input.queue.id))
  return withTse(turn, async () => addSpecial(turn, await wholeTransaction(turn)))
}

function note(turn: Turn, message: string): void {
  addAction(turn, { priority: priority.information, type: 'StartRepeated', message })
}

function addSpecial(turn: Turn, finished: Finished): void {
  identify(turn, finished.finish.transactionNumber)
  turn.signatures.push(...specialItems(turn, finished))
}

async function activate(turn: Turn, slot: TseSlot, finished: Finished): Promise<void> {
  turn.state.scuId = slot.scu.id
  // an attempt before this one may have been refused half-way
  turn.state.startsLost = true
  noteUnit(turn, slot)
  addSpecial(turn, finished)
  announce(turn, {
    slot,
    title: captions.started,
    subject: captions.started,
    kind: signatureKinds.started,
    actionType: actionTypes.started,
    data: { ...scuMembers(slot, slot.scu.id), IsStartReceipt: true },
    signed: true,
  })
  await showTse(turn, slot)
  turn.startMoment = turn.input.moment
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
export async function stop(turn: Turn): Promise<Refusal | undefined> {
  const { scuId } = turn.state
  const slot = slotOf(turn, scuId)
  const finished = slot === undefined ? undefined : await leave(turn, slot)
  if (finished !== undefined) addSpecial(turn, finished)
  announce(turn, {
    slot,
    title: captions.stopped,
    subject: captions.stopped,
    kind: signatureKinds.stopped,
    actionType: actionTypes.stopped,
    data: { ...scuMembers(slot, scuId), IsStopReceipt: true },
    signed: finished !== undefined,
  })
  if (slot !== undefined && finished !== undefined) await showTse(turn, slot)
  turn.stopMoment = turn.input.moment
  return undefined
}
