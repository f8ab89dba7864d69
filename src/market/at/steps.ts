// What each kind of receipt does: start, zero, monthly, yearly, stop, business, and any of them on
// a queue that is not in operation.
import { type Soon, whenThere } from '../../lib/soon.js'
import { addAction, formats, hasItems, isActive, outage, priority } from '../kit/draft.js'
import { isRefusal, type Refusal, refuse } from '../kit/refusal.js'
import { stateBits } from './cases.js'
import { bucketCents, decide, type Verdict } from './decision.js'
import { vienna } from './local-time.js'
import { lastsTooLong } from './modes.js'
import {
  explainDecision,
  explainSignAll,
  explainZero,
  notify,
  waitingNotification,
} from './notifications.js'
import { chainValue } from './payload.js'
import {
  type AtState,
  KASSEN_ID,
  noHandwritten,
  noLateSigning,
  noMessage,
  noSignerFailure,
} from './queue.js'
import { addText, hint, type ReceiptDraft } from './receipt-draft.js'
import { type SignResult, signReceipt, ZERO_DEMAND } from './signing.js'
import { actions, captions, fromTo, receiptNames, refusals } from './text.js'
import { newKey, openKey, sealableSecrets } from './turnover.js'

export type OperationName = keyof typeof receiptNames

/** A training receipt proves nothing, and an operation of the queue cannot be taken back. */
export function refuseFlags(draft: ReceiptDraft, name: OperationName): Refusal | undefined {
  if (draft.reading.training) return refuse(refusals.training(receiptNames[name]), 'ftReceiptCase')
  if (draft.reading.void) return refuse(refusals.void(receiptNames[name]), 'ftReceiptCase')
  return undefined
}

/** With items such a receipt is answered unsigned, without error: the operation is not executed. */
export function ignoresItems(draft: ReceiptDraft, name: OperationName): boolean {
  if (!hasItems(draft)) return false
  addAction(draft, {
    priority: priority.warning,
    type: 'OperationWithItems',
    message: actions.withItems(draft.input.queue.id, receiptNames[name]),
  })
  return true
}

export function signZero(draft: ReceiptDraft): Soon<SignResult> {
  explainZero(draft)
  return signReceipt(draft, ZERO_DEMAND)
}

// ---------------------------------------------------------------------- start receipt (Startbeleg)

export async function start(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const refusal = refuseFlags(draft, 'start')
  if (refusal !== undefined) return refusal
  const active = isActive(draft)
  if (ignoresItems(draft, 'start')) {
    if (!active) draft.bits |= stateBits.outOfService
    return undefined
  }
  return active ? repeatStart(draft) : activate(draft)
}

/** Clients send the start receipt on every run: a zero receipt is all they get. */
async function repeatStart(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const message = actions.alreadyActive(draft.input.queue.id)
  addAction(draft, { priority: priority.information, type: 'QueueAlreadyActive', message })
  const result = await signZero(draft)
  return isRefusal(result) ? result : undefined
}

async function activate(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const { input } = draft
  if (!KASSEN_ID.test(input.queue.identification)) return refuse(refusals.kassenId)
  const invalid = ensureKey(draft)
  if (invalid !== undefined) return invalid
  const before = { ...draft.state }
  beginChain(draft)
  const result = await signZero(draft)
  if (isRefusal(result)) return result
  if (result.kind !== 'signed') {
    stayNew(draft, result.kind === 'unsigned' ? result.reasons : '')
    draft.state = before
    return undefined
  }
  draft.life = 'begins'
  const message = actions.activated(input.queue.id)
  addAction(draft, { priority: priority.information, type: 'QueueActivated', message })
  addText(draft, captions.start, captions.start)
  const { jws } = result
  draft.notifications.push(
    notify(draft, { kind: 'activation', jws, isStartReceipt: true }),
    notify(draft, { kind: 'verification', jws }),
  )
  return undefined
}

/** Makes the AES key when there is none; one that was configured has to be usable. */
function ensureKey(draft: ReceiptDraft): Refusal | undefined {
  const { kind } = openKey(draft.input.secrets)
  if (kind === 'invalid') return refuse(refusals.keyInvalid)
  if (kind === 'key') return undefined
  draft.secrets = sealableSecrets(newKey((count) => draft.input.tools.randomBytes(count)))
  const message = actions.keyMade(draft.input.queue.identification)
  addAction(draft, { priority: priority.information, type: 'KeyMade', message })
  return undefined
}

