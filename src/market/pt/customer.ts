// The customer of a document: name, tax number and address, as the books want them.
import { createHash } from 'node:crypto'
import { weightedSum } from '../../lib/check-digits.js'
import { isCountry } from '../../model/countries.js'
import { customerIn } from '../kit/customer.js'

const ANONYMOUS_NIF = '999999990'
const UNKNOWN = 'Desconhecido'

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

export const anonymous: Customer = {
  ...{ id: '0', nif: ANONYMOUS_NIF, name: 'Consumidor final', country: 'PT' },
  ...{ address: UNKNOWN, city: UNKNOWN, postalCode: UNKNOWN },
}

export const isAnonymous = ({ nif }: Customer): boolean => nif === ANONYMOUS_NIF

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('base64')

/** Who was at the register, in the books. */
export const userId = (user: string): string => md5(user)

const MOST_TAX_ID = 30

/** A name, or the members of an object. */
export function customerOf(
  text: string | null,
): Customer | { rule: 'InvalidPortugueseTaxId' | 'CustomerInvalid'; value: string } {
  const whole = text?.trim() ?? ''
  if (whole === '') return anonymous
  const { isObject, vatId, id, ...given } = customerIn(whole)
  if (!isObject && /^[{["]/.test(whole)) {
    return { rule: 'CustomerInvalid', value: 'expected an object or a name' }
  }
  const name = isObject ? given.name : whole
  const country = given.country.toUpperCase() || 'PT'
  const plain = vatId.replace(/\s/g, '')
  const own = country === 'PT' ? plain.replace(/^PT/i, '') : plain
  const nif = plain === '' ? ANONYMOUS_NIF : own
  if (country === 'PT' && !isNif(nif)) return { rule: 'InvalidPortugueseTaxId', value: nif }
  if (nif.length > MOST_TAX_ID || !isCountry(country)) {
    return { rule: 'CustomerInvalid', value: `${country} ${nif}`.slice(0, 40) }
  }
  if (nif === ANONYMOUS_NIF && name === '') return anonymous
  const isNamed = id !== '' && id.length <= MOST_TAX_ID
  return {
    ...{ nif, country, name: (name || UNKNOWN).slice(0, 100) },
    id: isNamed ? id : md5(nif === ANONYMOUS_NIF ? name : nif),
    address: (given.street || UNKNOWN).slice(0, 210),
    city: (given.city || UNKNOWN).slice(0, 50),
    postalCode: (given.zip || UNKNOWN).slice(0, 20),
  }
}

const MODULUS = 11
const WEIGHTS = [9, 8, 7, 6, 5, 4, 3, 2]

/** Nine digits with a check digit. */
export function isNif(text: string): boolean {
  if (!/^[1-35-9]\d{8}$/.test(text)) return false
  const rest = weightedSum(text, WEIGHTS) % MODULUS
  return Number(text.charAt(WEIGHTS.length)) === (rest < 2 ? 0 : MODULUS - rest)
}
