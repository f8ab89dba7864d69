// The contract of a country: what it implements, what a receipt brings, and what it leaves behind.
import type { z } from 'zod'
import type { CasedRequest } from '../case/reader.js'
import type { CaseRules } from '../case/rules.js'
import type { DriverTools, ScuHead } from '../device/device.js'
import type { Driver } from '../device/driver.js'
import type { Soon } from '../lib/soon.js'
import type { ExportSource } from '../model/export-source.js'
import type { ActionRow, EarlierReceipt, MarketRow, StoredMarketRow } from '../model/journal.js'
import type { OpenOutage } from '../model/outage.js'
import type { QueueView } from '../model/queue.js'
import type {
  Missing,
  Notification,
  NotificationSources,
  Seller,
  TurnoverKey,
  UnitLink,
} from '../model/queue-facts.js'
import type { ReceiptLines, Signature } from '../model/receipt.js'
import type { RolloutRules } from '../model/rollout.js'
import type { Finding, Verdict } from '../model/verdict.js'
import type { MarketFacts } from './facts.js'

/** A country. `S` is what a queue carries from receipt to receipt, `D` its opened device. */
export interface Market<S = unknown, D = unknown> {
  facts: MarketFacts
  /** How its case words are read. */
  cases: CaseRules
  queue: QueueRules<S>
  /**
   * The step: the same input gives the same outcome. A device that fails is part of an outcome; an
   * exception means that the program is wrong.
   */
  process(input: ReceiptInput<S, D>): Soon<ReceiptOutcome<S>>
  /** The same without asking a unit; nothing of it is stored. */
  preview(input: PreviewInput<S>): Promise<Preview<S>>
  /**
   * What it gives out: of the journal types the first one that matches is taken; files are what an
   * auditor gets of a queue beside the journals of every country.
   */
  exports: readonly (Export | StatusName | LegalFile)[]
  describe: Descriptions<S>
  /** By the name of their package. */
  drivers: Readonly<Record<string, Driver<D>>>
  /** For the checker of stored data; a market without it is checked by the common rules only. */
  audit?(queue: QueueView, state: S, secrets: string): Auditor
  rollout: Rollout
  /** What ends an outage; left out: receipts of this country have no such mode. */
  outage?: OutageRules<S>
  /**
   * What is done for the entries of `outbox`, by their kind. One of the kind `exported` follows
   * each export given out by journal type; its payload has `type`, `from` and `to`, and `until`,
   * up to when it has everything (ISO text; null: nobody knows). `type` is empty where a backup has
   * put everything outside.
   */
  outbox?: Readonly<Record<string, OutboxWorker>>
}

// ------------------------------------------------------------------------ parts of a market

export interface QueueRules<S> {
  /** Parameters; parsing its own result gives the same again. */
  configuration: z.ZodType
  /** The name towards the authority; takes 22 letters and digits, which is the default. */
  identification: z.ZodType<string>
  state: z.ZodType<S>
  /** State of a queue that was just created. */
  initial(): S
  /** Which unit it works with; left out: it tries all its units. */
  link?(state: S): UnitLink
  /**
   * ftState as the next receipt would show it at `now`, the queue's time in Unix milliseconds: the
   * clocks of what is due run without receipts. Left out: the status shows none.
   */
  stateAt?(queue: QueueView, state: S, moment: { now: number; answersV2: boolean }): bigint
  /**
   * The earlier receipts that are to be found for a receipt, each reference once, when all before
   * it is stored: such a receipt waits for its turn alone. `named`: the references that the
   * PosSystem API has found in it, all of which are in the answer. Undefined: nothing is sought.
   */
  lookUp(receipt: CasedRequest, named: readonly string[]): readonly Sought[] | undefined
}

export interface OutageRules<S> {
  /** The case of the receipt that ends it, as a complete word of v0/v1; it has no items. */
  closing: bigint
  /** Those that go on. */
  openIn(state: S): readonly OpenOutage[]
}

export interface Sought {
  /** cbReceiptReference of earlier receipts. */
  reference: string
  /** The receipts themselves, the rows of kind `counted` that tell of them, or both. */
  wants: 'receipts' | 'rows' | 'both'
}

