// What the emulated myDATA remembers: MARKs, used numbers, and the newest documents.
import { z } from 'zod'

const known = z.object({
  ...{ uid: z.string(), mark: z.int(), vat: z.string(), type: z.string(), url: z.string() },
  ...{ authenticationCode: z.string(), qrUrl: z.string(), isClosed: z.boolean() },
  ...{ net: z.string(), credited: z.string(), gross: z.string().default('0') },
  /** Who sent it: a provider, or the program of the issuer. */
  byProvider: z.boolean().default(true),
  /** 0: none. */
  cancelledBy: z.int().default(0),
  paymentMark: z.int().default(0),
  /** The document itself, where it is kept. */
  whole: z.record(z.string(), z.unknown()).optional(),
})
export type Known = z.infer<typeof known>

export const register = z.object({
  /** The newest MARK. */
  mark: z.int(),
  /** By issuer, branch and series: the greatest number; below it all are used. */
  numbers: z.record(z.string(), z.string()),
  /** The newest ones with all that is known of them. */
  recent: z.array(known),
})
export type Register = z.infer<typeof register>

/** No MARK is lower than the next one. */
export const LOWEST = 400_000_000_000_000

export const emptyRegister = (): Register => ({ mark: LOWEST, numbers: {}, recent: [] })

/** active: books are sent for it; foreign: it has not named this provider. */
export type IssuerState = 'active' | 'inactive' | 'foreign'

export interface Settings {
  now: Date
  /** How many documents are remembered. */
  most: number
  /** Begin of the addresses in QR codes. */
  base: string
  channel?: 'provider' | 'erp'
  /** Documents are kept as a whole, and told so. */
  keepsWhole?: boolean
  /** By VAT number; left out: every issuer is active. */
  issuers?: Readonly<Record<string, IssuerState>>
}

/** The code of what is wrong with who sends. */
export function issuerFault(vat: string, { issuers }: Settings): string | undefined {
  if (issuers === undefined) return undefined
  const state = issuers[vat]
  if (state === 'active') return undefined
  return state === 'foreign' ? '245' : '102'
}
