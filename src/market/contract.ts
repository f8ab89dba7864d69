// The interface that a country implements; everything the core knows about countries is in here.
import type { z } from 'zod'
import type { ReceiptWords } from '../case/reader.js'
import type { CaseRules } from '../case/rules.js'
import type { ScuHead } from '../device/device.js'
import type { Driver } from '../device/driver.js'
import type {
  ActionRow,
  CertificateEntry,
  MarketRow,
  StoredItem,
  StoredMarketRow,
} from '../model/journal.js'
import type { PosSystem } from '../model/pos-system.js'
import type {
  Missing,
  Notification,
  NotificationSources,
  TurnoverKey,
  UnitLink,
} from '../model/queue-facts.js'
import type { ReceiptRequest, Signature } from '../model/receipt.js'
import type { RolloutRules } from '../model/rollout.js'
import type { ExportUnit } from '../model/scu.js'
import type { Finding, Verdict } from '../model/verdict.js'
import type { MarketFacts, MasterDataRules, TaxNumber } from './facts.js'

export { NO_CAPABILITIES } from './facts.js'
export type {
  ActionRow,
  CertificateEntry,
  ExportUnit,
  Finding,
  MarketFacts,
  MarketRow,
  MasterDataRules,
  PosSystem,
  StoredItem,
  StoredMarketRow,
  TaxNumber,
}

/** The queue as a receipt finds it. Nothing here may be changed by a market. */
export interface QueueView {
  id: string
  cashBoxId: string
  identification: string
  /** Parameters of the queue, already checked by the market's `configuration` schema. */
  configuration: unknown
  startMoment: Date | null
  stopMoment: Date | null
  /** Receipts so far; the new one is shown with this number and journalled with the next. */
  receiptNumerator: number
}

export interface SignInput<S, D> {
  request: ReceiptRequest
  /** Its case words, read once. */
  words: ReceiptWords
  /** The answer speaks version 2, whatever tables the case of the request belongs to. */
  answersV2?: boolean
  queue: QueueView
  item: { id: string; row: number }
  state: S
  /** Opened secrets of the queue as JSON text; '' when it has none yet. */
  secrets: string
  /** ftReceiptMoment: the queue's time, never earlier than the previous receipt's. */
  moment: Date
  /** ftReceiptMoment of the receipt before it; null or left out for the first. */
  lastMoment?: Date | null
  sandbox: boolean
  /** The signing units of the queue in configured order. */
  devices: readonly DeviceSlot<D>[]
  /** True the first time a key is asked in this process run of the queue. */
  once(key: string): boolean
  /** A new time-ordered id. */
  newId(): string
  /** 32 or so random bytes for keys made by the market. */
  randomBytes(count: number): Buffer
  /**
   * Milliseconds since this receipt's turn began, by a clock that never jumps: limits device calls.
   */
  elapsedMs(): number
}

export interface DeviceSlot<D> {
  scu: ScuHead
  device: D
}

/** A receipt that the market accepted, signed or not. */
export interface Accepted<S> {
  kind: 'accepted'
  /** ftState without the base that the interface version needs: the complete 64-bit word. */
  stateWord: bigint
  /** Complete ftReceiptIdentification. */
  identification: string
  signatures: Signature[]
  stateData: string | null
  state: S
  /** New secrets to seal, or undefined when they stay. */
  secrets?: string
  startMoment?: Date
  stopMoment?: Date
  journal: MarketRow[]
  actions: ActionRow[]
  /** For the log: what the register should send and did not; told once per run of the server. */
  warnings?: readonly string[]
}

/** A rule of the market says no: stored as an erroneous item, answered as an error. */
export interface Refused {
  kind: 'refused'
  message: string
  /** Wire name of the member at fault, when there is one. */
  field?: string
  /** Complete ftState of the error. */
  stateWord: bigint
  /** Type word of the signature item that carries the message. */
  signatureType: bigint
  /** True when the request used v2 tagging: the stored response is returned, not an error. */
  answered: boolean
  actions: ActionRow[]
  /** What a device has logged before the rule was found broken. */
  journal?: MarketRow[]
}

export type SignOutcome<S> = Accepted<S> | Refused

/** A receipt that is only tried: the units are known, and none of them is asked. */
export interface PreviewInput<S> extends Omit<SignInput<S, never>, 'devices'> {
  units: readonly ScuHead[]
}

/** What a receipt would become if every unit did what it is asked to. */
export interface Preview<S> {
  /** The case in the tables of v0/v1 as a complete word; null where it has no place there. */
  v0: bigint | null
  /** Numbers, codes and signatures in it are made up. */
  outcome: SignOutcome<S>
  /** What the receipt would move, beside the rows and numbers that every country has. */
  changes: Change[]
}

export interface Change {
  what: string
  from: string | number
  to: string | number
}

