// Writes a ReceiptResponse as the JSON text that is hashed, stored and sent (v0/v1).
// Called by the sign path; exports and replays send the stored text as it is.
import { isoText } from '../lib/ticks.js'
import type { ReceiptResponse } from './receipt.js'
import {
  chargeItemFields,
  type Field,
  payItemFields,
  responseFields,
  signatureFields,
} from './receipt-fields.js'

export interface ResponseStyle {
  /** Dates as `\/Date(…)\/`, because the request used that form. */
  wcfDates: boolean
  /** Nested members in PascalCase instead of lower camel. */
  pascal: boolean
}

/** Lower camel spelling of an item member: Caption → caption, VATRate → vatRate, ft… unchanged. */
export function camelName(name: string): string {
  if (name.startsWith('ft')) return name
  return name.startsWith('VAT')
    ? `vat${name.slice(3)}`
    : name.charAt(0).toLowerCase() + name.slice(1)
}

/** The answer as one line of JSON. Optional members that are null are left out. */
export function encodeResponse(response: ReceiptResponse, style: ResponseStyle): string {
  return encodeObject(response, { fields: responseFields, style, nested: false })
}

interface Form<T> {
  fields: readonly Field<T>[]
  style: ResponseStyle
  nested: boolean
}

function encodeObject<T>(value: T, form: Form<T>): string {
  let text = '{'
  for (const field of form.fields) {
    const member = value[field.key]
    if (member === null && field.optional === true) continue
    const name = form.nested && !form.style.pascal ? camelName(field.name) : field.name
    text += `${text === '{' ? '' : ','}"${name}":${encodeValue(member, form.style, field)}`
  }
  return `${text}}`
}

function encodeValue(value: unknown, style: ResponseStyle, field: Field<never>): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof Date) {
    return style.wcfDates ? `"\\/Date(${value.getTime()})\\/"` : `"${isoText(value)}"`
  }
  if (Array.isArray(value)) return encodeList(value, style, field)
  return String(value)
}

const ITEMS: Partial<Record<Field<never>['kind'], readonly unknown[]>> = {
  chargeItems: chargeItemFields,
  payItems: payItemFields,
  signatures: signatureFields,
}

function encodeList(values: unknown[], style: ResponseStyle, field: Field<never>): string {
  const fields = ITEMS[field.kind] as readonly Field<unknown>[] | undefined
  if (fields === undefined) return JSON.stringify(values)
  return `[${values.map((item) => encodeObject(item, { fields, style, nested: true })).join(',')}]`
}
