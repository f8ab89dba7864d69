// How a Spanish queue is configured, and what it remembers. Parsing a checked configuration gives
// the same again.
import { z } from 'zod'
import { KINDS } from '../../device/es/unit.js'
import { cursor, NEW_CURSOR } from '../kit/transmission.js'

const flag = z.union([z.boolean(), z.stringbool()])

export const queueConfiguration = z.looseObject({
  /** 1: a receipt request without a hit is processed as new. */
  receiptrequestmode: z
    .union([z.number(), z.string().regex(/^\d$/).transform(Number)])
    .pipe(z.literal([0, 1]))
    .default(0),
  /** All calls of one receipt together. */
  'scu-timeout-ms': z.coerce.number().int().min(1).max(600_000).default(2500),
  /** Begin of the names of both series; left out: FW, and all of it in capitals. */
  'series-prefix': z
    .string()
    .regex(/^[A-Za-z0-9]{1,5}$/)
    .optional(),
  /** The clock of the register: that of the Canaries is an hour behind. */
  zone: z.enum(['Europe/Madrid', 'Atlantic/Canary']).default('Europe/Madrid'),
  /** False: NO VERI*FACTU. Records are signed and kept, events logged, and nothing is sent. */
  verifiable: flag.default(true),
  /** The server works for several issuers (TipoUsoPosibleMultiOT). */
  'several-issuers': flag.default(false),
  /** Who makes the software, as SistemaInformatico tells it. */
  'producer.name': z.string().min(1).max(120).default('FISKALWERK EMULATION'),
  'producer.nif': z
    .string()
    .regex(/^[A-Z0-9]{9}$/)
    .default('B12345674'),
  /** IAE code of what is sold: of persons in Bizkaia only (model 140). */
  epigraph: z
    .string()
    .regex(/^[0-9]{1,7}$/)
    .default('165100'),
  sandbox: flag.optional(),
})

export type QueueConfiguration = z.infer<typeof queueConfiguration>

export const identification = z.string().regex(/^[ -~]{1,30}$/, {
  error: '1 to 30 printable characters',
})

// ------------------------------------------------------------------------------- what it remembers

const series = z.object({
  name: z.string(),
  number: z.int().min(0),
  /** Of its newest receipt; null before the first. */
  moment: z.string().nullable(),
  itemId: z.string().nullable(),
})

const record = z.object({
  nif: z.string(),
  /** Series and number as the authority knows them: one text, or two for TicketBAI. */
  series: z.string(),
  number: z.string(),
  /** `15-06-2026` */
  date: z.string(),
  /** Huella, or the begin of the signature (TicketBAI). */
  mark: z.string(),
  generated: z.string(),
})
export type LastRecord = z.infer<typeof record>

export const esState = z.object({
  kind: z.enum(KINDS).nullable(),
  /** As the newest record named who issues it. */
  issuer: z.object({ nif: z.string(), name: z.string() }).nullable(),
  simplified: series,
  full: series,
  /** The newest record that the next one links to. */
  last: record.nullable(),
  /** Records so far, of every operation. */
  records: z.int().min(0),
  transmission: cursor,
  /** Log of events (NO VERI*FACTU). */
  events: z.object({
    count: z.int().min(0),
    last: z.object({ type: z.string(), moment: z.string(), huella: z.string() }).nullable(),
    /** Since the newest summary: when, and what was recorded. */
    summary: z.object({
      since: z.number(),
      ...{ issued: z.int(), cancelled: z.int(), tax: z.string(), total: z.string() },
      counts: z.record(z.string(), z.int()),
    }),
  }),
  scuId: z.string().nullable(),
})
export type EsState = z.infer<typeof esState>

const NO_SERIES = { name: '', number: 0, moment: null, itemId: null }

export const NO_SUMMARY = {
  since: 0,
  issued: 0,
  cancelled: 0,
  tax: '0.00',
  total: '0.00',
  counts: {},
}

export function initial(): EsState {
  return {
    ...{ kind: null, issuer: null, simplified: NO_SERIES, full: NO_SERIES, last: null, records: 0 },
    transmission: NEW_CURSOR,
    events: { count: 0, last: null, summary: NO_SUMMARY },
    scuId: null,
  }
}
