// The case words of Spain, version 2. Every line of the law that decides by a case is a line here.
import type { CaseRules } from '../../case/rules.js'
import type { Decimal } from '../../lib/decimal.js'

export const receiptCases = {
  sale: 0x0001,
  zero: 0x2000,
  daily: 0x2011,
  start: 0x4001,
  stop: 0x4002,
} as const

export const KNOWN: ReadonlySet<number> = new Set(Object.values(receiptCases))

const BASE = 0x4553_2000_0000_0000n
/** Bit of ftState: nothing is signed. */
export const OUT_OF_SERVICE = 0x01n
export const ERROR_STATE = BASE | 0xeeee_eeeen

export const stateWord = (bits: bigint): bigint => BASE | bits

export const signatureTypes = { document: BASE | 0x001n } as const

/** ftSignatureFormat of a code that is scanned. */
export const QR = 3n

/** V by rate: take them from the law. */
const RATES: readonly (readonly [rate: string, vat: number])[] = [
  ['20', 3],
  ['10', 1],
  ['0', 7],
]
const UNKNOWN = 0

export const caseRules: CaseRules = {
  country: 'ES',
  name: 'Spain',
  currency: 'EUR',
  vatOfRate: (rate: Decimal) =>
    RATES.find(([known]) => rate.toShortString() === known)?.[1] ?? UNKNOWN,
}
