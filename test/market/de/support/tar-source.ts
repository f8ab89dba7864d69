// Log rows, archives and certificates in memory, as the TAR exports read them; and readers of the
// container that share nothing with its writer.

import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { openSpool } from '../../../../src/core/journal/spool.js'
import type { LogMessage } from '../../../../src/device/tse/tse.js'
import { ticksOf } from '../../../../src/lib/ticks.js'
import {
  ARCHIVE_KIND,
  type Archive,
  archiveContent,
  LOG_KIND,
  logContent,
} from '../../../../src/market/de/queue.js'
import type { ExportSource } from '../../../../src/model/export-source.js'
import type { CertificateEntry, StoredMarketRow } from '../../../../src/model/journal.js'
import type { ExportUnit, UnitMemory } from '../../../../src/model/scu.js'
import { INFO_CSV } from '../../../../src/simulator/tse/unit.js'
import type { MemoryTars } from '../../../support/de/memory-tars.js'

export const NOW = new Date('2026-01-01T10:00:30.000Z')
/** A message was made as many seconds later as its counter says. */
export const LOGGED_AT = new Date('2026-01-01T09:00:00.000Z')

export interface TarSourceInput {
  rows: readonly StoredMarketRow[]
  certificates: readonly CertificateEntry[]
  units?: readonly ExportUnit[]
  options?: Record<string, string>
  range?: ExportSource['range']
  pageSize?: number
  tars?: MemoryTars
}

const CASH_BOX = '3d6a1a2c-0d53-4c44-9a0f-64ad5d7a9c11'

export type TarSource = ExportSource & { pagesRead: number; pagesClosed: boolean }

export function tarSource(input: TarSourceInput): TarSource {
  const { rows, units = [], pageSize = 2 } = input
  async function* pages<T>(all: readonly T[]): AsyncIterable<T[]> {
    try {
      for (let at = 0; at < all.length; at += pageSize) {
        source.pagesRead += 1
        yield all.slice(at, at + pageSize)
      }
    } finally {
      source.pagesClosed = true
    }
  }
  const source: TarSource = {
    pagesRead: 0,
    pagesClosed: false,
    queue: {
      id: 'f05f0f42-6069-4418-885c-434afc7ed2eb',
      accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
      cashBoxId: CASH_BOX,
      identification: 'KASSE-0001',
      configuration: {},
      startMoment: null,
      stopMoment: null,
      lastMoment: null,
      receiptNumerator: 3,
    },
    state: '{}',
    options: new Map(Object.entries(input.options ?? {})),
    range: input.range ?? { from: 0n, to: 0n },
    now: NOW,
    marketRows: ({ kind } = {}) => pages(rows.filter((row) => (kind ?? row.kind) === row.kind)),
    items: () => pages([]),
    certificate: async (fingerprint) =>
      input.certificates.find((one) => one.fingerprint.equals(fingerprint)),
    units: async () => (units.length > 0 ? [...units] : unitsIn(rows)),
    unit: async (id) => units.find((one) => one.id === id) ?? emptyUnit(id),
    logRows: (unitId, { from, to }) =>
      pages(
        rows.filter(
          ({ kind, scuId, number }) =>
            kind === LOG_KIND && scuId === unitId && number >= from && number <= to,
        ),
      ),
    unitRows: (unitId, { kind, after, upTo }) =>
      pages(
        rows
          .filter((row) => row.kind === kind && row.scuId === unitId)
          .filter(({ timeStamp }) => timeStamp > after && timeStamp <= upTo)
          .map((row) => ({ ...row, queueId: source.queue.id })),
      ),
    rangeEnd: async () => input.range?.to || 2n ** 63n - 1n,
    lateRows: async () => [],
    posSystems: async () => [],
    spool: () => openSpool(),
    keptTar: ({ id }) => input.tars?.named(id)?.read() ?? noBytes(),
    marketRowAfter: async () => undefined,
    itemsBetween: () => pages([]),
    receiptsBefore: async () => [],
    certificateBefore: async () => undefined,
  }
  return source
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** Units of which nothing is known but their archives. */
function unitsIn(rows: readonly StoredMarketRow[]): ExportUnit[] {
  const ids = new Set(rows.flatMap(({ kind, scuId }) => (kind === ARCHIVE_KIND ? [scuId] : [])))
  return [...ids].map((id) => emptyUnit(String(id)))
}

/** It lies in this server and holds nothing any more. */
function emptyUnit(id: string): ExportUnit {
  const memory = (): UnitMemory => ({
    ...{ held: [], erasedUpTo: 0, isUsed: true, info: INFO_CSV },
    certificate: () => ({ der: Buffer.alloc(0), chain: [] }),
  })
  return { id, package: '', configuration: '{}', state: '{}', memory }
}

export interface LogRowInput {
  scuId: string
  fingerprint: Buffer | null
  messages: readonly LogMessage[]
}

export function logRow({ scuId, fingerprint, messages }: LogRowInput): StoredMarketRow {
  const number = messages[0]?.signatureCounter ?? 0
  const content = logContent(messages)
  const timeStamp = ticksOf(LOGGED_AT.getTime() + number * 1000)
  return {
    ...rowOf(number),
    timeStamp,
    kind: LOG_KIND,
    scuId,
    certificateFingerprint: fingerprint,
    content,
  }
}

export function archiveRow(scuId: string, archive: Archive): StoredMarketRow {
  return { ...rowOf(archive.to), kind: ARCHIVE_KIND, scuId, content: archiveContent(archive) }
}

function rowOf(number: number) {
  return {
    timeStamp: BigInt(number),
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    number,
    queueItemId: '00000000-0000-7000-8000-000000000000',
    certificateFingerprint: null,
  }
}

export async function bytesOf(pieces: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const piece of pieces) parts.push(Buffer.from(piece))
  return Buffer.concat(parts)
}

/** Members by name, in order, read with the library. */
export async function membersOf(tar: Buffer): Promise<[name: string, content: Buffer][]> {
  const found: [string, Buffer][] = []
  const reader = Readable.from([tar]).pipe(extract())
  for await (const entry of reader) {
    found.push([entry.header.name, await bytesOf(entry as AsyncIterable<Uint8Array>)])
  }
  return found
}

const BLOCK = 512

/** Header blocks of a container, read by their places in the standard. */
export function headersOf(tar: Buffer): Buffer[] {
  const headers: Buffer[] = []
  for (let at = 0; tar[at] !== 0 && at < tar.length; ) {
    const header = tar.subarray(at, at + BLOCK)
    headers.push(header)
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return headers
}
