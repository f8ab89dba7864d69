// How a French queue is configured, and what it remembers. Parsing a checked configuration gives
// the same again.
import { z } from 'zod'
import { lateEntries, NO_LATE_ENTRIES } from '../kit/late-entry.js'
import { queueSettings } from '../kit/settings.js'
import { anyOf, count, id, moment } from '../kit/state.js'
import { PERIODS } from './cases.js'
import { LETTERS, type Letter } from './rows.js'
import { amounts, NO_PERIODS } from './totals.js'

export const queueConfiguration = z.looseObject({
  ...queueSettings,
  /** Caption of the signature. */
  'signature-caption': z.string().max(1023).default(''),
})

export type QueueConfiguration = z.infer<typeof queueConfiguration>

export const identification = z.string().regex(/^[ -~\u00a0-\uffff]{1,100}$/, {
  error: '1 to 100 printable characters',
})

const chain = z.object({
  number: count,
  /** Base64 of SHA-256 over the newest document; '' before the first. */
  lastHash: z.string(),
  /** What its receipts added up to; G, A, L and C stay empty. */
  totals: amounts,
})

const place = z.object({ itemId: z.string(), moment: z.string() })

export const frState = z.object({
  /** One without documents is not there. */
  chains: anyOf(LETTERS, chain),
  periods: z.object({
    ...{ shift: amounts, day: amounts, month: amounts },
    ...{ year: amounts, archive: amounts },
  }),
  /** Moment and item of the newest closing of each kind. */
  lastClosings: anyOf(PERIODS, place),
  /** The first receipt since a day, a month or a year was closed, practice left out. */
  openSince: z.object({ day: moment, month: moment, year: moment }),
  /** Where the range of the next archive begins, and the receipt before the next one. */
  archiveFrom: place.nullable(),
  lastReceipt: place.nullable(),
  /** Outlet and certificate that signed last. */
  siret: z.string(),
  certificateSerialNumber: z.string(),
  scuId: id,
  /** Receipts entered later because the queue could not be reached. */
  failed: lateEntries.extend({ identification: id }),
  /** What the operator is to be told by the next zero receipt: entries of the action journal. */
  messages: z
    .array(z.object({ moment: z.int(), caption: z.string(), data: z.string() }))
    .default([]),
  /** Of the program that made the newest receipt; '' before the first, or from a former one. */
  version: z.string().default(''),
})

export type FrState = z.infer<typeof frState>

export const NO_FAILURE: FrState['failed'] = { ...NO_LATE_ENTRIES, identification: null }

export const initial = (): FrState => ({
  chains: {},
  periods: NO_PERIODS,
  lastClosings: {},
  openSince: { day: null, month: null, year: null },
  archiveFrom: null,
  lastReceipt: null,
  siret: '',
  certificateSerialNumber: '',
  scuId: null,
  failed: NO_FAILURE,
  messages: [],
  version: '',
})

const NO_CHAIN: z.infer<typeof chain> = { number: 0, lastHash: '', totals: {} }

export const chainOf = ({ chains }: Pick<FrState, 'chains'>, letter: Letter) =>
  chains[letter] ?? NO_CHAIN
