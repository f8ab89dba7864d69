// What a German queue keeps: how it is configured, what it remembers, and its rows in the market
// journal.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import type { LogMessage, MemoryExport } from '../../device/tse/tse.js'
import type { MarketRow } from '../../model/journal.js'
import type { OpenOutage } from '../../model/outage.js'
import { openOutages } from '../kit/draft.js'
import { heldSince } from '../kit/held.js'
import {
  lateEntriesOf,
  lateMode,
  NO_LATE_ENTRIES,
  usedFailed,
  usedFailedMembers,
} from '../kit/late-entry.js'
import { flag, number } from '../kit/settings.js'
import { count, id, moment } from '../kit/state.js'

const text = z.string()
const maybe = z.string().optional()
const place = { Street: maybe, Zip: maybe, City: maybe, Country: maybe }

/** Master data as `init_masterData` of the queue's configuration has them. */
export const masterData = z.looseObject({
  Account: z
    .looseObject({
      AccountId: maybe,
      AccountName: maybe,
      ...place,
      TaxId: maybe,
      VatId: maybe,
    })
    .optional(),
  Outlet: z
    .looseObject({
      OutletId: maybe,
      OutletName: maybe,
      ...place,
      VatId: maybe,
      LocationId: maybe,
    })
    .optional(),
  Agencies: z
    .array(
      z.looseObject({
        AgencyId: maybe,
        Name: maybe,
        ...place,
        TaxId: maybe,
        VatId: maybe,
      }),
    )
    .optional(),
  PosSystems: z
    .array(
      z.looseObject({
        PosSystemId: maybe,
        Brand: maybe,
        Model: maybe,
        SoftwareVersion: maybe,
        BaseCurrency: maybe,
        Type: maybe,
      }),
    )
    .optional(),
})

export type MasterData = z.infer<typeof masterData>

/** Templates write the list of a single record. */
const oneMasterData = z.union([masterData, z.tuple([masterData]).transform(([one]) => one)])

export const queueConfiguration = z.looseObject({
  /** Further tries of a TSE call after the first one. */
  'scu-max-retries': number.pipe(z.int().min(0).max(100)).default(2),
  /** All TSE calls of one receipt together; the second byte of Mode lengthens it for its unit. */
  'scu-timeout-ms': number.pipe(z.int().min(1).max(600_000)).default(2500),
  /** 1: a receipt request without a hit is processed as new. */
  receiptrequestmode: number.pipe(z.literal([0, 1])).default(0),
  init_masterData: oneMasterData.nullish(),
  /** Which exports are archived: all, none, or those after which the TSE erased its memory. */
  TarFileExportMode: z.enum(['All', 'None', 'Erased']).default('All'),
  EnableTarFileExport: flag.default(true),
  /** A daily closing also ends transactions that other clients left open. */
  CloseOpenTSETransactionsOnDailyClosing: flag.default(false),
  FlagOptionalSignatures: flag.default(true),
  DsfinvkVersion: z
    .union([z.string(), z.number().transform(String)])
    .pipe(z.enum(['2.3', '2.4']))
    .default('2.3'),
  ExcludeDsfinvkOrders: flag.default(false),
  DisableDsfinvkExportReferences: flag.default(false),
  /** Caption of the QR code (KassenSichV § 6). */
  'qr-caption': z.string().max(1023).default('fiskalwerk'),
  /** Names inside items and signatures of answers; left out: `pascal` with MIDDLEWARE_AUTH=off. */
  'nested-names': z.enum(['camel', 'pascal']).optional(),
  sandbox: flag.optional(),
})

export type QueueConfiguration = z.infer<typeof queueConfiguration>

/** Goes into the file names of TSE exports, whose parts `_` divides. */
const IDENTIFICATION = /^[A-Za-z0-9-]{2,30}$/

export const identification = z.string().regex(IDENTIFICATION, {
  error: '2 to 30 characters A-Z a-z 0-9 and -',
})

// ------------------------------------------------------------------------------- what it remembers

const openTransaction = z.object({
  /** cbReceiptReference under which it was started. */
  reference: z.string(),
  number: count,
  /** Log time of the start, Unix milliseconds. */
  startMoment: z.int(),
  startSignature: z.string(),
})

/** A transaction that was started and not yet finished. */
export type OpenTransaction = z.infer<typeof openTransaction>

