// Elements by the builder of fast-xml-parser, escaped so that every character comes back as it was.
// Called by exports, and by the answers of REST XML and SOAP.
import { XMLBuilder } from 'fast-xml-parser'

/** Elements in their order; names that begin with @ are attributes, a list repeats its element. */
export interface XmlTree {
  [name: string]: string | XmlTree | readonly (string | XmlTree)[]
}

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
  tagValueProcessor: (_, value) => escapeXml(String(value)),
  attributeValueProcessor: (_, value) => escapeXml(String(value)),
})

/** As text of an element or value of an attribute in double quotes. */
export function escapeXml(text: string): string {
  return text
    .replace(IMPOSSIBLE, '\ufffd')
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character)
}

/** One element with its content. What XML cannot say becomes the replacement character. */
export function element(name: string, content: XmlTree | string): string {
  return builder.build({ [name]: content })
}

/** Whether every character of the text can stand in XML. */
export function isXmlText(text: string): boolean {
  IMPOSSIBLE.lastIndex = 0
  return !IMPOSSIBLE.test(text)
}
