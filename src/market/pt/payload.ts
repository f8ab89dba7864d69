// What a document is signed over, its code for the QR symbol, and what is printed of its signature
// (Portaria 363/2010, art. 6; Despacho 8632/2014; specification of the QR code by AT).
import type { Totals } from './amounts.js'
import { REGIONS, type Region, type TaxCode } from './cases.js'

export interface Signed {
  /** `2026-06-15`; of a document on paper its own day. */
  date: string
  /** `2026-06-15T10:30:15`, local time. */
  entry: string
  /** `FS FW2026A/1` */
  number: string
  gross: string
}

/** UTF-8, and no line end behind it. */
export function signedText({ date, entry, number, gross }: Signed, previous: string): string {
  return `${date};${entry};${number};${gross};${previous}`
}

const PRINTED = [0, 10, 20, 30]

/** Characters 1, 11, 21 and 31 of the signature. */
export function excerptOf(hash: string): string {
  return PRINTED.map((at) => hash.charAt(at)).join('')
}

export type Rates = Totals['rates']

export interface Coded extends Signed {
  nif: string
  /** Tax number and country of the customer. */
  customer: { nif: string; country: string }
  type: string
  atcud: string
  /** By region, as they are in the document; none: no rate is indicated. */
  taxes: Readonly<Partial<Record<Region, Rates>>>
  /** All taxes, stamp duty included. */
  tax: string
  hash: string
  certificate: string
  /** L not taxed, M stamp duty, P withheld, S free text: only where there is something to say. */
  further?: Readonly<Partial<Record<'L' | 'M' | 'P' | 'S', string>>>
}

export function codeText(one: Coded): string {
  const { further = {} } = one
  const fields: [string, string | undefined][] = [
    ['A', one.nif],
    ['B', one.customer.nif],
    ['C', one.customer.country],
    ['D', one.type],
    ['E', 'N'],
    ['F', one.date.replaceAll('-', '')],
    ['G', one.number],
    ['H', one.atcud],
    ...taxFields(one.taxes),
    ['L', further.L],
    ['M', further.M],
    ['N', one.tax],
    ['O', one.gross],
    ['P', further.P],
    ['Q', excerptOf(one.hash)],
    ['R', one.certificate],
    ['S', further.S],
  ]
  const told = fields.filter(([, value]) => value !== undefined && value !== '')
  return told.map(([letter, value]) => `${letter}:${value}`).join('*')
}

/** Fields of a region: base exempt, then base and tax of each rate. */
const ORDER: readonly TaxCode[] = ['ISE', 'RED', 'INT', 'NOR']
const LETTERS: Readonly<Record<Region, string>> = { PT: 'I', 'PT-AC': 'J', 'PT-MA': 'K' }

function taxFields(taxes: Coded['taxes']): [string, string][] {
  const fields = REGIONS.flatMap((region) => regionFields(region, taxes[region] ?? {}))
  // 0 says that no rate is indicated
  return fields.length === 0 ? [['I1', '0']] : fields
}

function regionFields(region: Region, rates: Rates): [string, string][] {
  const letter = LETTERS[region]
  const fields = ORDER.flatMap((code, place): [string, string][] => {
    const found = rates[code]
    if (found === undefined) return []
    const base: [string, string] = [`${letter}${place * 2 + 1}`, found.base]
    if (code === 'ISE') return [[`${letter}2`, found.base]]
    return [base, [`${letter}${place * 2 + 2}`, found.tax]]
  })
  return fields.length === 0 ? [] : [[`${letter}1`, region], ...fields]
}
