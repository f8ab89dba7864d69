// TAR exports of the TSE: straight from its memory, and from the archived exports. Called by the
// journal export with the types 0x4445000000000001 and 0x4445000000000003.
import assert from 'node:assert/strict'
import type { Exporter, ExportSource, ExportUnit } from '../../market.js'
import { ARCHIVE_KIND, type Archive, readArchive } from '../rows.js'
import { memoryExport, readState } from '../tse/state.js'
import { EMULATOR_PACKAGE } from '../tse/unit.js'
import { type Counters, countersOf, members } from './members.js'
import { tarPieces } from './tar-writer.js'

const CONTENT_TYPE = 'application/octet-stream'

/** True for every TSE, or for the one that `&scu=<id>` asks for. */
function wanted(source: ExportSource): (scuId: string) => boolean {
  const asked = source.options.get('scu')?.toLowerCase()
  return (scuId) => asked === undefined || asked === '' || asked === scuId.toLowerCase()
}

/**
 * Everything that the TSEs linked to the queue still hold, one complete TAR after the other;
 * nothing is erased, and the range of the call does not count. Nothing held: an empty stream.
 */
export const memoryTar: Exporter = {
  contentType: CONTENT_TYPE,
  async *run(source) {
    const isWanted = wanted(source)
    for (const unit of await source.units()) {
      if (isWanted(unit.id)) yield* unitTar(source, unit)
    }
  },
}

async function* unitTar(source: ExportSource, unit: ExportUnit): AsyncIterable<Uint8Array> {
  if (unit.package !== EMULATOR_PACKAGE) return
  const counters = countersOf([memoryExport(readState(unit.state), false)])
  if (counters.length === 0) return
  yield* tarPieces(members(source, { scuId: unit.id, counters }), source.now)
}

/**
 * One TAR per TSE, made of all its archived exports in the range, each log message once; several
 * TSEs in the order of their first use. Dated like the newest archive in it: the same call gives
 * the same bytes.
 */
export const archivedTar: Exporter = {
  contentType: CONTENT_TYPE,
  async *run(source) {
    for (const [scuId, archives] of await archivesByUnit(source)) {
      const counters = archivedCounters(archives, source.range.from <= 0n)
      if (counters.length === 0) continue
      const moment = new Date(Math.max(...archives.map((archive) => archive.moment)))
      yield* tarPieces(members(source, { scuId, counters }), moment)
    }
  },
}

/**
 * All counters up to the newest archive. What lies between two of them and is in neither was erased
 * by an export that another queue of the same TSE has archived, and belongs to the TSE's exports
 * all the same. `isWhole`: from the first message on.
 */
function archivedCounters(archives: readonly Archive[], isWhole: boolean): Counters {
  const own = countersOf(archives)
  if (own.length === 0) return own
  const ends = archives.map(({ to }) => to)
  const from = isWhole ? 1 : Math.min(...ends) + 1
  const between = { from, to: Math.max(...ends), without: [], erased: false }
  return countersOf([...archives, between])
}

async function archivesByUnit(source: ExportSource): Promise<Map<string, Archive[]>> {
  const isWanted = wanted(source)
  const found = new Map<string, Archive[]>()
  for await (const page of source.marketRows()) {
    for (const { kind, scuId, content, number } of page) {
      if (kind !== ARCHIVE_KIND) continue
      assert(scuId !== null, `archive ${number} names no TSE`)
      if (!isWanted(scuId)) continue
      const archives = found.get(scuId) ?? []
      archives.push(readArchive(content))
      found.set(scuId, archives)
    }
  }
  return found
}
