// Envelopes as clients write them, and what comes back, read by a parser that the server does not
// use for requests.
import { XMLParser } from 'fast-xml-parser'

export const ENVELOPE_11 = 'http://schemas.xmlsoap.org/soap/envelope/'
export const ENVELOPE_12 = 'http://www.w3.org/2003/05/soap-envelope'
export const DATA = 'http://schemas.datacontract.org/2004/07/fiskaltrust.ifPOS.v0'

export function envelope(content: string, namespace = ENVELOPE_11, header = ''): string {
  return `<s:Envelope xmlns:s="${namespace}">${header}<s:Body>${content}</s:Body></s:Envelope>`
}

/** An operation of the service with its members as they stand. */
export function operation(name: string, members = ''): string {
  return `<${name} xmlns="http://tempuri.org/">${members}</${name}>`
}

export type Read = Record<string, unknown>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  // for characters by their number: the process data of an order has carriage returns
  htmlEntities: true,
})

/** Elements by local name, texts as they are. */
export function readXml(text: string): Read {
  return parser.parse(text) as Read
}

/** A value by its path: `Envelope.Body.EchoResponse`. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((from, name) => Reflect.get(Object(from), name), value)
}

export interface Fault {
  code: string
  text: string
  detail: Read
}

/** Either version's fault; throws when the text is none. */
export function faultOf(text: string): Fault {
  const fault = at(readXml(text), 'Envelope.Body.Fault')
  if (fault === undefined) throw new Error(`no fault: ${text.slice(0, 500)}`)
  const is12 = at(fault, 'Code') !== undefined
  return {
    code: String(is12 ? at(fault, 'Code.Value') : at(fault, 'faultcode')),
    text: String(is12 ? at(fault, 'Reason.Text.#text') : at(fault, 'faultstring.#text')),
    detail: Object(at(fault, `${is12 ? 'Detail' : 'detail'}.error`)) as Read,
  }
}

type Members = Record<string, unknown>

/** A JSON request as the elements of the data contract; lists become `ArrayOf…` items. */
export function receiptXml(receipt: Members, prefix = ''): string {
  return Object.entries(receipt)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => memberXml(prefix + name, value, prefix))
    .join('')
}

function memberXml(name: string, value: unknown, prefix: string): string {
  if (value === null)
    return `<${name} i:nil="true" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"/>`
  if (!Array.isArray(value)) return `<${name}>${escaped(String(value))}</${name}>`
  const item = prefix + (name.endsWith('cbChargeItems') ? 'ChargeItem' : 'PayItem')
  const items = value.map((one) => `<${item}>${receiptXml(Object(one), prefix)}</${item}>`)
  return `<${name}>${items.join('')}</${name}>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}

/** `Sign` with the receipt under the prefix that .NET uses. */
export function signOperation(receipt: Members): string {
  const data = `<data xmlns:a="${DATA}">${receiptXml(receipt, 'a:')}</data>`
  return operation('Sign', data)
}

/** JSON with every number as the text that it was. */
export function exactMembers(json: string): Record<string, unknown> {
  const quoted = json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?/g, (found) =>
    found.startsWith('"') ? found : `"${found}"`,
  )
  return JSON.parse(quoted) as Record<string, unknown>
}
