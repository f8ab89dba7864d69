// The buyer: one tax number, and the code of the lottery of receipts.
import { isTaxId, isVatNumber } from '../../device/it/tax-id.js'
import { objectIn } from '../../lib/json.js'
import { objectMember, textMember } from '../../lib/json-object.js'

export interface Customer {
  /** '' for none. */
  taxId: string
  isValid: boolean
  /** Lines of an address, for deliveries. */
  lines: readonly string[]
}

/** A text that is no JSON is no customer. */
export function customerOf(text: string | null): Customer {
  const given = objectIn(text ?? '')
  const member = (name: string) => (textMember(given, name) ?? '').trim()
  const id = member('CustomerId').toUpperCase()
  const plain = /^IT\d{11}$/.test(id) ? id.slice(2) : id
  const vatId = member('CustomerVATId').toUpperCase().replace(/^IT/, '')
  const taxId = plain === '' ? vatId : plain
  const place = ['CustomerCountry', 'CustomerZip', 'CustomerCity'].map(member).join(' ').trim()
  return {
    taxId,
    isValid: taxId === '' || (plain === '' ? isVatNumber(taxId) : isTaxId(taxId)),
    lines: [member('CustomerName'), member('CustomerStreet'), place].filter((one) => one !== ''),
  }
}

export function lotteryOf(receiptCaseData: string | null): string {
  const given = objectIn(receiptCaseData)
  const service = objectMember(given, 'servizi_lotteriadegliscontrini_gov_it')
  return (textMember(service, 'codicelotteria') ?? '').trim()
}
