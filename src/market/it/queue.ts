// How an Italian queue is configured, and what it remembers. Parsing a checked configuration gives
// the same again.
import { z } from 'zod'
import { number, queueSettings } from '../kit/settings.js'

export const queueConfiguration = z.looseObject({
  ...queueSettings,
  /** How often a device is asked once more when its answer got lost. */
  'scu-max-retries': number.pipe(z.int().min(0).max(10)).default(1),
  /** Over the texts of a document. */
  'header-caption': z.string().max(60).default(''),
})
export type QueueConfiguration = z.infer<typeof queueConfiguration>

/** RT servers want 8 of them: checked at the start. */
export const identification = z.string().regex(/^[A-Za-z0-9]{1,22}$/, {
  error: '1 to 22 letters and digits',
})

/** Former versions kept the newest one alone, or null. */
const listed = (value: unknown): unknown =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]

export const itState = z.object({
  /** Newest document: of the device, and what it was. */
  serial: z.string(),
  z: z.int().min(0),
  doc: z.int().min(0),
  /** Rows of the journal. */
  records: z.int().min(0),
  /** Hash of the newest row: each one names the row before. */
  hash: z.string(),
  /** Unix milliseconds of the first document since the last Z report; null: none. */
  openSince: z.number().nullable(),
  /** Receipts entered late since the last zero receipt. */
  late: z.int().min(0),
  /** Receipts without their device since it last answered, and since when. */
  failures: z.int().min(0),
  failedAt: z.number().nullable(),
  /** What was asked of the device without an answer: ids, for whoever sends it once more. */
  lost: z.preprocess(listed, z.array(z.object({ reference: z.string(), id: z.string() }))),
})
export type ItState = z.infer<typeof itState>

export const initial = (): ItState => ({
  ...{ serial: '', z: 0, doc: 0, records: 0, hash: '', openSince: null },
  ...{ late: 0, failures: 0, failedAt: null, lost: [] },
})
