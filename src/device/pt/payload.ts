// What a document is signed over, its code for the QR symbol, and what is printed of its signature
// (Portaria 363/2010, art. 6; Despacho 8632/2014; specification of the QR code by AT).

import { formOf } from '../../lib/form.js'
import code from './code.json' with { type: 'json' }
import { REGIONS, type Region, type Totals } from './document.js'

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

const members = formOf<string>(code)

export function codeText(one: Coded): string {
  const rates = REGIONS.flatMap((region) => {
    const own = one.taxes[region] ?? {}
    return Object.keys(own).length === 0 ? [] : [[region, { region, ...own }] as const]
  })
  // 0 says that no rate is indicated
  const taxes = rates.length === 0 ? { PT: { region: '0' } } : Object.fromEntries(rates)
  const said = members({
    ...{ ...one, ...taxes, day: one.date.replaceAll('-', ''), excerpt: excerptOf(one.hash) },
  })
  const told = Object.entries(said).filter(([, value]) => value !== '')
  return told.map(([letter, value]) => `${letter}:${value}`).join('*')
}
