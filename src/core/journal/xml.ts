// Elements of XML exports by the builder of fast-xml-parser, escaped so that every character comes
// back as it was. Called by formats.ts and receipts.ts.
import { XMLBuilder } from 'fast-xml-parser'
import { type XmlTree, XSI_NAMESPACE } from '../../model/receipt-xml.js'

export type { XmlTree }

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // readers turn a bare carriage return into a line feed
  '\r': '&#13;',
}
// Everything that is no character of XML 1.0, not even as a reference.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressBooleanAttributes: false,
  // its own table forgets the carriage return
  processEntities: false,
  tagValueProcessor: (_, value) => escapeText(String(value)),
  attributeValueProcessor: (_, value) => escapeText(String(value)),
})

function escapeText(text: string): string {
  return text
    .replace(IMPOSSIBLE, '\ufffd')
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character)
}

/** One element with its content. What XML cannot say becomes the replacement character. */
export function element(name: string, content: XmlTree): string {
  return builder.build({ [name]: content })
}

/** A text whose bytes matter: Base64, and marked as such, where XML cannot hold its characters. */
export function xmlSafe(text: string): string | XmlTree {
  IMPOSSIBLE.lastIndex = 0
  if (!IMPOSSIBLE.test(text)) return text
  return { '@encoding': 'base64', '#text': Buffer.from(text).toString('base64') }
}

export interface XmlHead {
  /** `0x0000000000000003` */
  type: string
  from: bigint
  to: bigint
}

/** Declaration and the start of the root element, which the caller closes. */
export function xmlHead({ type, from, to }: XmlHead): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<Journal type="${type}" from="${from}" to="${to}" xmlns:i="${XSI_NAMESPACE}">`
  )
}
