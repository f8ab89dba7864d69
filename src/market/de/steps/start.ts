// The initial operation receipt (In-Betriebnahme) and the out of operation receipt.
import { DeviceError, shownUnit } from '../../../device/device.js'
import { addAction, isActive, priority } from '../../kit/draft.js'
import { type Refusal, refuse } from '../../kit/refusal.js'
import { signatureKinds } from '../case-words.js'
import { noteUnit } from '../closing-rows.js'
import { firstSlot, slotOf } from '../device-calls.js'
import { failedAnswer } from '../failure.js'
import { announce, leave, putIntoOperation, showTse, unitFacts } from '../life-cycle.js'
import { has, identify, type ReceiptDraft, type TseSlot } from '../receipt-draft.js'
import { type Finished, specialItems } from '../signatures.js'
import { actions, actionTypes, captions, refusals } from '../text.js'
import { wholeTransaction } from '../transactions.js'
import { withTse } from './guard.js'

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

function note(draft: ReceiptDraft, message: string): void {
  addAction(draft, { priority: priority.information, type: 'StartRepeated', message })
}

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
