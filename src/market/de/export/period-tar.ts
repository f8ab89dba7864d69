// The log of one TSE as far as a queue used it in a period: of the messages that this server keeps
// from the first to the last one, of a TSE outside of it the archives that it gave.
import type { ExportSource } from '../../../model/export-source.js'
import { LOG_KIND, logMessages } from '../queue.js'
import { members, newestMoment } from './members.js'
import { archivedTar } from './tar.js'
import { tarPieces } from './tar-writer.js'

export async function unitIds(source: ExportSource): Promise<readonly string[]> {
  return (await source.units()).map(({ id }) => id).sort()
}

/** `each` of the options names the TSE. Nothing, where the queue did not use it. */
export async function* periodTar(
  source: ExportSource,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  const scuId = source.options.get('each') ?? ''
  if ((await source.unit(scuId))?.memory() === undefined) {
    yield* archivedTar.run({ ...source, options: new Map([['scu', scuId]]) })
    return
  }
  const used = await usedCounters(source, scuId)
  if (used === undefined) return
  const content = { scuId, counters: [used] }
  yield* tarPieces(members(source, content), await newestMoment(source, content))
}

async function usedCounters(
  source: ExportSource,
  scuId: string,
): Promise<readonly [from: number, to: number] | undefined> {
  let first: number | undefined
  let last = 0
  for await (const page of source.marketRows({ kind: LOG_KIND })) {
    for (const row of page) {
      if (row.scuId !== scuId) continue
      first ??= row.number
      last = Math.max(last, row.number + logMessages(row).length - 1)
    }
  }
  return first === undefined ? undefined : [first, last]
}
