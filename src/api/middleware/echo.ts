// Echo of group B: version 0 sends a string, version 1 an object with `message`; in JSON and XML.
import { fail } from '../../errors.js'
import { JsonObject } from '../../lib/json.js'
import { utf8Text } from '../../lib/text.js'
import { childOf, isNil, type XmlElement, xmlText } from '../../lib/xml-read.js'
import { element } from '../../lib/xml-write.js'
import { bodyJson } from '../../model/body-json.js'
import { valuesOf } from '../../model/json-members.js'
import { XSI_NAMESPACE } from '../../model/receipt-xml.js'
import { rootOf } from '../shared/xml-body.js'
import type { Version } from './routes.js'

/** The JSON text of the answer; an empty or null message comes back just as empty. */
export function echoJson(body: Buffer, version: Version): string {
  const text = utf8Text(body)
  if (text === undefined) throw fail('BODY_MALFORMED', { reason: 'the bytes are no UTF-8' })
  if (text.trim() === '') return version === 'v1' ? '{"message":null}' : ''
  const value = bodyJson(text)
  if (value === null) return version === 'v1' ? '{"message":null}' : 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof JsonObject) return `{"message":${message(value)}}`
  throw fail('FIELD_INVALID', { field: 'message', expected: 'a string' })
}

function message(object: JsonObject): string {
  const value = valuesOf(object, 'message').at(-1) ?? null
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  throw fail('FIELD_INVALID', { field: 'message', expected: 'a string' })
}

const STRING_NAMESPACE = 'http://schemas.microsoft.com/2003/10/Serialization/'
export const ECHO_NAMESPACE = 'http://schemas.datacontract.org/2004/07/fiskaltrust.ifPOS.v1'

/** The same in XML: `<string>` or `<EchoRequest>`. */
export function echoXml(body: Buffer, version: Version): string {
  if (xmlText(body)?.trim() === '') return version === 'v1' ? answer(null) : ''
  const root = rootOf(body, 'a string')
  if (root.name === 'EchoRequest') return answer(messageOf(root))
  if (root.name !== 'string')
    throw fail('FIELD_INVALID', { field: 'message', expected: 'a string' })
  return element('string', { '@xmlns': STRING_NAMESPACE, ...textTree(textOf(root)) })
}

function answer(text: string | null): string {
  return element('EchoResponse', {
    '@xmlns': ECHO_NAMESPACE,
    '@xmlns:i': XSI_NAMESPACE,
    Message: text ?? { '@i:nil': 'true' },
  })
}

function textTree(text: string | null): Record<string, string> {
  return text === null ? { '@xmlns:i': XSI_NAMESPACE, '@i:nil': 'true' } : { '#text': text }
}

/** The text of `Message`; null where it is missing or nil. */
export function messageOf(request: XmlElement): string | null {
  const found = childOf(request, 'message')
  return found === undefined ? null : textOf(found)
}

export function textOf(from: XmlElement): string | null {
  if (from.children.length > 0) {
    throw fail('FIELD_INVALID', { field: 'message', expected: 'a string' })
  }
  return isNil(from) ? null : from.text
}

const NOTHING = new Set([
  ...['', 'null', '{"message":null}', answer(null)],
  element('string', { '@xmlns': STRING_NAMESPACE, ...textTree(null) }),
])

/** Whether the message came back null, which has the configuration read anew. */
export const saysNothing = (answered: string): boolean => NOTHING.has(answered)
