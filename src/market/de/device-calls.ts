// Calls of the TSE: what they log becomes rows of the receipt, and exports of its memory become
// archives.
import { type CallLimit, DeviceError, DeviceRefusal, isHopeless } from '../../device/device.js'
import { tseInfoJson } from '../../device/tse/info-json.js'
import type { WholeTar } from '../../device/tse/kept-tars.js'
import type { LogMessage, MemoryExport, Tse, TseIdentity, TseInfo } from '../../device/tse/tse.js'
import type { MarketRow } from '../../model/journal.js'
import { SWITCH_BITS } from '../../model/scu.js'
import { addAction, priority } from '../kit/draft.js'
import { isUsed, limitMs } from '../kit/unit-mode.js'
import { ANSWER_KIND, ARCHIVE_KIND, archiveContent, LOG_KIND, logContent } from './queue.js'
import { has, type ReceiptDraft, type TseSlot } from './receipt-draft.js'
import { actions } from './text.js'

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
  try {
    return await call(slot.device, limitOf(draft, slot), false)
  } catch (error) {
    throw noted(draft, slot, error)
  }
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
      return await call(slot.device, limitOf(draft, slot), tried > 0)
    } catch (failure) {
      const error = noted(draft, slot, failure)
      hasLost ||= !(error instanceof DeviceRefusal)
      const isOver = tried >= retries || timeLeft(draft, slot) <= 0 || draft.closed.has(slot)
      const isEnd = isOver || !again(error)
      if (isEnd && hasLost && !isHopeless(error)) {
        throw new DeviceError(error.message, { cause: error })
      }
      if (isEnd) throw error
    }
  }
}

/** For the next call of the unit. Throws DeviceError where it is not asked any more. */
function limitOf(draft: ReceiptDraft, slot: TseSlot): CallLimit {
  const timeoutMs = timeLeft(draft, slot)
  if (timeoutMs <= 0) throw new DeviceError('no time left')
  const closed = draft.closed.get(slot)
  if (closed !== undefined) throw closed
  draft.touched.add(slot)
  return { timeoutMs }
}

/** What a call failed with, as an error of the device. */
function noted(draft: ReceiptDraft, slot: TseSlot, error: unknown): DeviceError {
  if (!(error instanceof DeviceError)) {
    return new DeviceError(error instanceof Error ? error.message : String(error))
  }
  if (isHopeless(error)) draft.closed.set(slot, error)
  return error
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
  if (draft.touched.size === 0) return []
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

// ---------------------------------------------------------------------------------- who the TSE is

/** Adds the TSE's state to ftStateData. Throws DeviceError when it does not tell. */
export async function addTseInfo(draft: ReceiptDraft, slot: TseSlot): Promise<TseInfo> {
  const info = await ask(draft, slot, (device, limit) => device.info(limit))
  draft.stateData = { ...draft.stateData, TseInfo: tseInfoJson(info) }
  return info
}

// ---------------------------------------------------------------------------------------- archives

/** Unless the receipt bypasses it. */
export async function archiveUnlessBypassed(draft: ReceiptDraft, slot: TseSlot): Promise<void> {
  if (!has(draft, 'bypassTar')) await archive(draft, slot)
}

/** Exports with erase and keeps the result, as far as TarFileExportMode wants it. */
export async function archive(draft: ReceiptDraft, slot: TseSlot): Promise<void> {
  const { EnableTarFileExport, TarFileExportMode: mode } = draft.configuration
  if (!EnableTarFileExport || mode === 'None') return
  try {
    if (mode === 'Erased' && (await hasOpenTransactions(draft, slot))) return skipped(draft)
    const memory = await once(draft, slot, (device, limit) => device.exportMemory(true, limit))
    const isGone = memory.erased || memory.tar?.facts.gone === true
    if (mode === 'Erased' && !isGone) return skipped(draft)
    keep(draft, slot, memory)
    draft.state.logMissingSince = null
    if (memory.erased) draft.state.memoryUsed = 0
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    draft.state.logMissingSince ??= draft.input.moment.getTime()
    const message = actions.exportFailed(error.message)
    addAction(draft, { priority: priority.warning, type: 'TarExportFailed', message })
  }
}

async function hasOpenTransactions(draft: ReceiptDraft, slot: TseSlot): Promise<boolean> {
  const info = await ask(draft, slot, (device, limit) => device.info(limit))
  return info.openTransactions.length > 0
}

function skipped(draft: ReceiptDraft): void {
  const message = actions.exportSkipped
  addAction(draft, { priority: priority.information, type: 'TarExportSkipped', message })
}

function keep(draft: ReceiptDraft, slot: TseSlot, { tar, ...memory }: MemoryExport): void {
  const { moment, queue, tools } = draft.input
  const digits = moment.toISOString().replaceAll(/\D/g, '')
  draft.journal.push({
    id: tools.newId(),
    kind: ARCHIVE_KIND,
    number: queue.receiptNumerator + 1,
    scuId: slot.scu.id,
    certificate: certificateOf(slot),
    content: archiveContent({
      fileName: `${digits}_${queue.identification}`,
      moment: moment.getTime(),
      ...memory,
      ...(tar === undefined ? {} : { kept: keptOf(tar) }),
    }),
  })
}

const keptOf = ({ id, bytes, facts: { sha256 } }: WholeTar) => ({ id, bytes, sha256 })
