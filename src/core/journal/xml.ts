// Head and cells of XML exports.
import { isXmlText, type XmlTree } from '../../lib/xml-write.js'
import { XSI_NAMESPACE } from '../../model/receipt-xml.js'

/** A text whose bytes matter: Base64, and marked as such, where XML cannot hold its characters. */
export function xmlSafe(text: string): string | XmlTree {
  if (isXmlText(text)) return text
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
