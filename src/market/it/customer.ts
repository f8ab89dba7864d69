// The buyer: one tax number, and the code of the lottery of receipts.
import { isTaxId, isVatNumber } from '../../device/it/tax-id.js'
import { objectIn } from '../../lib/json.js'
import { textAt } from '../../lib/json-object.js'
import { customerIn } from '../kit/customer.js'

export interface Customer {
  /** '' for none. */
  taxId: string
  isValid: boolean
  /** Lines of an address, for deliveries. */
  lines: readonly string[]
}

/** A text that is no JSON is no customer. */
export function customerOf(text: string | null): Customer {
  const { name, street, country, zip, city, ...given } = customerIn(text)
  const id = given.id.toUpperCase()
  const plain = /^IT\d{11}$/.test(id) ? id.slice(2) : id
  const vatId = given.vatId.toUpperCase().replace(/^IT/, '')
  const taxId = plain === '' ? vatId : plain
  const place = [country, zip, city].join(' ').trim()
  return {
    taxId,
    isValid: taxId === '' || (plain === '' ? isVatNumber(taxId) : isTaxId(taxId)),
    lines: [name, street, place].filter((one) => one !== ''),
  }
}

export const lotteryOf = (data: string | null): string =>
  textAt(objectIn(data), 'servizi_lotteriadegliscontrini_gov_it', 'codicelotteria')?.trim() ?? ''
