// The data contract forms of a request and a response (element order of the SOAP interface): as
// trees for an XML builder, and read back.
import { JsonObject, type JsonValue } from '../lib/json.js'
import { isoText } from '../lib/ticks.js'
import { isNil, type XmlElement } from '../lib/xml-read.js'
import type { XmlTree } from '../lib/xml-write.js'
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
export const ARRAY_NAMESPACE = 'http://schemas.microsoft.com/2003/10/Serialization/Arrays'
export const XSI_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance'

/** Content of a ReceiptRequest element. */
export function requestTree(request: ReceiptRequest): XmlTree {
  return { '@xmlns': DATA_NAMESPACE, ...membersOf(request, requestFields, '') }
}

/** Content of a ReceiptResponse element; the members stand in its own namespace. */
export function responseTree(response: ReceiptResponse): XmlTree {
  return { '@xmlns': DATA_NAMESPACE, ...membersOf(response, responseFields, '') }
}

/** The same for an element of another namespace: the members have the prefix `a`. */
export function prefixedResponseTree(response: ReceiptResponse): XmlTree {
  return { '@xmlns:a': DATA_NAMESPACE, ...membersOf(response, responseFields, 'a:') }
}

/** Optional members that are null or 0 are left out, the others say that they are null. */
function membersOf<T>(value: T, fields: readonly Field<T>[], prefix: string): XmlTree {
  const tree: XmlTree = {}
  for (const field of fields) {
    const member: unknown = value[field.key]
    if (field.optional === true && (member === null || member === 0n)) continue
    tree[prefix + field.name] =
      member === null ? { '@i:nil': 'true' } : contentOf(member, field, prefix)
  }
  return tree
}

interface ItemForm {
  element: string
  fields: readonly Field<never>[]
}

/** The element of each item in an array, and its members. */
export const ITEM_FORMS: Partial<Record<Field<never>['kind'], ItemForm>> = {
  chargeItems: { element: 'ChargeItem', fields: chargeItemFields as readonly Field<never>[] },
  payItems: { element: 'PayItem', fields: payItemFields as readonly Field<never>[] },
  signatures: { element: 'SignaturItem', fields: signatureFields as readonly Field<never>[] },
}

function contentOf<T>(member: unknown, field: Field<T>, prefix: string): string | XmlTree {
  if (member instanceof Date) return isoText(member)
  if (!Array.isArray(member)) return String(member)
  if (member.length === 0) return ''
  const form = ITEM_FORMS[field.kind]
  if (form === undefined) return { '@xmlns:b': ARRAY_NAMESPACE, 'b:string': member.map(String) }
  return {
    [prefix + form.element]: member.map((item) => membersOf(item as never, form.fields, prefix)),
  }
}

/** Where the members of an object are found by name. */
type Members = ReadonlyMap<string, Field<never>>

function namesOf(fields: readonly unknown[]): Members {
  const known = fields as readonly Field<never>[]
  return new Map(
    known.flatMap((field) =>
      [field.name, ...(field.aliases ?? [])].map((name) => [name.toLowerCase(), field] as const),
    ),
  )
}

const requestMembers = namesOf(requestFields)
const itemMembers: Partial<Record<Field<never>['kind'], Members>> = {
  chargeItems: namesOf(chargeItemFields),
  payItems: namesOf(payItemFields),
}

/**
 * A ReceiptRequest element as the JSON reader would give it, whatever its namespaces and the order
 * of its elements: what the members may be is judged there, once for all forms.
 */
export function requestObject(element: XmlElement): JsonObject {
  return objectOf(element, requestMembers)
}

function objectOf({ children }: XmlElement, members: Members): JsonObject {
  const object = new JsonObject()
  for (const child of children) {
    const field = members.get(child.name.toLowerCase())
    // what nobody reads keeps its name, so that it can be told
    object.names.push(child.name)
    object.values.push(field === undefined ? null : memberValue(child, field))
  }
  return object
}

function memberValue(element: XmlElement, field: Field<never>): JsonValue {
  if (isNil(element)) return null
  const members = itemMembers[field.kind]
  if (members !== undefined) return itemsOf(element, field, members)
  // no text: refused with the name of the member
  if (element.children.length > 0) return new JsonObject()
  if (field.kind === 'text') return element.text
  const text = element.text.trim()
  return text === '' ? null : text
}

/** An element that is no item must not vanish: its place is kept, and refused by its number. */
function itemsOf(element: XmlElement, { kind }: Field<never>, members: Members): JsonValue {
  const name = ITEM_FORMS[kind]?.element.toLowerCase()
  if (element.children.length === 0 && element.text.trim() !== '') return element.text
  return element.children.map((child) =>
    child.name.toLowerCase() === name && !isNil(child) ? objectOf(child, members) : child.name,
  )
}
