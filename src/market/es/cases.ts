// The case tables of Spain: receipts and their series, rates, reasons for no tax as both systems
// name them, and words of version 2, which is the only one that the country has.
import type { CaseRules } from '../../case/rules.js'
import type { TaxRegime } from '../../device/es/unit.js'
import type { Decimal } from '../../lib/decimal.js'

/** Receipt cases that are named somewhere in the program. */
export const receiptCases = { sale: 0x0001, copy: 0x3010, start: 0x4001, stop: 0x4002 } as const

/** simplified and full: invoices of that series. */
export type Series = 'simplified' | 'full'
type Plain = 'stored' | 'copy' | 'life'

/** By code. */
export const receipts: Readonly<Record<number, Series | Plain>> = {
  ...{ 0: 'simplified', [receiptCases.sale]: 'simplified' },
  ...{ 2: 'stored', 3: 'stored', 4: 'stored', 5: 'stored', 6: 'stored', 7: 'stored' },
  ...{ 4096: 'full', 4097: 'full', 4098: 'full', 4099: 'full' },
  ...{ 8192: 'stored', 8193: 'stored', 8208: 'stored', 8209: 'stored' },
  ...{ 8210: 'stored', 8211: 'stored' },
  ...{ 12288: 'stored', 12289: 'stored', 12290: 'stored', 12291: 'stored' },
  ...{ 12292: 'stored', 12293: 'stored', 12305: 'stored' },
  [receiptCases.copy]: 'copy',
  ...{ [receiptCases.start]: 'life', [receiptCases.stop]: 'life' },
  ...{ 16401: 'stored', 16402: 'stored', 16417: 'stored', 16418: 'stored' },
}

/** Behind the short name of a queue in the name of a series. */
export const seriesMarks: Readonly<Record<Series, string>> = { simplified: '0000', full: '1000' }

// ------------------------------------------------------------------------------------------- rates

/** V of version 2 → percent (LIVA, art. 90 and 91); all others are refused. */
export const rates: Readonly<Record<number, number>> = {
  ...{ 1: 10, 2: 10, 3: 21, 4: 4, 5: 4, 7: 0, 8: 0 },
}

/** Surcharge for retailers (recargo de equivalencia) beside a rate (LIVA, art. 161). */
export const surcharges: Readonly<Record<string, readonly string[]>> = {
  ...{ 21: ['5.2', '1.75'], 10: ['1.4'], 4: ['0.5'] },
}

function vatOfRate(rate: Decimal): number {
  const found = Object.entries(rates).find(([, percent]) => rate.toShortString() === `${percent}`)
  return found === undefined ? 0 : Number(found[0])
}

/** Unknown, goods, service, tip, catalogue, receivable. */
export const services: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 9])
/** Those that are no goods, for TicketBAI (PrestacionServicios). */
export const serviceKinds: ReadonlySet<number> = new Set([2, 3, 8, 9, 0xa])

export interface Nature {
  /** CalificacionOperacion or OperacionExenta. */
  mark: 'S1' | 'S2' | 'N1' | 'N2' | 'E1' | 'E2' | 'E3' | 'E4' | 'E5' | 'E6'
  /** ClaveRegimen; TicketBAI has another one for tax of elsewhere. */
  regime: '01' | '02'
  basque: 'S1' | 'S2' | 'OT' | 'RL' | 'VT' | 'IE' | 'E1' | 'E2' | 'E3' | 'E4' | 'E5' | 'E6'
  basqueRegime: '01' | '02' | '08'
}

const exempt = (mark: 'E1' | 'E2' | 'E3' | 'E4' | 'E5' | 'E6', regime: '01' | '02'): Nature => ({
  ...{ mark, regime, basque: mark, basqueRegime: regime },
})

/** NN by its digits; all others are refused. */
export const natures: Readonly<Record<string, Nature>> = {
  '00': { mark: 'S1', regime: '01', basque: 'S1', basqueRegime: '01' },
  '10': exempt('E2', '02'),
  '11': exempt('E5', '01'),
  '13': exempt('E3', '02'),
  '14': exempt('E4', '02'),
  '20': { mark: 'N2', regime: '01', basque: 'RL', basqueRegime: '01' },
  '21': { mark: 'N1', regime: '01', basque: 'OT', basqueRegime: '01' },
  '30': exempt('E1', '01'),
  '31': exempt('E6', '01'),
  '50': { mark: 'S2', regime: '01', basque: 'S2', basqueRegime: '01' },
  '60': { mark: 'N1', regime: '01', basque: 'IE', basqueRegime: '08' },
  '80': { mark: 'N1', regime: '01', basque: 'VT', basqueRegime: '01' },
}

/** Impuesto. */
export const taxes: Readonly<Record<TaxRegime, string>> = {
  ...{ MainlandVat: '01', IPSI: '02', IGIC: '03', Other: '05' },
}

// ------------------------------------------------------------------------------------------- words

const BASE = 0x4553_2000_0000_0000n
export const ERROR_STATE = BASE | 0xeeee_eeeen
export const OUT_OF_SERVICE = 0x01n
/** The authority has not answered yet, and did not when it was asked. */
export const UNREACHED = 0x02n
export const stateWord = (bits: bigint): bigint => BASE | bits

/** ftSignatureType. */
export const types = {
  code: BASE,
  qr: BASE | 0x0001n,
  nif: BASE | 0x0002n,
  signature: BASE | 0x0020_0003n,
  huella: BASE | 0x0004n,
  note: BASE | 0x1000n,
  start: BASE | 0x1_1001n,
  stop: BASE | 0x1_1002n,
} as const

/** Texts, codes, Base64; the two of VeriFactu stand before the header. */
export const formats = { text: 1n, qr: 3n, base64: 13n, qrOnTop: 0x5_0003n, textOnTop: 0x5_0001n }

export const caseRules: CaseRules = {
  ...{ country: 'ES', name: 'Spain', currency: 'EUR', vatOfRate },
}
