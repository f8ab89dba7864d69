// What an exporter of a country may read of a queue. Filled by core/journal.
import type { CertificateEntry, StoredItem, StoredMarketRow } from './journal.js'
import type { PosSystem } from './pos-system.js'
import type { QueueView } from './queue.js'
import type { ExportUnit } from './scu.js'

/** What an exporter may read; every iterable is streamed in pages. */
export interface ExportSource {
  queue: QueueView & { accountId: string }
  /** The queue's market state as JSON text. */
  state: string
  /** Further parameters of the journal call, names in lower case. */
  options: ReadonlyMap<string, string>
  range: Ticks
  now: Date
  /** Rows of the country's journal, all that are asked for in the order of their ticks. */
  marketRows(asked?: MarketRowsAsked): AsyncIterable<StoredMarketRow[]>
  items(): AsyncIterable<StoredItem[]>
  certificate(fingerprint: Buffer): Promise<CertificateEntry | undefined>
  /** Signing units of the queue in configured order. */
  units(): Promise<ExportUnit[]>
  /** One of them; undefined: the queue has none of this id. */
  unit(id: string): Promise<ExportUnit | undefined>
  /**
   * Rows of kind `device-log` of one unit of the queue, whichever queue of the account wrote them,
   * in the order of their numbers; the bounds are inclusive.
   */
  logRows(unitId: string, numbers: { from: number; to: number }): AsyncIterable<StoredMarketRow[]>
  /**
   * Archives of a unit of the queue, or transactions that were ended on it: rows of the kind
   * behind `after` and up to `upTo` in the order of their ticks, whichever queue of the account
   * wrote them.
   */
  unitRows(
    unitId: string,
    asked: { kind: 'archive' | 'ended'; after: bigint; upTo: bigint },
  ): AsyncIterable<UnitRow[]>
  /** The last tick of the range. */
  rangeEnd(): Promise<bigint>
  /** Rows of kind `late` of the queue by their numbers, both bounds inclusive. */
  lateRows(numbers: { from: number; to: number }): Promise<StoredMarketRow[]>
  /** Point-of-sale products of the account. */
  posSystems(): Promise<PosSystem[]>
  /** The first row of this kind of the queue whose time stamp is larger. */
  marketRowAfter(kind: string, timeStamp: bigint): Promise<StoredMarketRow | undefined>
  /** Items of the queue in the order of their rows, both ends inclusive, whatever the range. */
  itemsBetween(ends: ItemEnds): AsyncIterable<StoredItem[]>
  /**
   * For each of these the newest receipt before `row` whose cbReceiptReference is `reference`, in
   * their order; one query for all.
   */
  receiptsBefore(
    asked: readonly { reference: string; row: number }[],
  ): Promise<(StoredItem | undefined)[]>
  /** The newest market row before the range that refers to a certificate. */
  certificateBefore(): Promise<Buffer | undefined>
  /**
   * An export that a device gave, as an archive names it. Throws where it is not the bytes that it
   * was.
   */
  keptTar(kept: { id: string; bytes: number }): AsyncIterable<Uint8Array>
  /** Temporary storage for a part of the export that must wait for its place; opened when used. */
  spool(): Spool
}

/** Inclusive time stamps; `to` 0: open end, negative: at most that many rows. */
export interface Ticks {
  from: bigint
  to: bigint
}

export interface MarketRowsAsked {
  /**
   * Rows of this kind alone; left out: of all. One letter is a chain: an index reads it by itself,
   * and a negative end counts its rows. Others are picked from the rows of the range.
   */
  kind?: string
  /** Left out: of the call. */
  range?: Ticks
}

/** Each a row, or the id of an item; one that the queue does not have gives nothing. */
export interface ItemEnds {
  from: number | string
  to: number | string
}

/** A row that all queues of a unit share, and whose receipt wrote it. */
export type UnitRow = StoredMarketRow & { queueId: string }

/** Temporary storage: written first, then read from its start. */
export interface Spool {
  /**
   * Throws FiscalError SPOOL_FULL beyond the size that one export may take. The bytes are the
   * caller's again when it is done.
   */
  write(bytes: Uint8Array): Promise<void>
  read(): AsyncIterable<Uint8Array>
  /** Gives the storage back; to be called however the export ends, as often as one likes. */
  close(): Promise<void>
}
