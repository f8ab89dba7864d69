// What a receipt says, for programs: attached to its PDF. Only what can be read on it as well, with
// every digit as it was signed.
import { JsonObject, type JsonValue } from '../lib/json.js'
import { writeJson } from '../lib/json-write.js'
import { memberOf, objectsIn } from '../model/json-members.js'
import type { AttachedFile } from './pdf-archive.js'
import type { PublishedPair } from './published-pair.js'
import type { ReceiptView } from './view.js'

/** Members as they were sent and answered. */
const RESPONSE = ['ftCashBoxIdentification', 'ftReceiptIdentification', 'ftReceiptMoment'] as const
const CHARGE = ['Quantity', 'Unit', 'Description', 'Amount', 'VATRate', 'VATAmount'] as const
const PAY = ['Quantity', 'Description', 'Amount'] as const

export function receiptData(pair: PublishedPair, view: ReceiptView): AttachedFile {
  const { request, response, country, verified } = pair
  const { title, marks, merchant, data } = view
  const content = {
    ...{ title, marks, merchant, country, verified },
    ...{ moment: data.moment, currency: data.currency, total: data.total },
    ...membersOf(response, RESPONSE),
    cbChargeItems: objectsIn(request, 'cbChargeItems').map((item) => membersOf(item, CHARGE)),
    cbPayItems: objectsIn(request, 'cbPayItems').map((item) => membersOf(item, PAY)),
    vat: view.vat.map(({ letter, rate, net, tax, gross }) => ({ letter, rate, net, tax, gross })),
    signatures: view.signatures
      .filter(({ only, aside }) => only !== 'screen' && aside === undefined)
      .map(({ caption, data: signed }) => ({ caption, data: signed })),
  }
  return {
    name: 'receipt.json',
    type: 'application/json',
    description: `${title} ${view.number}`.trim(),
    bytes: Buffer.from(writeJson(content)),
  }
}

function membersOf(object: JsonObject, names: readonly string[]): Record<string, JsonValue> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = memberOf(object, name)
      return value === undefined || value instanceof JsonObject ? [] : [[name, value]]
    }),
  )
}
