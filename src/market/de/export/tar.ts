// TAR exports of the TSE: straight from its memory, and from the archived exports. Called by the
// journal export with the types 0x4445000000000001 and 0x4445000000000003.
import assert from 'node:assert/strict'
import type { Exporter, ExportSource, ExportUnit } from '../../market.js'
import { ARCHIVE_KIND, type Archive, readArchive } from '../rows.js'
import { memoryExport, readState } from '../tse/state.js'
import { EMULATOR_PACKAGE } from '../tse/unit.js'
import { archiveTar } from './archive.js'
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
 * nothing is erased, and the range of the call does not count. Nothing held: an empty stream; so is
 * what a TSE outside this server holds, which no export asks.
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
 * the same bytes. Of a TSE that keeps its log itself: the archives as it gave them, one after the
 * other.
 */
export const archivedTar: Exporter = {
  contentType: CONTENT_TYPE,
  async *run(source) {
    for (const [scuId, { archives, isStored }] of await archivesByUnit(source)) {
      if (isStored) {
        yield* storedTars(source, scuId)
        continue
      }
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

interface UnitArchives {
  /** Without their bytes, which may be many. */
  archives: Archive[]
  isStored: boolean
}

async function archivesByUnit(source: ExportSource): Promise<Map<string, UnitArchives>> {
  const isWanted = wanted(source)
  const found = new Map<string, UnitArchives>()
  for await (const { scuId, archive } of archivesOf(source)) {
    if (!isWanted(scuId)) continue
    const { content, ...facts } = archive
    const unit = found.get(scuId) ?? { archives: [], isStored: content !== undefined }
    unit.archives.push(facts)
    found.set(scuId, unit)
  }
  return found
}

async function* storedTars(source: ExportSource, unitId: string): AsyncIterable<Uint8Array> {
  for await (const one of archivesOf(source)) {
    if (one.scuId === unitId) yield* archiveTar(source, one)
  }
}

async function* archivesOf(source: ExportSource) {
  for await (const page of source.marketRows()) {
    for (const { kind, scuId, content, number } of page) {
      if (kind !== ARCHIVE_KIND) continue
      assert(scuId !== null, `archive ${number} names no TSE`)
      yield { scuId, archive: readArchive(content) }
    }
  }
}
