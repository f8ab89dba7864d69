// TAR exports of the TSE: straight from its memory, and from the archived exports.

import { X509Certificate } from 'node:crypto'
import type { ExportSource } from '../../../model/export-source.js'
import type { ExportUnit, UnitMemory } from '../../../model/scu.js'
import type { Export } from '../../contract.js'
import { isWord } from '../../kit/journal-word.js'
import { ARCHIVE_KIND, type Archive, deState, readArchive } from '../queue.js'

import { archiveTar } from './archive.js'
import { type Counters, countersOf, emptyMembers, members, newestMoment } from './members.js'
import { tarPieces } from './tar-writer.js'

const CONTENT_TYPE = 'application/octet-stream'

/** True for every TSE, or for the one that `&scu=<id>` asks for. */
function wanted(source: ExportSource): (scuId: string) => boolean {
  const asked = source.options.get('scu')?.toLowerCase()
  return (scuId) => asked === undefined || asked === '' || asked === scuId.toLowerCase()
}

/**
 * Everything that the TSEs linked to the queue still hold, one complete TAR after the other;
 * nothing is erased, and the range of the call does not count. Where none of them holds a message,
 * the TAR of the linked one has info.csv and certificates. Dated like the newest message in it, or
 * like the certificate: while nothing is signed the same call gives the same bytes. A TSE outside
 * this server gives nothing: no export asks it.
 */
export const memoryTar: Export = {
  matches: isWord('0x4445000000000001', '0x4445200000001001'),
  contentType: CONTENT_TYPE,
  async *run(source) {
    const isWanted = wanted(source)
    const held = (await source.units()).filter(({ id }) => isWanted(id)).flatMap(heldBy)
    const full = held.filter(({ memory }) => memory.held.length > 0)
    for (const { id, memory } of full) {
      const content = { scuId: id, counters: memory.held }
      yield* tarPieces(members(source, content), await newestMoment(source, content))
    }
    const empty = full.length === 0 ? emptyOne(source, held) : undefined
    if (empty !== undefined) yield* emptyTar(empty.memory)
  },
}

function emptyTar(memory: UnitMemory): AsyncGenerator<Uint8Array> {
  const { validFrom } = new X509Certificate(memory.certificate().der)
  return tarPieces(emptyMembers(memory), new Date(validFrom))
}

interface Held {
  id: string
  memory: UnitMemory
}

function heldBy({ id, memory }: ExportUnit): Held[] {
  const found = memory()
  return found === undefined ? [] : [{ id, memory: found }]
}

/** The linked TSE, or the last one that was put into operation. */
function emptyOne(source: ExportSource, units: readonly Held[]): Held | undefined {
  const used = units.filter(({ memory }) => memory.isUsed)
  const linked = linkedUnit(source.state)
  return used.find(({ id }) => id === linked) ?? used.at(-1)
}

function linkedUnit(state: string): string | null {
  const parsed = deState.safeParse(JSON.parse(state))
  return parsed.success ? parsed.data.scuId : null
}

/**
 * One TAR per TSE, made of its archived exports in the range, whichever queue's closing archived
 * them, each log message once; several TSEs in the order of their first use. Dated like the newest
 * archive in it: the same call gives the same bytes. Of a TSE that keeps its log itself: the
 * archives as it gave them, one after the other.
 */
export const archivedTar: Export = {
  matches: isWord('0x4445000000000003', '0x4445200000001003'),
  contentType: CONTENT_TYPE,
  async *run(source) {
    const upTo = await source.rangeEnd()
    for (const archived of await archivedUnits(source, upTo)) {
      if (archived.isStored) {
        yield* storedTars(source, archived.unit.id, upTo)
        continue
      }
      const counters = archivedCounters(source, archived)
      if (counters.length === 0) continue
      const { moment } = archived
      yield* tarPieces(members(source, { scuId: archived.unit.id, counters }), new Date(moment))
    }
  },
}

/** The archives of one TSE without their bytes, which may be many. */
interface ArchivedUnit {
  unit: ExportUnit
  archives: Archive[]
  isStored: boolean
  /** Ticks of the first archive of this queue, else of any. */
  firstUse: bigint
  /** Unix milliseconds of the newest archive. */
  moment: number
}

async function archivedUnits(source: ExportSource, upTo: bigint): Promise<ArchivedUnit[]> {
  const isWanted = wanted(source)
  const found: ArchivedUnit[] = []
  for (const unit of await source.units()) {
    if (isWanted(unit.id)) found.push(await archivedUnit(source, unit, upTo))
  }
  return found.sort((a, b) => (a.firstUse < b.firstUse ? -1 : 1))
}

async function archivedUnit(
  source: ExportSource,
  unit: ExportUnit,
  upTo: bigint,
): Promise<ArchivedUnit> {
  const archives: Archive[] = []
  let isStored = false
  let first: bigint | undefined
  let ownFirst: bigint | undefined
  for await (const { row, archive } of archivesOf(source, unit.id, upTo)) {
    const { content, ...facts } = archive
    isStored ||= content !== undefined || archive.kept !== undefined
    archives.push(facts)
    first ??= row.timeStamp
    if (row.queueId === source.queue.id) ownFirst ??= row.timeStamp
  }
  const moment = Math.max(0, ...archives.map((one) => one.moment))
  const firstUse = ownFirst ?? first ?? upTo
  return { unit, archives, isStored, firstUse, moment: moment || source.now.getTime() }
}

/**
 * All counters up to the newest archive; of the whole range also what the TSE has erased by an
 * export whose answer was lost: nothing may be in neither TAR.
 */
function archivedCounters(source: ExportSource, { unit, archives }: ArchivedUnit): Counters {
  const { from, to } = source.range
  const ends = archives.map((archive) => archive.to)
  const erased = from <= 0n && to === 0n ? (unit.memory()?.erasedUpTo ?? 0) : 0
  if (erased === 0 && countersOf(archives).length === 0) return []
  const last = Math.max(erased, ...ends)
  const first = from <= 0n ? 1 : Math.min(...ends) + 1
  const between = { from: first, to: last, without: [], erased: false }
  return countersOf([...archives, between])
}

async function* storedTars(
  source: ExportSource,
  unitId: string,
  upTo: bigint,
): AsyncIterable<Uint8Array> {
  // two closings at a time may have had the same one
  const seen = new Set<string>()
  for await (const { archive } of archivesOf(source, unitId, upTo)) {
    const id = archive.kept?.id ?? ''
    if (seen.has(id)) continue
    if (id !== '') seen.add(id)
    yield* archiveTar(source, { scuId: unitId, archive })
  }
}

async function* archivesOf(source: ExportSource, unitId: string, upTo: bigint) {
  const asked = { kind: ARCHIVE_KIND, after: source.range.from - 1n, upTo } as const
  for await (const page of source.unitRows(unitId, asked)) {
    for (const row of page) yield { row, archive: readArchive(row.content) }
  }
}