export interface Export {
  /** `word`: a 64-bit journal type with the letters of this country in its upper 16 bits. */
  matches(word: bigint): boolean
  contentType: string
  /** The country's word goes before a journal of every country that has the same number. */
  beforeCommon?: true
  /** Pieces of the export in order; nothing to export is an empty stream. */
  run(source: ExportSource): AsyncIterable<string | Uint8Array>
}

/** A file of an inspection bundle. */
export interface LegalFile {
  /** Of the file in the folder of its queue; `{each}` stands for the word of `each`. */
  name: string
  /** A file for each of these words, in the option `each` of its source; left out: one file. */
  each?(source: ExportSource): Promise<readonly string[]>
  run: Export['run']
  /** Judged by the verifier that knows such a file; `chained`: beside the export before it. */
  verified?: 'alone' | 'chained' | 'part'
  /** It goes through the items of its source once; with other such files they are read once. */
  sharesItems?: true
}

/** A further journal type that gives the status object. */
export interface StatusName extends Pick<Export, 'matches'> {
  isStatus: true
}

/** Objects of status and raw journals, without secrets. */
export interface Descriptions<S> {
  queue(
    queue: QueueView & { timeStamp: bigint },
    state: S,
    secrets: string,
  ): Record<string, unknown>
  /**
   * Undefined: the raw journal does not show the row. A promise where it shows more than the row
   * says.
   */
  row(
    row: StoredMarketRow,
    source: ExportSource,
  ): Record<string, unknown> | undefined | Promise<Record<string, unknown> | undefined>
}