/** An explicit start that the TSE did not confirm. */
const failedStart = z.object({ reference: z.string(), itemId: z.string(), moment: z.int() })

const failedFinish = z.object({
  reference: z.string(),
  itemId: z.string(),
  moment: z.int(),
  processType: z.string(),
  processData: z.string(),
  /** Row of the item; undefined in states of older servers. */
  row: count.optional(),
})
/** An explicit finish that the TSE did not confirm; its transaction is open. */
export type FailedFinish = z.infer<typeof failedFinish>

const unsureFinish = z.object({
  number: count,
  /** Client of the TSE. */
  client: z.string(),
  reference: z.string(),
  itemId: z.string(),
  /** Row of the receipt that it belongs to; null: it only ended the transaction. */
  row: count.nullable(),
  processType: z.string(),
  processData: z.string(),
})
/** A finish without answer: the TSE may have done it. */
export type UnsureFinish = z.infer<typeof unsureFinish>

const unit = z.object({ scuId: z.string(), serialHex: z.string(), fingerprintHex: z.string() })
/** A TSE that was linked, as a closing names it. */
export type UsedUnit = z.infer<typeof unit>

export const deState = z.object({
  /** The linked signing unit; null before the start receipt and while units are switched. */
  scuId: id,
  /** The switch in progress. */
  scuSwitch: z.object({ sourceId: z.string(), targetId: z.string() }).nullable(),
  /** TSEs linked since the last daily closing, in order of use. */
  units: z.array(unit),
  sscdFailCount: count,
  sscdFailMoment: moment,
  sscdFailQueueItemId: id,
  ...usedFailedMembers,
  dailyClosingNumber: count,
  /** Item row and receipt number of the last daily closing; 0: none yet. */
  lastClosingRow: count,
  lastClosingNumber: count,
  openTransactions: z.array(openTransaction),
  /** Queue time of the first business receipt since the last daily closing; null: none yet. */
  firstSinceClosing: moment.default(null),
  /** When a closing first had no export of the TSE, since the last export that was kept. */
  logMissingSince: moment.default(null),
  /** Of the data that nobody has taken out as DSFinV-K. */
  heldSince,
  /** How full its memory was behind the last closing, from 0 to 1. */
  memoryUsed: z.number().min(0).default(0),
  /** Numbers of transactions without a reference of their own that could not be finished. */
  leftOpen: z.array(count),
  /** A start failed since the last daily closing: the TSE may know one that nobody else does. */
  startsLost: z.boolean().default(false),
  /** Item row of the newest receipt on a TSE outside the process; undefined: there was none yet. */
  lastRow: count.optional(),
  failedStarts: z.array(failedStart),
  failedFinishes: z.array(failedFinish),
  unsure: z.array(unsureFinish).default([]),
  /** Master data in force; undefined until the first receipt takes them from the configuration. */
  masterData: masterData.nullable().optional(),
  /** True after a start-migration receipt: nothing is signed any more. */
  migrated: z.boolean(),
})

export type DeState = z.infer<typeof deState>

export function initial(): DeState {
  return {
    scuId: null,
    scuSwitch: null,
    units: [],
    ...noTseFailure,
    ...noLateSigning,
    dailyClosingNumber: 0,
    lastClosingRow: 0,
    lastClosingNumber: 0,
    openTransactions: [],
    firstSinceClosing: null,
    logMissingSince: null,
    heldSince: null,
    memoryUsed: 0,
    leftOpen: [],
    startsLost: false,
    failedStarts: [],
    failedFinishes: [],
    unsure: [],
    migrated: false,
  }
}

/** Members as they are while the TSE works. */
export const noTseFailure = {
  sscdFailCount: 0,
  sscdFailMoment: null,
  sscdFailQueueItemId: null,
} as const

export const noLateSigning = usedFailed(NO_LATE_ENTRIES)

export function openIn(state: DeState): OpenOutage[] {
  return openOutages({
    device: { receipts: state.sscdFailCount, since: state.sscdFailMoment },
    register: lateMode(lateEntriesOf(state)),
  })
}

/** More is not remembered: no TSE holds more transactions open. */
export const MOST_FAILED_STARTS = 512

export function openOf(state: DeState, reference: string): OpenTransaction | undefined {
  return state.openTransactions.find((one) => one.reference === reference)
}

/** The list without the entry of a reference. */
export function without<T extends { reference: string }>(list: readonly T[], reference: string) {
  return list.filter((one) => one.reference !== reference)
}

