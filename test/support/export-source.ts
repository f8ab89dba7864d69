// An ExportSource over rows in memory, in pages, that counts what an exporter has asked for.
import { createHash } from 'node:crypto'
import type {
  CertificateEntry,
  ExportSource,
  StoredItem,
  StoredMarketRow,
} from '../../src/market/market.js'

export interface SourceInput {
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
      receiptNumerator: 8,
      accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
    },
    range: input.range ?? { from: 0n, to: 0n },
    now: EXPORT_TIME,
    marketRows: () => pages(input.rows ?? []),
    items: () => pages(input.items ?? []),
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

export async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const parts: Buffer[] = []
  for await (const piece of pieces) parts.push(Buffer.from(piece))
  return Buffer.concat(parts).toString('utf8')
}

export function certificateEntry(der: Buffer, chain: Buffer[] = []): CertificateEntry {
  return { fingerprint: createHash('sha256').update(der).digest(), der, chain }
}
