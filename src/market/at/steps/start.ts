// The start receipt (Startbeleg): makes the key, begins the chain and activates the queue.
// Chosen by process.ts for case 0003 on a queue that was not stopped.

import { addAction, isActive, priority } from '../../kit/draft.js'
import { isRefusal, type Refusal, refuse } from '../../kit/refusal.js'
import { stateBits } from '../case-words.js'
import { KASSEN_ID } from '../configuration.js'
import { notify } from '../notifications.js'
import { chainValue } from '../payload.js'
import { addText, hint, type ReceiptDraft } from '../receipt-draft.js'
import { actions, captions, refusals } from '../text.js'
import { newKey, openKey, sealableSecrets } from '../turnover.js'
import { viennaDay, viennaMonthStart } from '../vienna.js'
import { ignoresItems, refuseFlags, signZero } from './guard.js'

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
  state.lastSettlementMoment = viennaMonthStart(queueTime)
  state.lastSettlementMonth = viennaDay(queueTime).month
}

/** Without a signature nothing has begun: no key is kept, the start can be tried again. */
function stayNew(draft: ReceiptDraft, reasons: string): void {
  draft.secrets = undefined
  draft.actions = draft.actions.filter(({ type }) => type !== 'KeyMade')
  draft.bits |= stateBits.outOfService
  const why = reasons === '' ? actions.noneInUse : reasons
  const message = actions.startUnsigned(draft.input.queue.id, why)
  addAction(draft, { priority: priority.error, type: 'StartNotSigned', message })
  // whoever sets up a till sees its answer, and the journal later or never
  draft.signatures.push(hint(draft, captions.startUnsigned, message))
}