function beginChain({ state, input }: ReceiptDraft): void {
  const queueTime = input.moment.getTime()
  state.lastSignatureHash = chainValue(input.queue.identification)
  state.lastSettlementMoment = vienna.monthStart(queueTime)
  state.lastSettlementMonth = vienna.day(queueTime).month
}

/** Without a signature nothing has begun: no key is kept, the start can be tried again. */
function stayNew(draft: ReceiptDraft, reasons: string): void {
  draft.secrets = undefined
  draft.actions = draft.actions.filter(({ type }) => type !== 'KeyMade')
  draft.bits |= stateBits.outOfService
  const why = reasons === '' ? actions.noneInUse : reasons
  const message = actions.startUnsigned(draft.input.queue.id, why)
  addAction(draft, { priority: priority.error, type: 'StartNotSigned', message })
  // whoever sets up a register sees its answer, and the journal later or never
  draft.signatures.push(hint(draft, captions.startUnsigned, message))
}

// ------------------------------------------------------------------------ zero receipt (Nullbeleg)

export async function zero(draft: ReceiptDraft): Promise<Refusal | undefined> {
  if (hasItems(draft)) return refuse(refusals.zeroWithItems)
  const refusal = refuseFlags(draft, 'zero')
  if (refusal !== undefined) return refusal
  const result = await signZero(draft)
  if (isRefusal(result)) return result
  endHandwritten(draft)
  if (result.kind !== 'signed') return undefined
  deliverMessage(draft)
  endLateSigning(draft, result.jws)
  endSignerFailure(draft, result.jws)
  if (draft.reading.wantsCertificate) {
    const data = result.certificate.der.toString('base64')
    draft.signatures.push({ ...hint(draft, captions.certificate, data), format: formats.base64 })
  }
  return undefined
}

/** The receipt with which a mode began; '#' when it cannot be named. */
function firstOf(
  draft: ReceiptDraft,
  itemId: string | null,
  identification: string | null,
): string {
  return itemId === draft.input.receipt.id ? draft.identification : (identification ?? '#')
}

function recovered(
  draft: ReceiptDraft,
  caption: string,
  { first, event }: { first: string; event?: ReturnType<typeof outage.closed> },
): void {
  const range = fromTo(first, draft.identification)
  addText(draft, caption, range)
  addAction(draft, {
    priority: priority.information,
    type: 'ModeEnded',
    message: actions.recovered(caption, range),
    ...(event === undefined ? {} : { event }),
  })
}

/** Needs no signature. */
function endHandwritten(draft: ReceiptDraft): void {
  const { usedMobileCount, usedMobileQueueItemId, usedMobileIdentification } = draft.state
  if (usedMobileCount === 0) return
  const first = firstOf(draft, usedMobileQueueItemId, usedMobileIdentification)
  recovered(draft, captions.handwritten, { first })
  Object.assign(draft.state, noHandwritten)
}

function endLateSigning(draft: ReceiptDraft, jws: string): void {
  const { usedFailedCount, usedFailedQueueItemId, usedFailedIdentification } = draft.state
  if (usedFailedCount === 0) return
  const first = firstOf(draft, usedFailedQueueItemId, usedFailedIdentification)
  const event = outage.closed('register', usedFailedCount)
  recovered(draft, captions.lateSigning, { first, event })
  if (outageTooLong(draft.state)) {
    draft.notifications.push(
      notify(draft, { kind: 'deactivation', jws, isStopReceipt: false }),
      notify(draft, { kind: 'activation', jws, isStartReceipt: false }),
    )
  }
  Object.assign(draft.state, noLateSigning)
}

/**
 * § 17 RKSV: an outage lasts until the queue is reached again, however few receipts were made in
 * it. States of older servers know the receipts' own times alone.
 */
function outageTooLong(state: AtState): boolean {
  const { usedFailedMomentMin: from, usedFailedMomentMax: last, usedFailedReached } = state
  const to = usedFailedReached ?? last
  return from !== null && to !== null && lastsTooLong(from, to)
}

function endSignerFailure(draft: ReceiptDraft, jws: string): void {
  const { sscdFailCount, sscdFailQueueItemId, sscdFailIdentification } = draft.state
  if (sscdFailCount === 0) return
  const first = firstOf(draft, sscdFailQueueItemId, sscdFailIdentification)
  const event = outage.closed('device', sscdFailCount)
  recovered(draft, captions.collective, { first, event })
  if (draft.state.sscdFailMessageSent !== null) {
    draft.notifications.push(notify(draft, { kind: 'activation', jws, isStartReceipt: false }))
  }
  Object.assign(draft.state, noSignerFailure)
}

