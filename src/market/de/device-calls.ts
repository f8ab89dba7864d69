// Calls of the linked TSE: three tries within the time that a till can wait, and the rows of the
// log messages that they left.
import { type CallLimit, DeviceError, DeviceRefusal } from '../../device/device.js'
import type { LogMessage, Tse, TseIdentity } from '../../device/tse/tse.js'
import type { MarketRow } from '../../model/journal.js'
import { SWITCH_BITS } from '../../model/scu.js'
import { isUsed, limitMs } from '../kit/unit-mode.js'
import type { ReceiptDraft, TseSlot } from './receipt-draft.js'
import { ANSWER_KIND, LOG_KIND, logContent } from './rows.js'

/** The unit of this id among those of the queue. */
export function slotOf({ input }: ReceiptDraft, scuId: string | null): TseSlot | undefined {
  return input.units.find(({ scu }) => scu.id === scuId)
}

/** The unit that a new queue starts with: the first in use that is not the target of a switch. */
export function firstSlot({ input }: ReceiptDraft): TseSlot | undefined {
  const used = input.units.filter(({ scu }) => isUsed(scu))
  return used.find(({ scu }) => (scu.mode & SWITCH_BITS.target) === 0) ?? used[0]
}

/** The linked unit. Throws DeviceError when the queue has no such unit any more. */
export function linkedSlot(draft: ReceiptDraft): TseSlot {
  const slot = slotOf(draft, draft.state.scuId)
  if (slot === undefined) throw new DeviceError('the linked SCU is not connected to this Queue')
  return slot
}

type DeviceCall<T> = (device: Tse, limit: CallLimit, isRetry: boolean) => Promise<T>

/** Asks once. Whatever a device does wrong is a DeviceError, never an error of the receipt. */
export async function once<T>(draft: ReceiptDraft, slot: TseSlot, call: DeviceCall<T>): Promise<T> {
  return attempt(draft, slot, (limit) => call(slot.device, limit, false))
}

/**
 * Asks until it works, at most scu-max-retries times again; later tries know that they are. Throws
 * DeviceRefusal only when every try was answered with no: behind a lost answer, no may mean that
 * the work is done already.
 */
export function ask<T>(draft: ReceiptDraft, slot: TseSlot, call: DeviceCall<T>): Promise<T> {
  return tries(draft, slot, { call, again: () => true })
}

/** The same, but takes the first no for an answer. */
export function askWhether<T>(draft: ReceiptDraft, slot: TseSlot, call: DeviceCall<T>): Promise<T> {
  return tries(draft, slot, { call, again: (error) => !(error instanceof DeviceRefusal) })
}

interface Asking<T> {
  call: DeviceCall<T>
  again(error: DeviceError): boolean
}

async function tries<T>(
  draft: ReceiptDraft,
  slot: TseSlot,
  { call, again }: Asking<T>,
): Promise<T> {
  const retries = draft.configuration['scu-max-retries']
  let hasLost = false
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt(draft, slot, (limit) => call(slot.device, limit, tried > 0))
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
      hasLost ||= !(error instanceof DeviceRefusal)
      if (tried >= retries || timeLeft(draft, slot) <= 0 || !again(error)) {
        throw hasLost ? new DeviceError(error.message, { cause: error }) : error
      }
    }
  }
}

async function attempt<T>(
  draft: ReceiptDraft,
  slot: TseSlot,
  call: (limit: CallLimit) => Promise<T>,
): Promise<T> {
  const timeoutMs = timeLeft(draft, slot)
  if (timeoutMs <= 0) throw new DeviceError('no time left')
  draft.touched.add(slot)
  try {
    return await call({ timeoutMs })
  } catch (error) {
    if (error instanceof DeviceError) throw error
    throw new DeviceError(error instanceof Error ? error.message : String(error))
  }
}

function timeLeft(draft: ReceiptDraft, { scu }: TseSlot): number {
  const now = draft.input.tools.elapsedMs()
  draft.began ??= now
  return limitMs(scu, draft.configuration['scu-timeout-ms']) - (now - draft.began)
}

/** Who the unit is, or undefined when it cannot tell. */
export function identityOf(slot: TseSlot | undefined): TseIdentity | undefined {
  try {
    return slot?.device.identity()
  } catch (error) {
    // a remote unit that was never reached has no identity yet
    if (error instanceof DeviceError) return undefined
    throw error
  }
}

export function certificateOf(slot: TseSlot): MarketRow['certificate'] {
  const entry = identityOf(slot)?.certificate
  return entry === undefined ? null : { fingerprint: entry.fingerprint, entry }
}

/** Rows of every log message that the touched units wrote during this receipt. */
export function logRows(draft: ReceiptDraft): MarketRow[] {
  return [...draft.touched].flatMap((slot) => {
    const certificate = certificateOf(slot)
    return runsOf(slot.device.takeLogs()).map((messages) => ({
      id: draft.input.tools.newId(),
      kind: slot.device.keepsLog === true ? ANSWER_KIND : LOG_KIND,
      number: messages[0]?.signatureCounter ?? 0,
      scuId: slot.scu.id,
      certificate,
      content: logContent(messages),
    }))
  })
}

/** Split where counters are missing: a row says its first counter only. */
function runsOf(messages: readonly LogMessage[]): LogMessage[][] {
  const runs: LogMessage[][] = []
  for (const message of messages) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (last !== undefined && message.signatureCounter === last.signatureCounter + 1) {
      run?.push(message)
    } else {
      runs.push([message])
    }
  }
  return runs
}
