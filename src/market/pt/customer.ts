// The customer of a document: name, tax number and address, as the books want them.
import { createHash } from 'node:crypto'
import { anonymous, type Customer, UNKNOWN } from '../../device/pt/document.js'
import { isNif } from '../../device/pt/tax-id.js'
import { isCountry } from '../../model/countries.js'
import { customerIn } from '../kit/customer.js'

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
  const nif = plain === '' ? anonymous.nif : own
  if (country === 'PT' && !isNif(nif)) return { rule: 'InvalidPortugueseTaxId', value: nif }
  if (nif.length > MOST_TAX_ID || !isCountry(country)) {
    return { rule: 'CustomerInvalid', value: `${country} ${nif}`.slice(0, 40) }
  }
  if (nif === anonymous.nif && name === '') return anonymous
  const isNamed = id !== '' && id.length <= MOST_TAX_ID
  return {
    ...{ nif, country, name: (name || UNKNOWN).slice(0, 100) },
    id: isNamed ? id : md5(nif === anonymous.nif ? name : nif),
    address: (given.street || UNKNOWN).slice(0, 210),
    city: (given.city || UNKNOWN).slice(0, 50),
    postalCode: (given.zip || UNKNOWN).slice(0, 20),
  }
}
