// The recipient of an invoice, and Spanish tax numbers with their check characters.
import { COUNTRY } from '../../device/es/countries.js'
import { luhnDigit } from '../../lib/check-digits.js'
import { customerIn } from '../kit/customer.js'
import type { Rule } from './text.js'

export interface Customer {
  name: string
  /** NIF; '' for those who have none. */
  nif: string
  /** IDOtro; undefined for those with a NIF. */
  other?: { country: string; type: string; id: string }
  street: string
  postalCode: string
}

const NIF = /^([A-Z]\d{7}[A-Z]|\d{8}[A-Z]|[A-Z]\d{8})$/
/** Member states by the letters of their VAT numbers; XI is Northern Ireland. */
const UNION = /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)/

/** Rules that it breaks, in their order. */
export function customerOf(text: string | null): Customer | undefined | { rules: Rule[] } {
  const whole = text?.trim() ?? ''
  if (whole === '') return undefined
  const { street, zip: postalCode, taxId, id, ...given } = customerIn(whole)
  const name = given.isObject ? given.name : whole
  const rules: Rule[] = []
  if (name === '') rules.push('CustomerNameMissing')
  if (postalCode === '') rules.push('CustomerZipMissing')
  if (street === '') rules.push('CustomerStreetMissing')
  const country = given.country.toUpperCase()
  const vatId = given.vatId.replace(/[\s.-]/g, '').toUpperCase()
  const base = { name: name.slice(0, 120), street: street.slice(0, 250), postalCode }
  if (country === '' || country === 'ES') {
    const nif = vatId.replace(/^ES(?=.{9}$)/, '')
    if (!NIF.test(nif)) rules.push('InvalidSpanishTaxId')
    return rules.length > 0 ? { rules } : { ...base, nif }
  }
  const other = otherOf({ country, vatId, taxId, id })
  if (other === undefined) rules.push('CustomerIdentifierMissing')
  return rules.length > 0 || other === undefined ? { rules } : { ...base, nif: '', other }
}

/**
 * Whether it has a VAT number of another member state (art. 25 LIVA), in whatever member it came:
 * programs have it in `CustomerTaxId`, too.
 */
export const isInUnion = ({ other }: Customer): boolean =>
  other !== undefined &&
  (other.type === '02' || other.id.startsWith(lettersOf(other.country))) &&
  UNION.test(other.id)

/** Of VAT numbers. */
const lettersOf = (country: string): string => (country === 'GR' ? 'EL' : country)

interface Given {
  country: string
  vatId: string
  taxId: string
  id: string
}

function otherOf({ country, vatId, taxId, id }: Given): Customer['other'] {
  if (!/^[A-Z]{2}$/.test(country)) return undefined
  const code = country === 'EL' ? 'GR' : country
  const isListed = COUNTRY.test(code)
  const most = (text: string) => text.slice(0, 20)
  if (vatId !== '') {
    const own = lettersOf(country)
    const full = vatId.startsWith(own) ? vatId : `${own}${vatId}`
    if (UNION.test(full)) return { country, type: '02', id: most(full) }
    return isListed ? { country: code, type: '04', id: most(vatId) } : undefined
  }
  // a code that the list of the authority has not would stop all that waits with it
  if (!isListed) return undefined
  if (taxId !== '') return { country: code, type: '04', id: most(taxId) }
  return id === '' ? undefined : { country: code, type: '06', id: most(id) }
}

// ------------------------------------------------------------------------------------ tax numbers

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const CONTROLS = 'JABCDEFGHI'

/** DNI, NIE, special persons and companies, by their check characters. */
export function isNif(text: string): boolean {
  if (/^\d{8}[A-Z]$/.test(text)) return text.endsWith(letterOf(text.slice(0, 8)))
  const foreign = 'XYZ'.indexOf(text.charAt(0))
  if (/^[XYZ]\d{7}[A-Z]$/.test(text)) return text.endsWith(letterOf(foreign + text.slice(1, 8)))
  if (/^[KLM]\d{7}[A-Z]$/.test(text)) return text.endsWith(letterOf(text.slice(1, 8)))
  return /^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/.test(text) && isCompany(text)
}

const letterOf = (digits: string): string => LETTERS.charAt(Number(digits) % LETTERS.length)

function isCompany(text: string): boolean {
  const control = luhnDigit(text.slice(1, 8))
  const [kind, last] = [text.charAt(0), text.charAt(8)]
  const [digit, letter] = [String(control), CONTROLS.charAt(control)]
  if (/[ABEH]/.test(kind)) return last === digit
  if (/[NPQRSW]/.test(kind)) return last === letter
  return last === digit || last === letter
}

/** As people write it: in groups, with the letters of the country. */
export const plainNif = (text: string): string =>
  text
    .replace(/[\s.-]/g, '')
    .toUpperCase()
    .replace(/^ES(?=.{9}$)/, '')
