// Writes a ReceiptResponse as the JSON text that is hashed, stored and sent (v0/v1), and a
// ReceiptRequest that came in another form.

import { Utf8Writer } from '../lib/text.js'
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

/** What stands before a value: of the first member, and of a further one. */
interface Start {
  first: string
  further: string
}

const startOf = (name: string): Start => ({ first: `{"${name}":`, further: `,"${name}":` })

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

/** One for all: an answer is written at once. */
const writer = new Utf8Writer()

/** The answer as one line of JSON, in UTF-8. Optional members that are null are left out. */
export function encodeResponse(response: ReceiptResponse, style: ResponseStyle): Buffer {
  return encoded(response, responseTable, style)
}

/** The text that is stored for a request without JSON: every known member, in Pascal case. */
export function encodeRequest(request: ReceiptRequest): EncodedRequest {
  const requestBytes = encoded(request, requestTable, { wcfDates: false, pascal: true })
  return { requestText: requestBytes.toString(), requestBytes }
}

/** The same as bytes in UTF-8, which are hashed and stored. */
export interface EncodedRequest {
  requestText: string
  requestBytes: Buffer
}

function encoded(value: object, table: Table, style: ResponseStyle): Buffer {
  writer.begin()
  putObject(value, table, style)
  return writer.taken()
}

function putObject(value: object, table: Table, style: ResponseStyle): void {
  const members = value as Record<string, unknown>
  const starts = style.pascal ? table.pascal : table.camel
  let isFirst = true
  for (let at = 0; at < starts.length; at += 1) {
    const field = table.fields[at]
    const start = starts[at]
    if (field === undefined || start === undefined) continue
    const member = members[field.key]
    if (member === null && field.optional === true) continue
    writer.ascii(isFirst ? start.first : start.further)
    isFirst = false
    putValue(member, field, style)
  }
  writer.ascii(isFirst ? '{}' : '}')
}

function putValue(value: unknown, field: Field<never>, style: ResponseStyle): void {
  if (typeof value === 'string') writer.jsonText(value)
  else if (typeof value === 'bigint') writer.ascii(value.toString())
  else if (value === null) writer.ascii('null')
  else if (value instanceof Date) writer.ascii(momentText(value, style))
  else if (Array.isArray(value)) putList(value, field, style)
  else writer.text(String(value))
}

function momentText(moment: Date, { wcfDates }: ResponseStyle): string {
  return wcfDates ? `"\\/Date(${moment.getTime()})\\/"` : `"${isoText(moment)}"`
}

function putList(values: readonly unknown[], field: Field<never>, style: ResponseStyle): void {
  const table = itemTables[field.kind]
  if (table === undefined) {
    writer.text(JSON.stringify(values))
    return
  }
  writer.ascii('[')
  for (let at = 0; at < values.length; at += 1) {
    if (at > 0) writer.ascii(',')
    putObject(values[at] as object, table, style)
  }
  writer.ascii(']')
}
