// An ExportSource over rows in memory, in pages, that counts what an exporter has asked for.
import { createHash } from 'node:crypto'
import { openSpool } from '../../src/core/journal/spool.js'
import type { ExportSource, ItemEnds, MarketRowsAsked } from '../../src/model/export-source.js'
import type { CertificateEntry, StoredItem, StoredMarketRow } from '../../src/model/journal.js'
import type { PosSystem } from '../../src/model/pos-system.js'
import type { ExportUnit } from '../../src/model/scu.js'

export interface SourceInput {
  queue?: Partial<ExportSource['queue']>
  state?: string
  options?: ReadonlyMap<string, string>
  units?: readonly ExportUnit[]
  posSystems?: readonly PosSystem[]
  rows?: readonly StoredMarketRow[]
  items?: readonly StoredItem[]
  certificates?: readonly CertificateEntry[]
  certificateBefore?: Buffer
  range?: { from: bigint; to: bigint }
  pageSize?: number
}

export const EXPORT_TIME = new Date('2025-07-02T06:30:15.250Z')
export const QUEUE_ID = 'f05f0f42-6069-4418-885c-434afc7ed2eb'
export const CASH_BOX_ID = '3d6a1a2c-0d53-4c44-9a0f-64ad5d7a9c11'

export function exportSource(input: SourceInput): ExportSource & { pagesRead: number } {
  const size = input.pageSize ?? 1000
  const source = {
    pagesRead: 0,
    queue: {
      id: QUEUE_ID,
      cashBoxId: CASH_BOX_ID,
      identification: 'OFP-AT-0001',
      configuration: {},
      startMoment: null,
      stopMoment: null,
      lastMoment: null,
      receiptNumerator: 8,
      accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
      ...input.queue,
    },
    state: input.state ?? '{}',
    options: input.options ?? new Map<string, string>(),
    range: input.range ?? { from: 0n, to: 0n },
    now: EXPORT_TIME,
    marketRows: ({ kind, range }: MarketRowsAsked = {}) =>
      pages(
        (input.rows ?? []).filter(
          (row) => (kind ?? row.kind) === row.kind && row.timeStamp >= (range?.from ?? 0n),
        ),
      ),
    items: () => pages(input.items ?? []),
    units: async () => [...(input.units ?? [])],
    unit: async (id: string) => input.units?.find((unit) => unit.id === id),
    logRows: (unitId: string, numbers: { from: number; to: number }) =>
      pages(logOf(input.rows ?? [], unitId, numbers)),
    unitRows: (unitId: string, asked: { kind: string; after: bigint; upTo: bigint }) =>
      pages(
        (input.rows ?? [])
          .filter((row) => row.kind === asked.kind && row.scuId === unitId)
          .filter(({ timeStamp }) => timeStamp > asked.after && timeStamp <= asked.upTo)
          .map((row) => ({ ...row, queueId: QUEUE_ID })),
      ),
    rangeEnd: async () => input.range?.to || 2n ** 63n - 1n,
    lateRows: async () => [],
    posSystems: async () => [...(input.posSystems ?? [])],
    marketRowAfter: async (kind: string, timeStamp: bigint) =>
      input.rows?.find((row) => row.kind === kind && row.timeStamp > timeStamp),
    itemsBetween: (ends: ItemEnds) => {
      const [from = 1, to = 0] = [ends.from, ends.to].map((end) =>
        typeof end === 'number' ? end : input.items?.find(({ id }) => id === end)?.row,
      )
      return pages((input.items ?? []).filter((item) => item.row >= from && item.row <= to))
    },
    receiptsBefore: async (asked: readonly { reference: string; row: number }[]) =>
      asked.map(({ reference, row }) =>
        input.items?.findLast(
          (item) =>
            item.receiptReference === reference && item.row < row && item.receiptNumber !== null,
        ),
      ),
    spool: () => openSpool(),
    keptTar: async function* () {},
    certificate: async (fingerprint: Buffer) =>
      (input.certificates ?? []).find((one) => one.fingerprint.equals(fingerprint)),
    certificateBefore: async () => input.certificateBefore,
  }
  async function* pages<T>(all: readonly T[]): AsyncIterable<T[]> {
    for (let at = 0; at < all.length; at += size) {
      source.pagesRead += 1
      yield all.slice(at, at + size)
    }
  }
  return source
}

/** The rows that hold a message of this range: a row ends where the next one begins. */
function logOf(
  rows: readonly StoredMarketRow[],
  unitId: string,
  { from, to }: { from: number; to: number },
): StoredMarketRow[] {
  const log = rows
    .filter((row) => row.kind === 'device-log' && row.scuId === unitId)
    .sort((a, b) => a.number - b.number)
  return log.filter(
    (row, at) => row.number <= to && (log[at + 1]?.number ?? Number.POSITIVE_INFINITY) > from,
  )
}

export async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const parts: Buffer[] = []
  for await (const piece of pieces) parts.push(Buffer.from(piece))
  return Buffer.concat(parts).toString('utf8')
}

export function certificateEntry(der: Buffer, chain: Buffer[] = []): CertificateEntry {
  return { fingerprint: createHash('sha256').update(der).digest(), der, chain }
}
