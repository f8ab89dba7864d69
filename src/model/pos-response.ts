// Writes a ReceiptResponse of version 2 (PosSystem API) as the JSON text that is hashed, stored and
// sent: exact names and order.
import { Decimal } from '../lib/decimal.js'
import { JsonObject, objectIn } from '../lib/json.js'
import { writeJson } from '../lib/json-write.js'
import { quoted } from '../lib/text.js'
import { type PosField, posChargeFields, posPayFields } from './pos-fields.js'
import type { ReceiptResponse, Signature } from './receipt.js'

/** Always the same members first; lists of lines and items only where there are any. */
export function encodePosResponse(response: ReceiptResponse): string {
  let text = `{"ftQueueID":${quoted(response.queueId)}`
  text += `,"ftQueueItemID":${quoted(response.queueItemId)}`
  text += `,"ftQueueRow":${response.queueRow}`
  text += `,"ftCashBoxIdentification":${quoted(response.cashBoxIdentification)}`
  text += `,"ftCashBoxID":${quoted(response.cashBoxId)}`
  if (response.terminalId !== null) text += `,"cbTerminalID":${quoted(response.terminalId)}`
  text += `,"cbReceiptReference":${quoted(response.receiptReference ?? '')}`
  text += `,"ftReceiptIdentification":${quoted(response.receiptIdentification)}`
  text += `,"ftReceiptMoment":"${response.receiptMoment.toISOString()}"`
  text += lines('ftReceiptHeader', response.receiptHeader)
  text += items('ftChargeItems', response.chargeItems, posChargeFields)
  text += lines('ftChargeLines', response.chargeLines)
  text += items('ftPayItems', response.payItems, posPayFields)
  text += lines('ftPayLines', response.payLines)
  text += `,"ftSignatures":[${response.signatures.map(signatureText).join(',')}]`
  text += lines('ftReceiptFooter', response.receiptFooter)
  text += `,"ftState":${BigInt.asUintN(64, response.state)}`
  if (response.stateData !== null) text += `,"ftStateData":${jsonText(response.stateData)}`
  return `${text}}`
}

function signatureText({ format, type, caption, data }: Signature): string {
  return (
    `{"ftSignatureFormat":${format},"ftSignatureType":${type},` +
    `"Caption":${quoted(caption)},"Data":${quoted(data)}}`
  )
}

function lines(name: string, list: readonly string[] | null): string {
  return list === null || list.length === 0 ? '' : `,"${name}":${JSON.stringify(list)}`
}

function items(name: string, list: readonly object[] | null, fields: readonly PosField[]): string {
  if (list === null || list.length === 0) return ''
  return `,"${name}":[${list.map((item) => itemText(item, fields)).join(',')}]`
}

/** Members that the published client always expects are written whatever they hold. */
const ALWAYS: ReadonlySet<string> = new Set(['Quantity', 'Description', 'Amount', 'VATRate'])

function itemText(item: object, fields: readonly PosField[]): string {
  const members = item as Record<string, unknown>
  const texts: string[] = []
  for (const field of fields) {
    const value = members[field.kind === 'position' ? 'exactPosition' : field.key]
    if (value === undefined || (value === null && !ALWAYS.has(field.name))) continue
    const text = valueText(value, field)
    texts.push(`"${field.name}":${text}`)
    // the interface spells this name both ways
    if (field.key === 'itemId') texts.push(`"${field.name.slice(0, -2)}ID":${text}`)
  }
  return `{${texts.join(',')}}`
}

function valueText(value: unknown, { kind }: PosField): string {
  if (value instanceof Decimal) return value.toShortString()
  if (value instanceof Date) return `"${value.toISOString()}"`
  if (typeof value === 'bigint') return BigInt.asUintN(64, value).toString()
  if (typeof value !== 'string') return 'null'
  return kind === 'json' ? jsonText(value) : quoted(value)
}

/** An object as an object; any other text stays a text. */
function jsonText(text: string): string {
  return objectIn(text) === undefined ? quoted(text) : text
}

/** ftStateData with a further member. */
export function withMember(stateData: string | null, name: string, value: unknown): string {
  const members = new JsonObject()
  const own = objectIn(stateData)
  own?.names.forEach((one, at) => {
    members.names.push(one)
    members.values.push(own.values[at] ?? null)
  })
  const start = writeJson(members).slice(0, -1)
  return `${start}${start === '{' ? '' : ','}${JSON.stringify(name)}:${writeJson(value)}}`
}
