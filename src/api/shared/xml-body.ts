// Bytes of a body to its root element, and texts of answers in XML.
import { fail } from '../../errors.js'
import {
  parseXml,
  parseXmlInSlices,
  type XmlElement,
  XmlError,
  xmlText,
} from '../../lib/xml-read.js'

/** Throws BODY_MISSING and XML_MALFORMED. */
export function rootOf(body: Buffer, expected: string): XmlElement {
  try {
    return parseXml(textOf(body, expected))
  } catch (error) {
    throw refusalOf(error)
  }
}

/** The same of a large body in short pieces, with turns of others between them. */
export async function rootInSlices(body: Buffer, expected: string): Promise<XmlElement> {
  try {
    return await parseXmlInSlices(textOf(body, expected))
  } catch (error) {
    throw refusalOf(error)
  }
}

function textOf(body: Buffer, expected: string): string {
  const text = xmlText(body)
  if (text === undefined) throw fail('XML_MALFORMED', { reason: 'the bytes are no UTF-8' })
  if (text.trim() === '') throw fail('BODY_MISSING', { expected })
  return text
}

function refusalOf(error: unknown): unknown {
  return error instanceof XmlError ? fail('XML_MALFORMED', { reason: error.message }) : error
}

/** The body as it came; empty where there is none. */
export function bytesOf({ body }: { body: unknown }): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}
