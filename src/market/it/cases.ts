// The case tables of Italy: receipts, rates and natures, payments; words of version 2, the only one
// that the country has.
import type { CaseRules } from '../../case/rules.js'
import type { PayKind, VatKey } from '../../device/it/unit.js'
import type { Decimal } from '../../lib/decimal.js'

/** Receipt cases that are named somewhere in the program. */
export const receiptCases = {
  ...{ sale: 0x0001, delivery: 0x0005, zero: 0x2000, log: 0x3000, copy: 0x3010 },
  ...{ start: 0x4001, stop: 0x4002 },
} as const

export type Act = 'document' | 'stored' | 'zero' | 'closing' | 'log' | 'copy' | 'life'

/** By code; all others are refused. */
export const receipts: Readonly<Record<number, Act>> = {
  ...{ 0: 'document', [receiptCases.sale]: 'document', [receiptCases.delivery]: 'document' },
  ...{ 2: 'stored', 3: 'stored', 4: 'stored', 6: 'stored', 7: 'stored' },
  ...{ 4096: 'stored', 4097: 'stored', 4098: 'stored', 4099: 'stored' },
  ...{ [receiptCases.zero]: 'zero', 8193: 'stored', 8208: 'stored' },
  ...{ 8209: 'closing', 8210: 'closing', 8211: 'closing' },
  ...{ [receiptCases.log]: 'log', 12289: 'stored', 12290: 'stored', 12291: 'stored' },
  ...{ 12292: 'stored', [receiptCases.copy]: 'copy' },
  ...{
    [receiptCases.start]: 'life',
    [receiptCases.stop]: 'life',
    16401: 'stored',
    16402: 'stored',
  },
}

/** Words of the action journal, by the code of the closing. */
export const closings: Readonly<Record<number, string>> = {
  ...{ 8209: 'Daily', 8210: 'Monthly', 8211: 'Yearly' },
}

/** Local flags (lll). */
export const local = { xReport: 0x001, print: 0x002 } as const
/** As the documentation has them, and as programs send them. */
export const SUBTOTAL_OFF: ReadonlySet<number> = new Set([0x001, 0x100])
export const SUBTOTAL_ON: ReadonlySet<number> = new Set([0x002, 0x200])

/** V → rate in percent; V 7 and 8 carry none, all others are refused. */
export const rates: Readonly<Record<number, VatKey>> = { 1: '10', 2: '5', 3: '22', 4: '4' }
export const ZERO_RATE = 7
export const NO_RATE = 8

/** First digit of NN → nature; its second digit is a detail of the law. */
export const natures: Readonly<Record<number, VatKey>> = {
  ...{ 1: 'N3', 2: 'N2', 3: 'N4', 4: 'N5', 5: 'N6', 7: 'VI', 8: 'N1' },
}

/** S of version 2. */
export const services = { service: 2, tip: 3, voucher: 4 } as const

function vatOfRate(rate: Decimal): number {
  const found = Object.entries(rates).find(([, percent]) => rate.toShortString() === percent)
  if (found !== undefined) return Number(found[0])
  return rate.isZero ? ZERO_RATE : 0
}

/** PP → how it is paid; left: as the items say, goods or services that are not paid yet. */
export const payments: readonly (PayKind | 'left')[] = [
  ...(['cash', 'cash', 'card', 'cheque', 'card', 'card', 'discount', 'card'] as const),
  ...(['discount', 'invoiceFollows', 'card', 'card', 'cash', 'left', 'left', 'ticket'] as const),
]

// ------------------------------------------------------------------------------------------- words

const BASE = 0x4954_2000_0000_0000n
export const ERROR_STATE = BASE | 0xeeee_eeeen
export const UNREACHED = 0x4954_2001_0000_0000n
export const bits = { outOfService: 0x01n, late: 0x08n, closingDue: 0x100n } as const
export const stateWord = (own: bigint): bigint => BASE | own

/** ftSignatureType. */
export const types = {
  ...{ header: BASE | 0x1n, kind: BASE | 0x2n, serial: BASE | 0x10n, z: BASE | 0x11n },
  ...{ doc: BASE | 0x12n, moment: BASE | 0x13n, documentType: BASE | 0x14n },
  ...{ lottery: BASE | 0x15n, customer: BASE | 0x16n, sha: BASE | 0x17n },
  ...{ referenceZ: BASE | 0x20n, referenceDoc: BASE | 0x21n, referenceMoment: BASE | 0x22n },
  ...{ note: BASE | 0x1000n, warning: BASE | 0x20_2000n },
  ...{ start: BASE | 0x1_1001n, stop: BASE | 0x1_1002n },
} as const

export const caseRules: CaseRules = {
  ...{ country: 'IT', name: 'Italy', currency: 'EUR', vatOfRate },
  wantsNature: true,
}
