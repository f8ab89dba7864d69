// The data contract forms of a request and a response (element order of the SOAP interface), as
// trees for an XML builder. Called by the receipts view of the journal.
import { isoText } from '../lib/ticks.js'
import type { ReceiptRequest, ReceiptResponse } from './receipt.js'
import {
  chargeItemFields,
  type Field,
  payItemFields,
  requestFields,
  responseFields,
  signatureFields,
} from './receipt-fields.js'

/**
 * Namespace of the members and of string arrays; `i` must be bound to XSI where nulls are written.
 */
export const DATA_NAMESPACE = 'http://schemas.datacontract.org/2004/07/fiskaltrust.ifPOS.v0'
const ARRAY_NAMESPACE = 'http://schemas.microsoft.com/2003/10/Serialization/Arrays'
export const XSI_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance'

/** Elements in their order; names that begin with @ are attributes, a list repeats its element. */
export interface XmlTree {
  [name: string]: string | XmlTree | readonly (string | XmlTree)[]
}

/** Content of a ReceiptRequest element. */
export function requestTree(request: ReceiptRequest): XmlTree {
  return { '@xmlns': DATA_NAMESPACE, ...membersOf(request, requestFields) }
}

/** Content of a ReceiptResponse element. */
export function responseTree(response: ReceiptResponse): XmlTree {
  return { '@xmlns': DATA_NAMESPACE, ...membersOf(response, responseFields) }
}

/** Optional members that are null or 0 are left out, the others say that they are null. */
function membersOf<T>(value: T, fields: readonly Field<T>[]): XmlTree {
  const tree: XmlTree = {}
  for (const field of fields) {
    const member: unknown = value[field.key]
    if (field.optional === true && (member === null || member === 0n)) continue
    tree[field.name] = member === null ? { '@i:nil': 'true' } : contentOf(member, field)
  }
  return tree
}

interface ItemForm {
  element: string
  fields: readonly Field<never>[]
}

const ITEMS: Partial<Record<Field<never>['kind'], ItemForm>> = {
  chargeItems: { element: 'ChargeItem', fields: chargeItemFields as readonly Field<never>[] },
  payItems: { element: 'PayItem', fields: payItemFields as readonly Field<never>[] },
  signatures: { element: 'SignaturItem', fields: signatureFields as readonly Field<never>[] },
}

function contentOf<T>(member: unknown, field: Field<T>): string | XmlTree {
  if (member instanceof Date) return isoText(member)
  if (!Array.isArray(member)) return String(member)
  if (member.length === 0) return ''
  const form = ITEMS[field.kind]
  if (form === undefined) return { '@xmlns:b': ARRAY_NAMESPACE, 'b:string': member.map(String) }
  return { [form.element]: member.map((item) => membersOf(item as never, form.fields)) }
}
