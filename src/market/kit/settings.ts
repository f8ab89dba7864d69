// Parameters that queues of every country have, as templates and portals write them.
import { z } from 'zod'

/** Portals send every parameter as a text. */
export const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
])
export const flag = z.union([z.boolean(), z.stringbool()])

export const queueSettings = {
  /** 1: a receipt request without a hit is processed as new. */
  receiptrequestmode: number.pipe(z.literal([0, 1])).default(0),
  /** All tries of one receipt together; the second byte of Mode lengthens it for its unit. */
  'scu-timeout-ms': number.pipe(z.int().min(1).max(600_000)).default(2500),
  /** Names inside items and signatures of answers; left out: `pascal` with MIDDLEWARE_AUTH=off. */
  'nested-names': z.enum(['camel', 'pascal']).optional(),
  sandbox: flag.optional(),
}
