// The memory of an Epson device: all of it in pieces, in visits that let registers have their turn
// (a receipt ends the export: the device does not sign meanwhile), erased only after all bytes are
// here and read as what they have to be.
import { DeviceError } from '../../../../device/device.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import { type Ended, type ExportSteps, type Fetching, mustFit, SPARE_MS } from '../kept-export.js'
import { partBytes } from '../remote-answer.js'
import type { Scanned } from '../tar-scan.js'
import { answers } from './answer.js'
import type { Ask } from './link.js'

/** Longest visit while registers wait, and the pause behind it. */
const VISIT_MS = 1_000
const PAUSE_MS = 100

export interface EpsonExport {
  budget: TimeBudget
  visit<T>(work: (ask: Ask) => Promise<T>): Promise<T>
}

export function epsonExport({ budget, visit }: EpsonExport): ExportSteps {
  const giveUp = () => visit((ask) => ask({ ...CANCEL, schema: answers.none })).then(() => {})
  return {
    begin: () => visit(begin),
    async fetch(fetching) {
      while (budget.left() > SPARE_MS) {
        const until = Math.max(SPARE_MS, budget.left() - VISIT_MS)
        const isWhole = await visit((ask) => fetchUntil(fetching, ask, () => budget.left() > until))
        if (isWhole) return true
        await fetching.keep()
        if (budget.left() <= SPARE_MS) return false
        await budget.sleep(PAUSE_MS)
      }
      return false
    },
    end: (scanned, { erase }) => visit((ask) => end(ask, scanned, erase)),
    giveUp,
  }
}

const CANCEL = { name: 'CancelExport', input: {} }

/** One that nobody has ended is given up first. */
async function begin(ask: Ask): Promise<string> {
  await ask({ name: 'ArchiveExport', input: {}, schema: answers.none })
  return ''
}

async function fetchUntil(fetching: Fetching, ask: Ask, hasTime: () => boolean): Promise<boolean> {
  const call = { name: 'GetExportData', input: {}, schema: answers.exportData }
  await fetching.risk()
  for (;;) {
    const { exportData, exportStatus } = await ask(call)
    await fetching.tar.write(partBytes(exportData))
    mustFit(fetching.tar.bytes)
    if (exportStatus === 'EXPORT_COMPLETE') return true
    if (!hasTime()) return false
  }
}

/**
 * A device with open transactions erases them not at all, or with the rest, and nobody says what it
 * does with messages that came during the export: it keeps everything then.
 */
async function end(ask: Ask, { to }: Scanned, wish: boolean): Promise<Ended> {
  const input = { clientId: '' }
  const open = { name: 'GetStartedTransactionList', input, schema: answers.started }
  const { startedTransactionNumberList: started } = await ask(open)
  const about = { name: 'GetStorageInfo', input: {}, schema: answers.info }
  const { tseInformation } = await ask(about)
  const erased = wish && started.length === 0 && tseInformation.createdSignatures <= to
  try {
    const finish = { name: 'FinalizeExport', input: { deleteData: erased } }
    await ask({ ...finish, schema: answers.none })
  } catch (error) {
    // without an answer it may have erased them: these bytes may be all that is left
    const isUnknown = error instanceof DeviceError && error.kind === 'unknown-outcome'
    if (!isUnknown) throw error
  }
  return { erased, gone: erased }
}