// ---------------------------------------------------------------------- rows of the market journal

/** Log messages of one receipt and one TSE; `number`: their first signature counter. */
export const LOG_KIND = 'device-log'
/**
 * The same of a TSE that keeps its log itself: only what its answers prove, which is never a whole
 * memory. No export is made of it.
 */
export const ANSWER_KIND = 'device-answer'
/** An archived export of a TSE (ftJournalDE); `number`: the receipt number of its receipt. */
export const ARCHIVE_KIND = 'archive' as const
/** A cash point closing (Kassenabschluss); `number`: DailyClosingNumber, the Z number. */
export const CLOSING_KIND = 'closing'

/** A transaction that another receipt ended; `number`: its signature counter. */
export const ENDED_KIND = 'ended' as const
/** The end of a receipt that was answered without signature; `number`: the row of its item. */
export const LATE_KIND = 'late' as const

/** DER structures in base64 with blanks between them, counters without a gap. */
export function logContent(messages: readonly LogMessage[]): string {
  return messages.map((message) => message.der.toString('base64')).join(' ')
}

/** The messages of a row with their counters. */
export function logMessages(row: Pick<MarketRow, 'number' | 'content'>): LogMessage[] {
  return row.content.split(' ').map((text, index) => ({
    signatureCounter: row.number + index,
    der: Buffer.from(text, 'base64'),
  }))
}

const counter = z.int().min(0)

const archive = z.object({
  /** `yyyyMMddhhmmssfff_{client id}`, UTC. */
  fileName: z.string(),
  /** Unix milliseconds of the export: the time stamps inside the TAR. */
  moment: z.int(),
  from: counter,
  to: counter,
  without: z.array(z.tuple([counter, counter])),
  erased: z.boolean(),
  /** The TAR of a TSE that keeps its log itself: where it lies. */
  kept: z.object({ id: z.string(), bytes: counter, sha256: z.string() }).optional(),
  /** The same in the row itself, packed, as former servers kept it. */
  content: z.string().optional(),
})

/** Without `kept` and `content` the TAR is made again from the log messages whenever it is read. */
export type Archive = z.infer<typeof archive> & Omit<MemoryExport, 'tar'>

export const archiveContent = (value: Archive): string => JSON.stringify(value)
export const readArchive = (content: string): Archive => archive.parse(JSON.parse(content))

const ended = z.object({
  /** Row of the item that ended it, and the receipts before that one. */
  row: counter,
  receipt: counter,
  client: z.string(),
  reference: z.string(),
  transaction: counter,
  counter,
  /** Log times of start and finish, Unix milliseconds. */
  start: z.int(),
  end: z.int(),
  signature: z.string(),
  processType: z.string(),
  processData: z.string(),
  serialHex: z.string(),
  algorithm: z.string(),
  logTimeFormat: z.string(),
})

/** What is known of the end of a transaction. */
export type Ended = z.infer<typeof ended>

export const endedContent = (value: Ended): string => JSON.stringify(value)
export const readEnded = (content: string): Ended => ended.parse(JSON.parse(content))

const closing = z.object({
  /** Row of the closing receipt, and of the closing before it (0: there was none). */
  row: counter,
  previousRow: counter,
  /** Receipt number in the receipt journal. */
  receiptNumber: counter,
  /** ftReceiptIdentification of the closing receipt. */
  identification: text,
  /** cbReceiptMoment of the closing receipt, Unix milliseconds. */
  moment: z.int(),
  /** Master data that were in force. */
  masterData: masterData.nullable(),
  /** The TSEs linked since the closing before, in the order of their use. */
  units: z.array(z.object({ scuId: text, serialHex: text, fingerprintHex: text })),
})

/** Everything that one cash point closing says about itself. */
export type Closing = z.infer<typeof closing>

export const closingContent = (value: Closing): string => JSON.stringify(value)
export const readClosing = (content: string): Closing => closing.parse(JSON.parse(content))

// ---------------------------------------------------------------------------------- a TAR in a row

/** Of an archive that is in memory as a whole. */
export const MOST_CELL_BYTES = 32 * 1024 * 1024

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** Of `content` in an archive: gzip in base64. Throws for anything else. */
export function unpackedTar(content: string): Promise<Buffer> {
  return unpack(Buffer.from(content, 'base64'), { maxOutputLength: MOST_CELL_BYTES })
}
