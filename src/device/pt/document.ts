// A Portuguese document as the authority knows it: what is signed of it, its QR code and the books
// are made of this. Members are names of this program; codes and books name them otherwise.

export const REGIONS = ['PT', 'PT-AC', 'PT-MA'] as const
export type Region = (typeof REGIONS)[number]
export type TaxCode = 'RED' | 'INT' | 'NOR' | 'ISE'
/** Parts of the books. */
export type Table = 'SalesInvoices' | 'WorkingDocuments' | 'Payments'

/** Amounts as plain texts, never negative. */
export interface Line {
  text: string
  quantity: string
  unit: string
  /** P goods, S services, O others. */
  kind: string
  tax: TaxCode
  /** '' where there is tax; else the digits of its reason. */
  exempt: string
  /** What it is without tax, discounts taken off; and with. */
  net: string
  gross: string
  /** Of its discounts, without tax; '' for none. */
  discount: string
}

export interface Totals {
  gross: string
  net: string
  tax: string
  /** By rate: base and tax, which together with the tax of the document add up to its total. */
  rates: Partial<Record<TaxCode, { base: string; tax: string }>>
}

export interface Payment {
  mechanism: string
  amount: string
}

/** Name and address as the books want them; what nobody has said is unknown. */
export interface Customer {
  /** In the books: at most 30 characters. */
  id: string
  nif: string
  name: string
  country: string
  address: string
  city: string
  postalCode: string
}

export const UNKNOWN = 'Desconhecido'
const NOBODY_NIF = '999999990'

/** A customer whom nobody names. */
export const anonymous: Customer = {
  ...{ id: '0', nif: NOBODY_NIF, name: 'Consumidor final', country: 'PT' },
  ...{ address: UNKNOWN, city: UNKNOWN, postalCode: UNKNOWN },
}

export const isAnonymous = ({ nif }: Pick<Customer, 'nif'>): boolean => nif === NOBODY_NIF

export interface Issuer extends Omit<Customer, 'id' | 'country'> {
  /** Number under which the authority has certified the program. */
  certificate: string
}

export interface BookDocument {
  /** `FS FW2026A/1` */
  number: string
  atcud: string
  type: string
  hash: string
  /** Version of the key; of a recovered document the one on paper as well. */
  control: string
  date: string
  entry: string
  region: Region
  totals: Totals
  lines: readonly Line[]
  /** P made here, M recovered. */
  source: 'P' | 'M'
  user: string
  customer: Customer
  payments: readonly Payment[]
  previous: { number: string; date: string } | null
}

/** What became of a document: annulled, or invoiced. */
export interface DocumentStatus {
  /** Of the document. */
  number: string
  status: 'A' | 'F'
  entry: string
  user: string
  reason: string
}