/** A report that was made on an earlier receipt is handed over now. */
function deliverMessage(draft: ReceiptDraft): void {
  const waiting = waitingNotification(draft)
  if (waiting === undefined) return
  draft.notifications.push(waiting)
  Object.assign(draft.state, noMessage)
}

// ------------------------------------------- monthly and yearly receipt (Monatsbeleg, Jahresbeleg)

const DECEMBER = 12

/** Good enough as "failed" receipt (§ 8 RKSV). */
export async function monthly(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const refusal = refuseFlags(draft, 'monthly')
  if (refusal !== undefined || ignoresItems(draft, 'monthly')) return refusal
  const result = await signZero(draft)
  if (isRefusal(result)) return result
  if (result.kind === 'unsigned') return undefined
  const month = draft.state.lastSettlementMonth
  addText(draft, `${captions.monthly} #${month}`, counterText(draft))
  settle(draft)
  draft.bits &= ~stateBits.monthlyDue
  const message = actions.monthly(month)
  addAction(draft, { priority: priority.information, type: 'MonthlyReceipt', message })
  return undefined
}

/** Has to be signed; as "failed" receipt it stays due. */
export async function yearly(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const refusal = refuseFlags(draft, 'yearly')
  if (refusal !== undefined || ignoresItems(draft, 'yearly')) return refusal
  const result = await signZero(draft)
  if (isRefusal(result)) return result
  const queueId = draft.input.queue.id
  if (result.kind !== 'signed') {
    const message = actions.yearlyFailed(queueId)
    addAction(draft, { priority: priority.warning, type: 'YearlyNotSigned', message })
    return undefined
  }
  addText(draft, captions.yearly, counterText(draft))
  draft.notifications.push(notify(draft, { kind: 'verification', jws: result.jws }))
  settle(draft)
  draft.bits &= ~(stateBits.yearlyDue | stateBits.monthlyDue)
  const message = actions.yearly(queueId)
  addAction(draft, {
    ...{ priority: priority.information, type: 'YearlyReceipt', message },
    event: { type: 'queue.yearly_receipt' },
  })
  return undefined
}

function counterText({ state }: ReceiptDraft): string {
  return state.cashTotalizer.replace('.', ',')
}

function settle({ state, input }: ReceiptDraft): void {
  state.lastSettlementMoment = input.moment.getTime()
  state.lastSettlementQueueItemId = input.receipt.id
  state.lastSettlementMonth = (state.lastSettlementMonth % DECEMBER) + 1
}

// --------------------------------------------------------------------- stop receipt (Schlussbeleg)

export async function stop(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const refusal = refuseFlags(draft, 'stop')
  if (refusal !== undefined || ignoresItems(draft, 'stop')) return refusal
  const result = await signZero(draft)
  if (isRefusal(result)) return result
  const queueId = draft.input.queue.id
  if (result.kind !== 'signed') {
    const message = actions.stopFailed(queueId)
    addAction(draft, { priority: priority.warning, type: 'StopNotSigned', message })
    return undefined
  }
  draft.life = 'ends'
  const message = actions.deactivated(queueId)
  addAction(draft, { priority: priority.information, type: 'QueueDeactivated', message })
  addText(draft, captions.stop, captions.stop)
  const { jws } = result
  draft.notifications.push(
    notify(draft, { kind: 'deactivation', jws, isStopReceipt: true }),
    notify(draft, { kind: 'verification', jws }),
  )
  return undefined
}

// ---------------------------------------------------------------------------------------- business

/** Signs and counts what the decision table or `SignAll` says; other receipts stay as they are. */
export function pos(draft: ReceiptDraft): Soon<Refusal | undefined> {
  const { sign, count } = verdictOf(draft)
  if (!sign) return undefined
  const cents = bucketCents(draft.reading.charges)
  const signed = signReceipt(draft, { cents, counted: count, zeroPath: false })
  return whenThere(signed, refusalIn)
}

const refusalIn = (result: SignResult): Refusal | undefined =>
  isRefusal(result) ? result : undefined

function verdictOf(draft: ReceiptDraft): Verdict {
  if (draft.configuration.SignAll) {
    const count = !draft.reading.training
    explainSignAll(draft, count)
    return { sign: true, count }
  }
  const decision = decide(draft.reading)
  explainDecision(draft, decision)
  return decision
}

// -------------------------------------------------------------------------------- not in operation

export function disabled(draft: ReceiptDraft): void {
  const { input } = draft
  draft.bits |= stateBits.outOfService
  if (!input.tools.once('at-queue-not-active')) return
  addAction(draft, {
    priority: priority.warning,
    type: 'QueueNotActive',
    message: actions.notActive(input.queue.id),
  })
}
