// The customer of a receipt as programs name it: members of an object in cbCustomer.
import { objectIn } from '../../lib/json.js'
import { textMember } from '../../lib/json-object.js'

/** Trimmed; '' for what is not said. */
export function customerIn(text: string | null) {
  const given = objectIn(text ?? '')
  const of = (name: string) => textMember(given, `Customer${name}`)?.trim() ?? ''
  return {
    ...{ isObject: given !== undefined, name: of('Name'), street: of('Street'), zip: of('Zip') },
    ...{ city: of('City'), country: of('Country'), vatId: of('VATId') },
    ...{ taxId: of('TaxId'), id: of('Id') },
  }
}
