// Exports of the TSE's memory that closings leave in the journal (ftJournalDE). A failed export
// never fails the receipt.
import { DeviceError } from '../../device/device.js'
import type { MemoryExport } from '../../device/tse/tse.js'
import { addAction, priority } from '../kit/draft.js'
import { ask, certificateOf, once } from './device-calls.js'
import { has, type ReceiptDraft, type TseSlot } from './receipt-draft.js'
import { ARCHIVE_KIND, archiveContent } from './rows.js'
import { packedTar } from './stored-tar.js'
import { actions } from './text.js'

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
    if (mode === 'Erased' && !memory.erased) return skipped(draft)
    await keep(draft, slot, memory)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
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

async function keep(
  draft: ReceiptDraft,
  slot: TseSlot,
  { tar, ...memory }: MemoryExport,
): Promise<void> {
  const content = tar === undefined ? {} : { content: await packedTar(tar) }
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
      ...content,
    }),
  })
}
