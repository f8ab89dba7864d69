// The start receipt (Startbeleg): makes the key, begins the chain and activates the queue.
// Chosen by process.ts for case 0003 on a queue that was not stopped.
import { KASSEN_ID } from '../configuration.js'
import { notify } from '../notifications.js'
import { chainValue } from '../payload.js'
import { isRefusal, type Refusal, refuse } from '../refusal.js'
import { actions, captions, refusals } from '../text.js'
import { addAction, addText, hint, isActive, priority, type Turn } from '../turn.js'
import { newKey, openKey, sealableSecrets } from '../turnover.js'
import { viennaDay, viennaMonthStart } from '../vienna.js'
import { stateBits } from '../words.js'
import { ignoresItems, refuseFlags, signZero } from './guard.js'

export async function start(turn: Turn): Promise<Refusal | undefined> {
  const refusal = refuseFlags(turn, 'start')
  if (refusal !== undefined) return refusal
  const active = isActive(turn)
  if (ignoresItems(turn, 'start')) {
    if (!active) turn.bits |= stateBits.outOfService
    return undefined
  }
  return active ? repeatStart(turn) : activate(turn)
}

/** Clients send the start receipt on every run: a zero receipt is all they get. */
async function repeatStart(turn: Turn): Promise<Refusal | undefined> {
  const message = actions.alreadyActive(turn.input.queue.id)
  addAction(turn, { priority: priority.information, type: 'QueueAlreadyActive', message })
  const result = await signZero(turn)
  return isRefusal(result) ? result : undefined
}

async function activate(turn: Turn): Promise<Refusal | undefined> {
  const { input } = turn
  if (!KASSEN_ID.test(input.queue.identification)) return refuse(refusals.kassenId)
  const invalid = ensureKey(turn)
  if (invalid !== undefined) return invalid
  const before = { ...turn.state }
  beginChain(turn)
  const result = await signZero(turn)
  if (isRefusal(result)) return result
  if (result.kind !== 'signed') {
    stayNew(turn, result.kind === 'unsigned' ? result.reasons : '')
    turn.state = before
    return undefined
  }
  turn.startMoment = input.moment
  const message = actions.activated(input.queue.id)
  addAction(turn, { priority: priority.information, type: 'QueueActivated', message })
  addText(turn, captions.start, captions.start)
  const { jws } = result
  turn.notifications.push(
    notify(turn, { kind: 'activation', jws, isStartReceipt: true }),
    notify(turn, { kind: 'verification', jws }),
  )
  return undefined
}

/** Makes the AES key when there is none; one that was configured has to be usable. */
function ensureKey(turn: Turn): Refusal | undefined {
  const { kind } = openKey(turn.input.secrets)
  if (kind === 'invalid') return refuse(refusals.keyInvalid)
  if (kind === 'key') return undefined
  turn.secrets = sealableSecrets(newKey((count) => turn.input.randomBytes(count)))
  const message = actions.keyMade(turn.input.queue.identification)
  addAction(turn, { priority: priority.information, type: 'KeyMade', message })
  return undefined
}

function beginChain({ state, input }: Turn): void {
  const queueTime = input.moment.getTime()
  state.lastSignatureHash = chainValue(input.queue.identification)
  state.lastSettlementMoment = viennaMonthStart(queueTime)
  state.lastSettlementMonth = viennaDay(queueTime).month
}

/** Without a signature nothing has begun: no key is kept, the start can be tried again. */
function stayNew(turn: Turn, reasons: string): void {
  turn.secrets = undefined
  turn.actions = turn.actions.filter(({ type }) => type !== 'KeyMade')
  turn.bits |= stateBits.outOfService
  const why = reasons === '' ? actions.noneInUse : reasons
  const message = actions.startUnsigned(turn.input.queue.id, why)
  addAction(turn, { priority: priority.error, type: 'StartNotSigned', message })
  // whoever sets up a till sees its answer, and the journal later or never
  turn.signatures.push(hint(turn, captions.startUnsigned, message))
}
