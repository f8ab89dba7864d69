// Bytes of a body to its root element, and texts of answers in XML. Called by REST XML and SOAP.
import { fail } from '../../errors.js'
import { parseXml, type XmlElement, XmlError, xmlText } from '../../lib/xml-read.js'

/** Throws BODY_MISSING and XML_MALFORMED. */
export function rootOf(body: Buffer, expected: string): XmlElement {
  const text = xmlText(body)
  if (text === undefined) throw fail('XML_MALFORMED', { reason: 'the bytes are no UTF-8' })
  if (text.trim() === '') throw fail('BODY_MISSING', { expected })
  try {
    return parseXml(text)
  } catch (error) {
    if (error instanceof XmlError) throw fail('XML_MALFORMED', { reason: error.message })
    throw error
  }
}

/** The body as it came; empty where there is none. */
export function bytesOf({ body }: { body: unknown }): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}
