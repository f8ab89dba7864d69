// What the case words of a receipt mean to whoever reads it on a page: one form for all tables.
// Words of version 2 are read here, those of version 0 by the country.
import type { Decimal } from '../lib/decimal.js'
import { serviceIn, type Word, wordOf } from './word.js'

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
  word: Word
  rate: Decimal
  at: Date
}

/** Label of a signature item, a key of the words of a page. */
export type SignatureLabel =
  | ('qrVersion' | 'registerSerial' | 'processType' | 'processData' | 'transactionNumber')
  | ('signatureCounter' | 'transactionStart' | 'transactionEnd' | 'algorithm' | 'timeFormat')
  | ('signature' | 'publicKey' | 'processStart' | 'certification' | 'deviceSerial')
  | ('shiftTotals' | 'dayTotals' | 'monthTotals' | 'yearTotals' | 'archiveTotals')
  | 'perpetualTotals'

export interface SignatureStyle {
  label: SignatureLabel
  /** True for what only an examiner wants to know. */
  detail: boolean
  as: DataStyle
}

/**
 * How data is told: as it is; as a moment, in ISO 8601; or as amounts instead of data for programs,
 * as the language writes them. Undefined: the data as it is; a pair that somebody sent may hold
 * anything.
 */
export type DataStyle = 'data' | 'moment' | ((data: string) => readonly ToldAmount[] | undefined)

export interface ToldAmount {
  /** '' for the total. */
  name: string
  amount: Decimal
}

/** A signature item of an answer, as far as a page may ask about it. */
export interface ToldItem {
  caption: string
  data: string
}

/** What the items of an answer say about the document as a whole. */
export interface ToldDocument {
  /** In large letters over the receipt; the items that say them are no signatures as well. */
  marks: readonly { text: string; item: ToldItem }[]
  /** Its name by law, which is no warning though a mark says it; undefined: the reader's word. */
  title: string | undefined
  /** What the law wants in the head, beside what every receipt has. */
  head: readonly { label: string; value: string }[]
}

/** What a page has unless the country leaves it out. */
export type PagePart = 'tax' | 'payments' | 'operator'

/** What a country says about the page of its receipts. */
export interface PageRules {
  /** Named where a small business shows no tax: the law that frees it. */
  smallBusinessLaw: string
  /** True for a receipt case of version 0 although the answer speaks version 2. */
  readsAsV0?(receipt: Word): boolean
  /** Words of version 0 and 1. */
  receiptOf(word: Word): ReceiptTraits
  chargeOf(word: ChargeWord): ChargeTraits
  payOf(word: Word): PayTraits
  /** V of an item without any case. */
  vatOfRate(rate: Decimal, at: Date): number
  /** How an item of this ftSignatureType is told; undefined: by its own caption. */
  signatureStyle(type: bigint): SignatureStyle | undefined
  /** The code as text that can be typed or scanned as letters. */
  codeText(data: string): string
  /** The words of the law when the signing device was out; undefined: it was not. */
  outageOf(signatures: readonly ToldItem[]): string | undefined
  toldBy(items: readonly ToldItem[]): ToldDocument
  /**
   * What a document does not show: tax and payments before a sale; who was at the register, where
   * no law wants to know.
   */
  omits(document: DocumentKind): ReadonlySet<PagePart>
  /** True when ftState says that the digital receipt does not replace the one on paper. */
  keepsPaper(state: bigint): boolean
}

/** Documents of sales: all others are no proof that something was bought. */
export const SALES: ReadonlySet<DocumentKind> = new Set(['receipt', 'invoice', 'online', 'exempt'])

/** A sale that counts: nothing that was practised, taken back or given back. */
export function isSale(traits: ReceiptTraits): boolean {
  return SALES.has(traits.document) && !traits.training && !traits.void && !traits.refund
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
export function receiptTraits({ flags, code }: Word): ReceiptTraits {
  const category = code >>> 12
  const has = (flag: number): boolean => (flags & flag) !== 0
  const sale = category <= 1
  return {
    document: CODES[code] ?? CATEGORIES[category] ?? 'receipt',
    training: (sale || category === 3) && has(0x0002),
    void: sale && has(0x0004),
    refund: sale && has(0x0100),
    handwritten: sale && has(0x0008),
    late: sale && has(0x0001),
    smallBusiness: sale && has(0x0010),
    grouped: has(0x0800),
  }
}

export function chargeTraits({ flags, code }: Word): ChargeTraits {
  const has = (flag: number): boolean => (flags & flag) !== 0
  const service = serviceIn({ code })
  return {
    vat: code & 0xf,
    marginScheme: code >>> 8 === 0x40,
    tip: service === 3,
    voucher: service === 4,
    void: has(0x0001),
    refund: has(0x0002),
    discount: has(0x0004),
    downPayment: has(0x0008),
    returnable: has(0x0010),
    amongPayments: has(0x8000),
  }
}

export function payTraits({ flags, code }: Word): PayTraits {
  const has = (flag: number): boolean => (flags & flag) !== 0
  return {
    kind: code & 0xff,
    void: has(0x0001),
    refund: has(0x0002),
    foreign: has(0x0010),
    change: has(0x0020),
    tip: has(0x0040),
    amongItems: has(0x8000),
  }
}

/** An item that is nothing special; countries start from it. */
export const PLAIN_CHARGE: ChargeTraits = chargeTraits(wordOf(0n))
export const PLAIN_PAY: PayTraits = payTraits(wordOf(0n))