/** What an exporter may read; every iterable is streamed in pages. */
export interface ExportSource {
  queue: QueueView & { accountId: string }
  /** The queue's market state as JSON text. */
  state: string
  /** Further parameters of the journal call, names in lower case. */
  options: ReadonlyMap<string, string>
  /** Inclusive ticks; `to` 0: open end, negative: at most that many rows. */
  range: { from: bigint; to: bigint }
  now: Date
  marketRows(): AsyncIterable<StoredMarketRow[]>
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
  /** Items of the queue in the order of their rows, both bounds inclusive, whatever the range. */
  itemsBetween(rows: { from: number; to: number }): AsyncIterable<StoredItem[]>
  /**
   * For each of these the newest receipt before `row` whose cbReceiptReference is `reference`, in
   * their order; one query for all.
   */
  receiptsBefore(
    asked: readonly { reference: string; row: number }[],
  ): Promise<(StoredItem | undefined)[]>
  /** The newest market row before the range that refers to a certificate. */
  certificateBefore(): Promise<Buffer | undefined>
  /** Temporary storage for a part of the export that must wait for its place; opened when used. */
  spool(): Spool
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

export interface Exporter {
  contentType: string
  /** Pieces of the export in order. */
  run(source: ExportSource): AsyncIterable<string | Uint8Array>
}

/** One receipt as the checker of stored data hands it to its market. */
export interface AuditedReceipt {
  row: number
  /** The stored answer; null while there is none. */
  response: string | null
  /** What the market's journal holds about it, in order. */
  journal: StoredMarketRow[]
  /** Types of the action journal entries that were written with it. */
  actionTypes: string[]
}

/** A second look at what a queue has stored, by the country's own rules. */
export interface Auditor {
  /** The receipts one by one, in the order in which they were made. */
  receipt(receipt: AuditedReceipt): Finding[]
  /** After the last receipt: what the queue's state must be now. */
  end(): Finding[]
  /**
   * After the last receipt: the export that the law wants, which is verified as a whole, and the
   * key that its verifier needs; undefined: there is nothing to verify.
   */
  legalExport(): { type: bigint; key?: string } | undefined
  /** What the verdict on it says of what is stored. */
  judge(verdict: Verdict): Finding[]
}

/** What `fiskalwerk demo` shows of a market. */
export interface DemoFacts {
  scuPackage: string
  startCase: bigint
  /** Parameters of the demo's queue; left out: none. */
  configuration?: Record<string, unknown>
  /** A sale in wire members, without ids, reference and moment. */
  sale: Record<string, unknown>
  /** The legal export, and a file name for it. */
  journalType: string
  exportFile: string
}

export interface Market<S = unknown, D = unknown> {
  facts: MarketFacts
  /** Parameters of a queue that this market understands. */
  configuration: z.ZodType
  state: z.ZodType<S>
  /** State of a queue that was just created. */
  initialState(): S
  /** Left out: a queue tries all its units. */
  link?(state: S): UnitLink
  /** How its case words are read. */
  cases: CaseRules
  process(input: SignInput<S, D>): Promise<SignOutcome<S>>
  /** The same without asking a unit; nothing of it is stored. */
  preview(input: PreviewInput<S>): Promise<Preview<S>>
  /** Keyed by the canonical 64-bit journal type, as hexWord writes it. */
  exports: Record<string, Exporter>
  /** Further journal types that give the status object, in the same spelling. */
  statusTypes?: readonly string[]
  /** Members of the country's status and raw journal objects, without secrets. */
  describeQueue(
    queue: QueueView & { timeStamp: bigint },
    state: S,
    secrets: string,
  ): Record<string, unknown>
  /**
   * ftState as the next receipt would show it at `now`, the queue's time in Unix milliseconds: the
   * clocks of what is due run without receipts. Left out: the status shows none.
   */
  stateAt?(queue: QueueView, state: S, moment: { now: number; answersV2: boolean }): bigint
  describeMarketRow(row: StoredMarketRow, queueId: string): Record<string, unknown>
  /**
   * For a country whose raw journal does not show every row, or more than the row says; undefined:
   * the row is not shown. Without it `describeMarketRow` describes every row.
   */
  describeRaw?(
    row: StoredMarketRow,
    source: ExportSource,
  ): Promise<Record<string, unknown> | undefined>
  /** Names of the lists in configuration exports: QueueATList, SignaturCreationUnitATList. */
  listNames: { queue: string; scu: string }
  drivers: Record<string, Driver<D>>
  /** For the checker of stored data; a market without it is checked by the common rules only. */
  audit?(queue: QueueView, state: S, secrets: string): Auditor
  /**
   * The key that is registered with the authorities; left out: receipts have no encrypted counter.
   * `configuration` as stored, `secrets` opened.
   */
  turnoverKey?(configuration: unknown, secrets: string): TurnoverKey
  /**
   * What the tax office is told of a till, its merchant and its place, and what is wanting of it;
   * left out: tills are registered by their identification and their units alone.
   */
  notification?(sources: NotificationSources): { notification: Notification; missing: Missing[] }
  /** What an identification of a queue must look like (Austria: the Kassen-ID). */
  identification: z.ZodType<string>
  demo: DemoFacts
  /** Left out: no templates. */
  rollout?: RolloutRules
}
