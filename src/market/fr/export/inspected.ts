// What an auditor gets of a French queue: the archives that were made in the period, and the chains
// of its documents.
import type { ExportSource } from '../../../model/export-source.js'
import type { LegalFile } from '../../contract.js'
import { LETTERS } from '../rows.js'
import { archiveZip } from './archive.js'
import { groups } from './groups.js'

/** Each by the ftQueueRow of its receipt. */
export const archives: LegalFile = {
  name: 'archives/{each}.zip',
  each: archiveRows,
  run: (source) => {
    const from = BigInt(source.options.get('each') ?? '')
    return archiveZip.run({ ...source, range: { from, to: 0n } })
  },
  verified: 'alone',
}

/** In the order of the letters, as the exports are. */
export const groupFiles: readonly LegalFile[] = groups.map(({ run }, at) => ({
  name: `chains/${LETTERS[at]}.csv`,
  run,
}))

async function archiveRows(source: ExportSource): Promise<string[]> {
  const rows: string[] = []
  for await (const page of source.chainRows('A')) {
    for (const { queueItemId } of page) {
      const row = await source.rowOfItem(queueItemId)
      if (row !== undefined) rows.push(String(row))
    }
  }
  return rows
}
