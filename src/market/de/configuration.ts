// Parameters of a German queue under the names that templates and portals use.
// Checked when a queue is stored; parsing its own result gives the same again.
import { z } from 'zod'
import { masterData } from './rows.js'

/** Portals send every parameter as a text. */
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
])
const flag = z.union([z.boolean(), z.stringbool()])

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
