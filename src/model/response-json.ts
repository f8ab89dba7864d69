// Writes a ReceiptResponse as the JSON text that is hashed, stored and sent (v0/v1), and a
// ReceiptRequest that came in another form.
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

/** The fields of an object, with the beginning of each member spelled once: `"caption":`. */
interface Table {
  fields: readonly Field<never>[]
  camel: readonly Start[]
  pascal: readonly Start[]
}

/** What stands before a value: of the first member, of a further one, and before a text. */
interface Start {
  first: string
  further: string
  firstText: string
  furtherText: string
}

const startOf = (name: string): Start => ({
  first: `{"${name}":`,
  further: `,"${name}":`,
  firstText: `{"${name}":"`,
  furtherText: `,"${name}":"`,
})

function tableOf<T>(fields: readonly Field<T>[], camel: (name: string) => string): Table {
  return {
    fields: fields as unknown as readonly Field<never>[],
    camel: fields.map((field) => startOf(camel(field.name))),
    pascal: fields.map((field) => startOf(field.name)),
  }
}

const responseTable = tableOf(responseFields, (name) => name)
const requestTable = tableOf(requestFields, (name) => name)
const itemTables: Partial<Record<Field<never>['kind'], Table>> = {
  chargeItems: tableOf(chargeItemFields, camelName),
  payItems: tableOf(payItemFields, camelName),
  signatures: tableOf(signatureFields, camelName),
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const PLAIN = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/

/** The answer as one line of JSON. Optional members that are null are left out. */
export function encodeResponse(response: ReceiptResponse, style: ResponseStyle): string {
  return encodeObject(response, responseTable, style)
}

/** The text that is stored for a request without JSON: every known member, in Pascal case. */
export function encodeRequest(request: ReceiptRequest): string {
  return encodeObject(request, requestTable, { wcfDates: false, pascal: true })
}

function encodeObject(value: object, table: Table, style: ResponseStyle): string {
  const members = value as Record<string, unknown>
  const starts = style.pascal ? table.pascal : table.camel
  let text = ''
  for (let at = 0; at < starts.length; at += 1) {
    const field = table.fields[at]
    const start = starts[at]
    if (field === undefined || start === undefined) continue
    const member = members[field.key]
    if (member === null && field.optional === true) continue
    // each + is memory of its own
    if (typeof member === 'string' && PLAIN.test(member)) {
      text += text === '' ? start.firstText : start.furtherText
      text += member
      text += '"'
    } else {
      text += text === '' ? start.first : start.further
      text += encodeValue(member, field, style)
    }
  }
  return text === '' ? '{}' : `${text}}`
}

function encodeValue(value: unknown, field: Field<never>, style: ResponseStyle): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'bigint') return value.toString()
  if (value === null) return 'null'
  if (value instanceof Date) {
    return style.wcfDates ? `"\\/Date(${value.getTime()})\\/"` : `"${isoText(value)}"`
  }
  if (Array.isArray(value)) return encodeList(value, field, style)
  return String(value)
}

/** As JSON.stringify; most texts need no escape, and looking for one is twice as fast. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

function encodeList(values: readonly unknown[], field: Field<never>, style: ResponseStyle): string {
  const table = itemTables[field.kind]
  if (table === undefined) return JSON.stringify(values)
  let text = ''
  for (const item of values) {
    text += (text === '' ? '[' : ',') + encodeObject(item as object, table, style)
  }
  return text === '' ? '[]' : `${text}]`
}
