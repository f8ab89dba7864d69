// What the case words of a receipt mean to whoever reads it on a page: one form for all tables.
// Words of version 2 are read here, those of version 0 by the country.
import type { Decimal } from '../lib/decimal.js'
import { casePartsOf } from './case.js'

/** Kinds of documents, named by what the reader calls them. */
export type DocumentKind =
  | ('receipt' | 'transfer' | 'exempt' | 'online' | 'deliveryNote' | 'tableCheck' | 'proForma')
  | ('invoice' | 'zero' | 'shift' | 'daily' | 'monthly' | 'yearly' | 'log' | 'internal' | 'order')
  | ('payment' | 'copy' | 'archive' | 'start' | 'stop' | 'switch' | 'migration')

export interface ReceiptTraits {
  document: DocumentKind
  training: boolean
  void: boolean
  refund: boolean
  /** Written by hand first, entered later. */
  handwritten: boolean
  /** Made while the register was out, entered later. */
  late: boolean
  smallBusiness: boolean
  /** The integer part of a position makes a group of items. */
  grouped: boolean
}

export interface ChargeTraits {
  /** V of version 2, 0 to 8. */
  vat: number
  marginScheme: boolean
  tip: boolean
  voucher: boolean
  void: boolean
  refund: boolean
  discount: boolean
  downPayment: boolean
  returnable: boolean
  /** Shown below the total with the sign turned, and no part of the shown total. */
  amongPayments: boolean
}

export interface PayTraits {
  /** PP of version 2, 0 to 15. */
  kind: number
  void: boolean
  refund: boolean
  foreign: boolean
  change: boolean
  tip: boolean
  /** Shown above the total with the sign turned, and part of the shown total. */
  amongItems: boolean
}

/** The rate decides where a word says nothing about the tax. */
export interface ChargeWord {
  word: bigint
  rate: Decimal
  at: Date
}

/** Label of a signature item, a key of the words of a page. */
export type SignatureLabel =
  | ('qrVersion' | 'registerSerial' | 'processType' | 'processData' | 'transactionNumber')
  | ('signatureCounter' | 'transactionStart' | 'transactionEnd' | 'algorithm' | 'timeFormat')
  | ('signature' | 'publicKey' | 'processStart' | 'certification' | 'deviceSerial')

export interface SignatureStyle {
  label: SignatureLabel
  /** True for what only an examiner wants to know. */
  detail: boolean
  /** True for a moment in ISO 8601. */
  moment: boolean
}

/** What a country says about the page of its receipts. */
export interface PageRules {
  /** Named where a small business shows no tax: the law that frees it. */
  smallBusinessLaw: string
  /** True for a receipt case of version 0 although the answer speaks version 2. */
  readsAsV0?(receiptCase: bigint): boolean
  /** Words of version 0 and 1. */
  receiptOf(word: bigint): ReceiptTraits
  chargeOf(word: ChargeWord): ChargeTraits
  payOf(word: bigint): PayTraits
  /** V of an item without any case. */
  vatOfRate(rate: Decimal, at: Date): number
  /** How an item of this ftSignatureType is told; undefined: by its own caption. */
  signatureStyle(type: bigint): SignatureStyle | undefined
  /** The code as text that can be typed or scanned as letters. */
  codeText(data: string): string
  /** The words of the law when the signing device was out; undefined: it was not. */
  outageOf(signatures: readonly { caption: string; data: string }[]): string | undefined
  /** True when ftState says that the digital receipt does not replace the one on paper. */
  keepsPaper(state: bigint): boolean
}

/** Documents of sales: all others are no proof that something was bought. */
export const SALES: ReadonlySet<DocumentKind> = new Set(['receipt', 'invoice', 'online', 'exempt'])

/** A sale that counts: nothing that was practised, taken back or given back. */
export function isSale(traits: ReceiptTraits): boolean {
  return SALES.has(traits.document) && !traits.training && !traits.void && !traits.refund
}

const VERSION_2 = 2n

/** Version 2 by the word alone. */
export function isVersion2(word: bigint): boolean {
  return casePartsOf(word).version === VERSION_2
}

const CODES: Record<number, DocumentKind> = {
  2: 'transfer',
  3: 'exempt',
  4: 'online',
  5: 'deliveryNote',
  6: 'tableCheck',
  7: 'proForma',
  8192: 'zero',
  8193: 'zero',
  8208: 'shift',
  8209: 'daily',
  8210: 'monthly',
  8211: 'yearly',
  12291: 'internal',
  12292: 'order',
  12293: 'payment',
  12304: 'copy',
  12305: 'archive',
  16385: 'start',
  16386: 'stop',
  16401: 'switch',
  16402: 'switch',
  16417: 'migration',
  16418: 'migration',
}
/** By category: receipt, invoice, daily operation, log, life cycle. */
const CATEGORIES: readonly DocumentKind[] = ['receipt', 'invoice', 'zero', 'log', 'start']

/** Flags are those of the category: elsewhere the same bits say something else. */
export function receiptTraits(word: bigint): ReceiptTraits {
  const { global, code } = casePartsOf(word)
  const category = Number(code >> 12n)
  const has = (flag: bigint): boolean => (global & flag) !== 0n
  const sale = category <= 1
  return {
    document: CODES[Number(code)] ?? CATEGORIES[category] ?? 'receipt',
    training: (sale || category === 3) && has(0x0002n),
    void: sale && has(0x0004n),
    refund: sale && has(0x0100n),
    handwritten: sale && has(0x0008n),
    late: sale && has(0x0001n),
    smallBusiness: sale && has(0x0010n),
    grouped: has(0x0800n),
  }
}

export function chargeTraits(word: bigint): ChargeTraits {
  const { global, code } = casePartsOf(word)
  const has = (flag: bigint): boolean => (global & flag) !== 0n
  const service = (code >> 4n) & 0xfn
  return {
    vat: Number(code & 0xfn),
    marginScheme: code >> 8n === 0x40n,
    tip: service === 3n,
    voucher: service === 4n,
    void: has(0x0001n),
    refund: has(0x0002n),
    discount: has(0x0004n),
    downPayment: has(0x0008n),
    returnable: has(0x0010n),
    amongPayments: has(0x8000n),
  }
}

export function payTraits(word: bigint): PayTraits {
  const { global, code } = casePartsOf(word)
  const has = (flag: bigint): boolean => (global & flag) !== 0n
  return {
    kind: Number(code & 0xffn),
    void: has(0x0001n),
    refund: has(0x0002n),
    foreign: has(0x0010n),
    change: has(0x0020n),
    tip: has(0x0040n),
    amongItems: has(0x8000n),
  }
}

/** A charge item that is nothing special; countries start from it. */
export const PLAIN_CHARGE: ChargeTraits = chargeTraits(0n)
export const PLAIN_PAY: PayTraits = payTraits(0n)