/** What those need who set up registers. */
export interface Rollout {
  demo: DemoFacts
  /** Left out: no templates. */
  templates?: RolloutRules
  /**
   * The key that is registered with the authorities; left out: receipts have no encrypted counter.
   * `configuration` as stored, `secrets` opened.
   */
  turnoverKey?(configuration: unknown, secrets: string): TurnoverKey
  /**
   * What the tax office is told of a register, its merchant and its place, and what is wanting of
   * it; left out: they are registered by their identification and their units alone.
   */
  notification?(sources: NotificationSources): { notification: Notification; missing: Missing[] }
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

// ------------------------------------------------------------------------- a receipt comes in

export interface ReceiptInput<S, D> {
  receipt: IncomingReceipt
  queue: QueueView
  state: S
  /** Opened secrets of the queue as JSON text; '' when it has none yet. */
  secrets: string
  /** The signing units of the queue in configured order. */
  units: readonly Unit<D>[]
  /** ftReceiptMoment: the queue's time, never earlier than the previous receipt's. */
  moment: Date
  /** What was found, one for each reference that was sought. */
  previous: readonly Referred[]
  /** Who sells, as valid at this moment; undefined: the account has no record of it. */
  seller: Seller | undefined
  journal: JournalEnds
  tools: Tools
}

/** The request with its case words, read once. */
export interface IncomingReceipt extends CasedRequest {
  /** ftQueueItemID and ftQueueRow. */
  id: string
  row: number
  /** The answer speaks version 2, whatever tables the case of the request belongs to. */
  answersV2: boolean
}

export interface Unit<D> {
  scu: ScuHead
  device: D
}

export interface Referred {
  readonly reference: string
  /** None, the only one, or two of those that there are; errors are no receipts. */
  readonly receipts: readonly EarlierReceipt[]
  /** Rows of kind `counted` under the reference; 0 where none were sought. */
  readonly counted: number
  /** Content of the newest of them; left out: there is none. */
  readonly newest?: string | undefined
}

/** Ids of the newest rows of the queue, for laws that chain them; null: there is none yet. */
export interface JournalEnds {
  readonly lastReceiptId: string | null
  readonly lastMarketId: string | null
  readonly lastActionId: string | null
}

/** Chance, time and memory; a step has no others. */
export interface Tools {
  /** A new time-ordered id. */
  newId(): string
  /** 32 or so random bytes for keys made by the market. */
  randomBytes(count: number): Buffer
  /** True the first time a key is asked in this process run of the queue. */
  once(key: string): boolean
  /** Milliseconds since this receipt's turn began, by a clock that never jumps. */
  elapsedMs(): number
  readonly sandbox: boolean
}

// ---------------------------------------------------------------------- what it leaves behind

export interface ReceiptOutcome<S> {
  /** None: the receipt is accepted, signed or not. */
  faults: readonly Fault[]
  /** Complete ftReceiptIdentification. */
  identification: string
  /** Complete ftState. */
  stateWord: bigint
  /** The whole list; the mark of the sandbox is the last. Of a refused receipt it is not used. */
  signatures: Signature[]
  stateData: string | null
  /** Texts to be printed beside the register's own. */
  lines?: ReceiptLines
  /**
   * Of a refused receipt: what the refusal itself has taught (a number that the authority says
   * is used); a country to which it teaches nothing leaves the one that it got.
   */
  state: S
  /** New secrets to seal; left out: they stay. */
  secrets?: string
  /** Left out: neither. */
  life?: 'begins' | 'ends'
  /** Written whether the receipt is accepted or not: a device may have logged before. */
  journal: MarketRow[]
  actions: ActionRow[]
  /** Work that must follow; done at least once after the receipt is stored, and only then. */
  outbox?: readonly OutboxEntry[]
  /** For the log: what the register should send and did not; told once per run of the server. */
  warnings?: readonly string[]
}

/** A rule of the law says no: the receipt is stored as an erroneous item. */
export interface Fault {
  message: string
  /** By which programs know it; left out: the message says all. */
  code?: string
  /** Wire name of the member at fault. */
  member?: string
}

export interface OutboxEntry {
  /** Its worker, by the `outbox` of the market. */
  kind: string
  /** A second entry of the same kind and key of the queue replaces one that still waits. */
  key: string
  /** Neither secrets nor personal data: it lies there in clear. */
  payload: JsonPayload
}

export type JsonPayload = { readonly [name: string]: string | number | boolean | null }

/** Throws to be tried again; must stand being run twice. Says when it is to be run once more. */
export type OutboxWorker = (work: OutboxWork) => Promise<Again | undefined>

/** Not a failure: what is left is to be done later, with tries of its own. */
export interface Again {
  inMs: number
}

export interface OutboxWork {
  key: string
  payload: JsonPayload
  /** All that the queue has stored. */
  source: ExportSource
  /**
   * The signing units of the queue, opened as for a receipt. What a call moves in one that lies in
   * this server is kept with the next `write`, or not at all.
   */
  units: readonly Unit<unknown>[]
  /**
   * Writes what it came to, all of it or nothing; returns when it is stored. `change`: what the
   * queue remembers moves on, from whatever receipts have made of it meanwhile; it may run twice.
   */
  write(notes: readonly OutboxNote[], change?: (state: never) => unknown): Promise<void>
  /** A new time-ordered id. */
  newId(): string
  tools: DriverTools
  signal: AbortSignal
  /** No further try comes after this one. */
  last: boolean
}

/** Rows about the item of a receipt that was answered before. */
export interface OutboxNote {
  itemId: string
  journal: MarketRow[]
  actions: ActionRow[]
}

// ------------------------------------------------------------------------------- tried only

/** A receipt that is only tried: the units are known, and none of them is asked. */
export interface PreviewInput<S> extends Omit<ReceiptInput<S, never>, 'units'> {
  units: readonly ScuHead[]
}

/** What a receipt would become if every unit did what it is asked to. */
export interface Preview<S> {
  /** The case in the tables of v0/v1 as a complete word; null where it has no place there. */
  v0: bigint | null
  /** Numbers, codes and signatures in it are made up. */
  outcome: ReceiptOutcome<S>
  /** What the receipt would move, beside the rows and numbers that every country has. */
  changes: Change[]
}

export interface Change {
  what: string
  from: string | number
  to: string | number
}

// ------------------------------------------------------------------------------- stored data

/** A second look at what a queue has stored, by the country's own rules. */
export interface Auditor {
  /** The receipts one by one, in the order in which they were made. */
  receipt(receipt: AuditedReceipt): Finding[]
  /** After the last receipt: what the queue's state must be now. */
  end(): Finding[]
  /**
   * After the last receipt: the export that the law wants, which is verified as a whole, with the
   * key and the certificates (fingerprints) that its verifier needs; undefined: there is nothing to
   * verify.
   */
  legalExport(): { type: bigint; key?: string; certificates?: readonly Buffer[] } | undefined
  /** What the verdict on it says of what is stored. */
  judge(verdict: Verdict): Finding[]
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
