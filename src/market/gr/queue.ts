// How a Greek queue is configured, and what it remembers. Parsing a checked configuration gives the
// same again.
import { z } from 'zod'
import { queueSettings } from '../kit/settings.js'
import { cursor, NEW_CURSOR } from '../kit/transmission.js'
import { leftDocument } from './rows.js'

export const queueConfiguration = z.looseObject(queueSettings)
export type QueueConfiguration = z.infer<typeof queueConfiguration>

/** It is the name of the series: letters of both alphabets, as the authority can write them. */
export const identification = z.string().regex(/^[ -~\u0386-\u03ce]{1,50}$/, {
  error: '1 to 50 printable characters, Latin or Greek',
})

export const grState = z.object({
  /** '' before the start. */
  series: z.string(),
  /** The newest number that is used up. */
  number: z.int().min(0),
  lastMoment: z.string().nullable(),
  lastItemId: z.string().nullable(),
  /** The greatest MARK that the queue has seen; '' : none. */
  lastMark: z.string(),
  /** Documents so far that are to be sent, or were. */
  records: z.int().min(0),
  transmission: cursor,
  scuId: z.string().nullable(),
  /** Documents without a receipt that nothing takes back, the newest ones. */
  left: z.array(leftDocument).default([]),
})
export type GrState = z.infer<typeof grState>

export function initial(): GrState {
  return {
    ...{ series: '', number: 0, lastMoment: null, lastItemId: null, lastMark: '', records: 0 },
    ...{ transmission: NEW_CURSOR, scuId: null, left: [] },
  }
}
