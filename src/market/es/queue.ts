// How a queue of Spain is configured, and what it remembers. Parsing a checked configuration gives
// the same again.
import { z } from 'zod'

export const queueConfiguration = z.looseObject({
  /** 1: a receipt request without a hit is processed as new. */
  receiptrequestmode: z.literal([0, 1]).default(0),
  /** All tries of one receipt together. */
  'scu-timeout-ms': z.coerce.number().int().min(1).max(600_000).default(2500),
})

export type QueueConfiguration = z.infer<typeof queueConfiguration>

export const identification = z.string().regex(/^[ -~]{1,100}$/, {
  error: '1 to 100 printable characters',
})

/** A later version must read what this one wrote: a new member needs a default. */
export const queueState = z.object({
  number: z.int().min(0),
  /** Base64 of SHA-256 over the newest document; '' before the first. */
  lastHash: z.string(),
})

export type QueueState = z.infer<typeof queueState>

export function initial(): QueueState {
  return { number: 0, lastHash: '' }
}
