// Parameters of an Austrian queue under the names that templates and portals use.
// Checked when a queue is stored; parsing its own result gives the same again.
import { z } from 'zod'

/** Portals send every parameter as a text. */
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
])
const flag = z.union([z.boolean(), z.stringbool()])

const NOT_SUPPORTED = 'closed systems (AT0) are not supported'

export const queueConfiguration = z.looseObject({
  /** Rounds over the signing units after the first one. */
  'scu-max-retries': number.pipe(z.int().min(0).max(100)).default(3),
  /** All tries of one receipt together; the second byte of Mode lengthens it for its unit. */
  'scu-timeout-ms': number.pipe(z.int().min(1).max(600_000)).default(2500),
  /** 1: a receipt request without a hit is processed as new. */
  receiptrequestmode: number.pipe(z.literal([0, 1])).default(0),
  /** Sign every receipt, whatever the decision table says. */
  SignAll: flag.default(false),
  /** Bytes of the turnover counter in the machine-readable code (RKSV: at least 5). */
  'rksv-counter-bytes': number.pipe(z.int().min(5).max(8)).default(5),
  /** Caption of the machine-readable code. */
  'rksv-caption': z.string().max(1023).default(''),
  EnableMonthlyExport: flag.default(true),
  /** Names inside items and signatures of answers; left out: `pascal` with MIDDLEWARE_AUTH=off. */
  'nested-names': z.enum(['camel', 'pascal']).optional(),
  sandbox: flag.optional(),
  ClosedSystemKind: z.literal('', { error: NOT_SUPPORTED }).nullish(),
  ClosedSystemValue: z.string().nullish(),
  ClosedSystemNote: z.string().nullish(),
})

export type QueueConfiguration = z.infer<typeof queueConfiguration>

/** Kassen-ID: 1 to 64 characters that pass every verifier; `_` would end the field. */
export const KASSEN_ID = /^(?! )[A-Za-z0-9.:+/ -]{1,64}(?<! )$/

export const identification = z.string().regex(KASSEN_ID, {
  error: '1 to 64 characters A-Z a-z 0-9 . : + / - and spaces inside',
})
