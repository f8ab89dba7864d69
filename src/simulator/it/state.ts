// What the simulated RT remembers: numbers, totals of the day, and its newest answers. Amounts are
// cents as text.
import { z } from 'zod'

const cents = z.string().regex(/^-?\d+$/)

const answer = z.object({
  id: z.string(),
  z: z.int(),
  /** 0: it was a closing. */
  doc: z.int(),
  moment: z.string(),
  sha: z.string(),
  total: cents,
  vat: z.record(z.string(), z.tuple([cents, cents])),
})
export type KeptAnswer = z.infer<typeof answer>

export const rtState = z.object({
  serial: z.string(),
  phase: z.enum(['active', 'in-service', 'out-of-service']),
  /** The last Z report. */
  z: z.int().min(0),
  /** The last document since then. */
  doc: z.int().min(0),
  /** Unix milliseconds of the first document of the day; null: it is closed. */
  openSince: z.number().nullable(),
  /** Unix milliseconds of the newest document or closing. */
  lastAt: z.number(),
  /** Of the day: gross and tax by rate. */
  totals: z.record(z.string(), z.tuple([cents, cents])),
  payments: z.record(z.string(), cents),
  /** Of its life: sales less what was given back. */
  grandTotal: cents,
  filesToSend: z.int().min(0),
  /** Documents in the journal (DGFE). */
  ejUsed: z.int().min(0),
  /** By till, of a server: the last fingerprint of the day, and its sales. */
  chains: z.record(z.string(), z.object({ last: z.string(), daily: cents })),
  /** Newest last: a repeated call gets its answer again. */
  answers: z.array(answer),
})
export type RtState = z.infer<typeof rtState>

export function newState(serial: string): RtState {
  return {
    ...{ serial, phase: 'active', z: 0, doc: 0, openSince: null, lastAt: 0, totals: {} },
    ...{ payments: {}, grandTotal: '0', filesToSend: 0, ejUsed: 0, chains: {}, answers: [] },
  }
}
