// Exports of the TSE's memory that closings leave in the journal (ftJournalDE).
// Called by closings, stop, switch and zero receipts; a failed export never fails the receipt.
import { DeviceError } from '../../device/device.js'
import { ask, certificateOf, once } from './device-calls.js'
import { ARCHIVE_KIND, archiveContent } from './rows.js'
import { packedTar } from './stored-tar.js'
import { actions } from './text.js'
import type { MemoryExport } from './tse/tse.js'
import { addAction, has, priority, type TseSlot, type Turn } from './turn.js'

/** Unless the receipt bypasses it. */
export async function archiveUnlessBypassed(turn: Turn, slot: TseSlot): Promise<void> {
  if (!has(turn, 'bypassTar')) await archive(turn, slot)
}

/** Exports with erase and keeps the result, as far as TarFileExportMode wants it. */
export async function archive(turn: Turn, slot: TseSlot): Promise<void> {
  const { EnableTarFileExport, TarFileExportMode: mode } = turn.configuration
  if (!EnableTarFileExport || mode === 'None') return
  try {
    if (mode === 'Erased' && (await hasOpenTransactions(turn, slot))) return skipped(turn)
    const memory = await once(turn, slot, (device, limit) => device.exportMemory(true, limit))
    if (mode === 'Erased' && !memory.erased) return skipped(turn)
    await keep(turn, slot, memory)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    const message = actions.exportFailed(error.message)
    addAction(turn, { priority: priority.warning, type: 'TarExportFailed', message })
  }
}

async function hasOpenTransactions(turn: Turn, slot: TseSlot): Promise<boolean> {
  const info = await ask(turn, slot, (device, limit) => device.info(limit))
  return info.openTransactions.length > 0
}

function skipped(turn: Turn): void {
  const message = actions.exportSkipped
  addAction(turn, { priority: priority.information, type: 'TarExportSkipped', message })
}

async function keep(turn: Turn, slot: TseSlot, { tar, ...memory }: MemoryExport): Promise<void> {
  const content = tar === undefined ? {} : { content: await packedTar(tar) }
  const { moment, queue, newId } = turn.input
  const digits = moment.toISOString().replaceAll(/\D/g, '')
  turn.journal.push({
    id: newId(),
    kind: ARCHIVE_KIND,
    number: queue.receiptNumerator + 1,
    scuId: slot.scu.id,
    certificate: certificateOf(slot),
    content: archiveContent({
      fileName: `${digits}_${queue.identification}`,
      moment: moment.getTime(),
      ...memory,
      ...content,
    }),
  })
}
