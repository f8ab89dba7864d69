// The memory of an Epson device: all of it in pieces, erased only after all bytes are here and
// read as what they have to be.
import { DeviceError } from '../../../../device/device.js'
import type { MemoryExport } from '../../../../device/tse/tse.js'
import { MOST_TAR_BYTES } from '../../queue.js'
import { partBytes } from '../remote-answer.js'
import { countersIn, rangeOf } from '../remote-export.js'
import { answers } from './answer.js'
import type { Ask } from './link.js'

/** Throws DeviceError; what was begun is given up, and nothing is erased. */
export async function exportOf(ask: Ask, erase: boolean): Promise<MemoryExport> {
  const schema = answers.none
  await begin(ask)
  try {
    const tar = await fetched(ask)
    const counters = await countersIn(tar)
    const input = { clientId: '' }
    const wish = { name: 'GetStartedTransactionList', input, schema: answers.started }
    const { startedTransactionNumberList: open } = await ask(wish)
    // a device with open transactions erases them not at all, or with the rest: it keeps everything
    const deleteData = erase && open.length === 0
    await ask({ name: 'FinalizeExport', input: { deleteData }, schema })
    return { ...rangeOf(counters), erased: deleteData, tar }
  } catch (error) {
    await ask({ name: 'CancelExport', input: {}, schema }).catch((second: unknown) => {
      if (!(second instanceof DeviceError)) throw second
    })
    throw error
  }
}

/** One that nobody has ended is given up first. */
async function begin(ask: Ask): Promise<void> {
  const call = { name: 'ArchiveExport', input: {}, schema: answers.none }
  try {
    await ask(call)
  } catch (error) {
    if (!(error instanceof DeviceError) || error.kind !== 'busy') throw error
    await ask({ name: 'CancelExport', input: {}, schema: answers.none })
    await ask(call)
  }
}

async function fetched(ask: Ask): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  const call = { name: 'GetExportData', input: {}, schema: answers.exportData }
  for (;;) {
    const { exportData, exportStatus } = await ask(call)
    const part = partBytes(exportData)
    parts.push(part)
    length += part.length
    if (length > MOST_TAR_BYTES) {
      throw new DeviceError(`the export has more than ${MOST_TAR_BYTES} bytes`)
    }
    if (exportStatus === 'EXPORT_COMPLETE') return Buffer.concat(parts, length)
  }
}
