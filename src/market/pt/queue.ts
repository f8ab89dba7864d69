// How a Portuguese queue is configured, and what it remembers. Parsing a checked configuration
// gives the same again.
import { z } from 'zod'
import { type Issuer, REGIONS } from '../../device/pt/document.js'
import { flag, queueSettings } from '../kit/settings.js'
import { anyOf, count, id } from '../kit/state.js'
import { CHAINS } from './cases.js'

const amount = z.coerce.number().min(0).max(1_000_000)

export const queueConfiguration = z.looseObject({
  ...queueSettings,
  /** Decides rates, letters of the QR code and the clock (Azores: an hour earlier). */
  region: z.enum(REGIONS).default('PT'),
  /** Begin of the names of its series; left out: FW and four letters of its own. */
  'series-prefix': z
    .string()
    .regex(/^[A-Za-z0-9]{1,12}$/)
    .optional(),
  /** Net, in euros: 1000 for retailers of goods (CIVA, art. 40). */
  'fs-limit': amount.default(100),
  /** Training documents are made, in series of their own. */
  'training-enabled': flag.default(false),
  /** Every document names who was at the register (Portaria 363/2010, art. 3). */
  'user-required': flag.default(true),
  /** How far cbReceiptMoment may be from the clock of the server; 0: it is not looked at. */
  'moment-tolerance-minutes': z.coerce.number().int().min(0).max(1440).default(10),
  /** Field S of the QR code: parts separated with a semicolon. */
  'qr-text': z
    .string()
    .regex(/^[^*]{0,65}$/)
    .default(''),
})

export type QueueConfiguration = z.infer<typeof queueConfiguration>

export const identification = z.string().regex(/^[ -~]{1,100}$/, {
  error: '1 to 100 printable characters',
})

// ------------------------------------------------------------------------------- what it remembers

const series = z.object({
  /** `FW2026A`; the number of a document is `FS FW2026A/1`. */
  name: z.string(),
  /** Of the authority; '' until it has answered, and no document is made without. */
  code: z.string(),
  /** Day from which the authority knows it. */
  since: z.string(),
  number: count,
  /** Base64 of the newest signature; '' before the first. */
  lastHash: z.string(),
  /** SystemEntryDate of the newest document: local time never goes back. */
  lastEntry: z.string(),
})
export type Series = z.infer<typeof series>

const issuer = z.object({
  ...{ nif: z.string(), name: z.string(), address: z.string() },
  ...{ city: z.string(), postalCode: z.string(), certificate: z.string() },
}) satisfies z.ZodType<Issuer>

export const ptState = z.object({
  series: anyOf(CHAINS, series),
  /** As the newest document had it; null before the first. */
  issuer: issuer.nullable(),
  /** Public keys as Base64; the place of one, from 1 on, is its version (HashControl). */
  keys: z.array(z.string()),
  scuId: id,
})

export type PtState = z.infer<typeof ptState>

export function initial(): PtState {
  return { series: {}, issuer: null, keys: [], scuId: null }
}
