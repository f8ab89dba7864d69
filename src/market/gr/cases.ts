// The case tables of Greece: receipts, rates, reasons for no tax, ways to pay, and words of version
// 2, which is the only one that the country has.
import type { CaseRules } from '../../case/rules.js'
import type { Decimal } from '../../lib/decimal.js'

/** Receipt cases that are named somewhere in the program. */
export const receiptCases = { order: 0x3004, payment: 0x3005, start: 0x4001, stop: 0x4002 } as const

type Sale = 'receipt' | 'transfer' | 'online' | 'deliveryNote' | 'invoice' | 'order'
export type What = Sale | 'payment' | 'plain' | 'life'

/** By code; all others are not supported. */
export const receipts: Readonly<Record<number, What>> = {
  ...{ 0: 'receipt', 1: 'receipt', 2: 'transfer', 4: 'online', 5: 'deliveryNote' },
  ...{ 4096: 'invoice', 4097: 'invoice', 4098: 'invoice', 4099: 'invoice' },
  ...{ 8192: 'plain', 8193: 'plain', 8208: 'plain', 8209: 'plain', 8210: 'plain', 8211: 'plain' },
  ...{ 12288: 'plain', 12289: 'plain', 12290: 'plain', 12304: 'plain' },
  ...{ [receiptCases.order]: 'order', [receiptCases.payment]: 'payment' },
  ...{ [receiptCases.start]: 'life', [receiptCases.stop]: 'life', 16401: 'plain', 16402: 'plain' },
}

/** What may have been written by hand, and what a program may say more of. */
export const written: ReadonlySet<What> = new Set<What>([
  ...(['receipt', 'transfer', 'deliveryNote', 'invoice', 'order'] as const),
])

/** With the document goes what it is about. */
export const TRANSPORT_FLAG = 0x0400

/** Of a pay item, above its flags: it pays a document that was issued before. */
export const LATER_PAYMENT = 0x001

/** Types that an issuer can send. */
export const invoiceTypes = [
  ...['1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '2.1', '2.2', '2.3', '2.4', '3.1', '3.2'],
  ...['5.1', '5.2', '6.1', '6.2', '7.1', '8.1', '8.2', '8.4', '8.5', '8.6', '9.1', '9.2', '9.3'],
  ...['10.1', '10.2', '11.1', '11.2', '11.3', '11.4', '11.5'],
] as const

export const isRetail = (type: string): boolean => type.startsWith('11.')
/** Documents that are no sales: tax and classification are not asked of them. */
export const isTaxless = (type: string): boolean => /^(8\.|9\.|6\.)/.test(type)

const NEEDING = [
  ...['1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '2.1', '2.2', '2.3', '2.4', '3.1', '3.2', '5.1'],
  ...['5.2', '6.1', '6.2', '7.1', '8.1', '9.3'],
]
export const needsCustomer: ReadonlySet<string> = new Set(NEEDING)
export const namesForeigner: ReadonlySet<string> = new Set(['1.2', '1.3', '2.2', '2.3'])
/** References without a refund are of the correlated kind there. */
export const correlates: ReadonlySet<string> = new Set(['1.6', '2.4', '5.1'])

/** Member states but Greece. */
export const UNION: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

// --------------------------------------------------------------------------------------------- tax

/** vatCategory by V and by rate in percent; V 0 knows them all. */
const REDUCED: Readonly<Record<string, number>> = { 13: 2, 6: 3, 17: 4, 9: 5 }
export const vatCategories: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  0: { 24: 1, ...REDUCED, 4: 6, 3: 9, 0: 7 },
  ...{ 1: REDUCED, 2: REDUCED, 3: { 24: 1 }, 4: { 4: 6 }, 5: { 4: 6 }, 7: { 0: 7 }, 8: { 0: 8 } },
}
export const vatNames: Readonly<Record<number, string>> = {
  ...{ 0: 'UnknownService', 1: 'DiscountedVatRate1', 2: 'DiscountedVatRate2' },
  ...{ 3: 'NormalVatRate', 4: 'SuperReducedVatRate1', 5: 'SuperReducedVatRate2' },
  ...{ 6: 'ParkingVatRate', 7: 'ZeroVatRate', 8: 'NotTaxable' },
}
export const EXEMPT = 7
export const NO_TAX = 8
export const VOUCHER_EXEMPTION = '27'

/** vatExemptionCategory by the digits of NN. */
export const exemptions: Readonly<Record<string, string>> = {
  ...{ 11: '14', 12: '8', 13: '28', 14: '16', 15: '6', 16: '7', 31: '20', 32: '9', 33: '15' },
  ...{ 34: '18', 35: '27', 36: '21', 41: '22', 42: '23', 51: '19', 61: '3', 62: '4', 63: '29' },
  ...{ 64: '30', 65: '31', 81: '1', 82: '2', 83: '10', 84: '11', 85: '12', 86: '13', 87: '25' },
  ...{ 88: '26' },
}

function vatOfRate(rate: Decimal): number {
  const text = rate.toShortString()
  const found = [3, 1, 4, 7].find((vat) => vatCategories[vat]?.[text] !== undefined)
  return found ?? 0
}

/** S of a charge item case. */
export const services = {
  ...{ unknown: 0, goods: 1, service: 2, tip: 3, voucher: 4, catalogue: 5, agency: 6, own: 7 },
  ...{ receivable: 9, special: 0xf },
} as const

// ---------------------------------------------------------------------------------------- payments

/** Type of a payment by PP; NaN: the description decides. 0D is not told. */
export const ways: Readonly<Record<number, number>> = {
  ...{ 0: 3, 1: 3, 3: 4, 4: 7, 5: 7, 6: 4, 9: 5, 10: Number.NaN, 11: 2 },
}
export const NOT_TOLD = 0x0d

export function transferWay(description: string): number {
  const text = description.toUpperCase()
  if (text.includes('IRIS')) return 8
  if (text.includes('RF CODE PAYMENT (WEB BANKING)')) return 6
  return text.includes('FOREIGN') || text.includes('INTERNATIONAL') ? 2 : 1
}

// ------------------------------------------------------------------------------------------- words

const BASE = 0x4752_2000_0000_0000n
export const ERROR_STATE = BASE | 0xeeee_eeeen
export const OUT_OF_SERVICE = 0x01n
/** The authority does not answer, and documents wait. */
export const UNREACHED = 0x02n
export const stateWord = (bits: bigint): bigint => BASE | bits

const HIDDEN = 0x0020_0000n
/** ftSignatureType. */
export const types = {
  ...{ text: BASE, receipt: BASE | 0x01n, xml: BASE | HIDDEN | 0x10n, provider: BASE | 0x11n },
  ...{ document: BASE | 0x12n, uid: BASE | 0x13n, mark: BASE | 0x14n, code: BASE | 0x15n },
  ...{ failure: BASE | 0x16n, marks: BASE | 0x17n, order: BASE | 0x18n, other: BASE | 0x19n },
  ...{
    qr: BASE | HIDDEN | 0x1an,
    paper: BASE | HIDDEN | 0x1bn,
    hiddenOther: BASE | HIDDEN | 0x19n,
  },
  ...{ start: BASE | 0x1_1001n, stop: BASE | 0x1_1002n },
} as const

export const formats = { text: 1n, link: 2n, qr: 3n }

export const caseRules: CaseRules = {
  ...{ country: 'GR', name: 'Greece', currency: 'EUR', vatOfRate, wantsNature: true },
}
