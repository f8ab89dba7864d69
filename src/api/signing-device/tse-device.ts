// What the operations of the German signing-device interface ask of the device: a repeated call
// with an answer is answered from what is stored, and nothing is signed for it.
import type { Served, ServedOutcome } from '../../core/served-calls.js'
import { DeviceError } from '../../device/device.js'
import type { FinishSignature, Tse, TseIdentity, TseSignature } from '../../device/tse/tse.js'
import { fail } from '../../errors.js'
import { logContent } from '../../market/de/queue.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { type ServedRow, servedAnswer } from '../../store/rollout/served-units.js'
import type { SigningDeviceDeps } from './deps.js'

export type Work<T> = (tse: Tse, served: Served) => Promise<T>

/** Without a key: what is done twice is done once more, and changes nothing then. */
export function ask<T>(deps: SigningDeviceDeps, box: CashBoxAccess, work: Work<T>): Promise<T> {
  return deps.modules.call(box, (served) => {
    const tse = served.device as Tse
    return outcomeOf(served, () => work(tse, served))
  })
}

export interface TransactionAsk {
  /** Operation, transaction and item. */
  key: string
  isRetry: boolean
  work(tse: Tse, served: Served, isRetry: boolean): Promise<TseSignature | FinishSignature>
}

export interface Signed {
  identity: TseIdentity
  signed: TseSignature & { startMoment?: Date }
}

/** A start, an update or a finish, once for its key. */
export function transact(
  deps: SigningDeviceDeps,
  box: CashBoxAccess,
  { key, isRetry, work }: TransactionAsk,
): Promise<Signed> {
  return deps.modules.call(box, async (served): Promise<ServedOutcome<Signed>> => {
    const tse = served.device as Tse
    const known = isRetry ? await servedAnswer(deps.store, served.unit, key) : undefined
    if (known !== undefined) {
      const signed = readSigned(known)
      return { keepsLog: true, give: () => ({ identity: tse.identity(), signed }) }
    }
    const again = isRetry || served.isAgain
    const sign = async () => {
      const signed = await work(tse, served, again)
      return { identity: tse.identity(), signed }
    }
    return outcomeOf(served, sign, key)
  })
}

/** Whatever the device says: what it has logged is kept with it. */
async function outcomeOf<T>(
  { unit, device }: Served,
  work: () => Promise<T>,
  callKey = '',
): Promise<ServedOutcome<T>> {
  const tse = device as Tse
  const keepsLog = tse.keepsLog === true
  try {
    const value = await work()
    return { keepsLog, row: rowOf(tse, callKey, value), give: () => value }
  } catch (error) {
    const row = rowOf(tse, '', undefined)
    const give = () => {
      throw refusalOf(unit.id, error)
    }
    return { keepsLog, row, give }
  }
}

function rowOf(tse: Tse, callKey: string, value: unknown): ServedRow | undefined {
  const logs = tse.takeLogs()
  const signed = callKey === '' ? undefined : (value as Signed).signed
  const keepsLog = tse.keepsLog === true
  // a device in this server that has logged nothing has given an answer again
  const number = keepsLog ? signed?.signatureCounter : logs[0]?.signatureCounter
  if (number === undefined) return undefined
  const answer = signed === undefined ? '' : signedText(signed)
  return { number, callKey, answer, content: keepsLog ? '' : logContent(logs) }
}

/**
 * A device that says no has done nothing. Of everything else the caller does not know, and asks
 * again with the same key.
 */
function refusalOf(scu: string, error: unknown): unknown {
  if (!(error instanceof DeviceError)) return error
  const isNo = error.kind === 'refused' || error.kind === 'broken-unit'
  return fail(isNo ? 'DEVICE_REFUSED' : 'DEVICE_UNANSWERED', { scu, reason: error.message })
}

function signedText({ signature, moment, startMoment, ...numbers }: Signed['signed']): string {
  const { transactionNumber, signatureCounter } = numbers
  return JSON.stringify({
    ...{ transactionNumber, signatureCounter },
    signature: signature.toString('base64'),
    moment: moment.getTime(),
    startMoment: startMoment?.getTime(),
  })
}

function readSigned(text: string): Signed['signed'] {
  const stored = JSON.parse(text)
  const { transactionNumber, signatureCounter, startMoment } = stored
  return {
    ...{ transactionNumber, signatureCounter },
    signature: Buffer.from(stored.signature, 'base64'),
    moment: new Date(stored.moment),
    ...(startMoment === undefined ? {} : { startMoment: new Date(startMoment) }),
  }
}
