// What the German market keeps in the market journal: log messages of the TSE, archived exports and
// cash point closings.
import { z } from 'zod'
import type { LogMessage, MemoryExport } from '../../device/tse/tse.js'
import type { MarketRow } from '../../model/journal.js'

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
  /** The TAR of a TSE that keeps its log itself, as stored-tar.ts packs it. */
  content: z.string().optional(),
})

/** Without `content` the TAR is made again from the log messages whenever it is read. */
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

const text = z.string()
const maybe = z.string().optional()

/** Master data as `init_masterData` of the queue's configuration has them. */
export const masterData = z.looseObject({
  Account: z
    .looseObject({
      AccountId: maybe,
      AccountName: maybe,
      Street: maybe,
      Zip: maybe,
      City: maybe,
      Country: maybe,
      TaxId: maybe,
      VatId: maybe,
    })
    .optional(),
  Outlet: z
    .looseObject({
      OutletId: maybe,
      OutletName: maybe,
      Street: maybe,
      Zip: maybe,
      City: maybe,
      Country: maybe,
      VatId: maybe,
      LocationId: maybe,
    })
    .optional(),
  Agencies: z
    .array(
      z.looseObject({
        AgencyId: maybe,
        Name: maybe,
        Street: maybe,
        Zip: maybe,
        City: maybe,
        Country: maybe,
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
