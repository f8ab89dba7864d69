// The doors of the Middleware, each with the same three calls, told in one form: what REST JSON,
// REST XML and SOAP say can be compared. A further door is a further row.
import { send } from './http.js'
import {
  at,
  ENVELOPE_11,
  ENVELOPE_12,
  envelope,
  exactMembers,
  faultOf,
  operation,
  readXml,
  receiptXml,
  signOperation,
} from './soap.js'

export interface DoorBox {
  cashBoxId: string
  accessToken: string
  queueId: string
}

/** Members by lower-case name, every value as text; or the code of the refusal. */
export type Told = { answer: Record<string, unknown> } | { refused: string } | { nothing: true }

export interface Door {
  name: string
  echo(url: string, box: DoorBox, text: string): Promise<string>
  /** `json`: a ReceiptRequest. */
  sign(url: string, box: DoorBox, json: string): Promise<Told>
  journal(url: string, box: DoorBox, type: string): Promise<Buffer>
}

async function post(
  url: string,
  { cashBoxId, accessToken }: DoorBox,
  { type, body }: { type: string; body: string },
): Promise<{ status: number; bytes: Buffer }> {
  const headers = { cashboxid: cashBoxId, accesstoken: accessToken, 'content-type': type }
  const { origin, pathname, search } = new URL(url)
  return send(origin, { method: 'POST', path: pathname + search, headers, body })
}

function restDoor(name: string, word: 'json' | 'xml', version: string): Door {
  const type = `application/${word}`
  const call = (url: string, box: DoorBox, [path, body]: [path: string, body: string]) =>
    post(`${url}/${box.queueId}/${word}/${version}/${path}`, box, { type, body })
  const isXml = word === 'xml'
  return {
    name,
    echo: async (url, box, text) => {
      const body = isXml ? `<string>${escaped(text)}</string>` : JSON.stringify(text)
      const told = (await call(url, box, ['echo', body])).bytes.toString()
      return isXml ? String(at(readXml(told), 'string')) : String(JSON.parse(told))
    },
    sign: async (url, box, json) => {
      const sent = isXml
        ? `<ReceiptRequest>${receiptXml(exactMembers(json))}</ReceiptRequest>`
        : json
      const { status, bytes } = await call(url, box, ['sign', sent])
      if (status === 204) return { nothing: true }
      const text = bytes.toString()
      const members = isXml ? Object(Object.values(readXml(text))[0]) : exactMembers(text)
      if (status !== 200) return { refused: String(members.code) }
      return { answer: plain(members) }
    },
    journal: async (url, box, journalType) =>
      (await call(url, box, [`journal?type=${journalType}`, ''])).bytes,
  }
}

function soapDoor(name: string, namespace: string): Door {
  const call = (url: string, box: DoorBox, content: string) => {
    const type = namespace === ENVELOPE_12 ? 'application/soap+xml' : 'text/xml'
    return post(`${url}/${box.queueId}`, box, { type, body: envelope(content, namespace) })
  }
  const resultOf = (bytes: Buffer, word: string) =>
    at(readXml(bytes.toString()), `Envelope.Body.${word}Response.${word}Result`)
  return {
    name,
    echo: async (url, box, text) => {
      const content = operation('Echo', `<message>${escaped(text)}</message>`)
      return String(resultOf((await call(url, box, content)).bytes, 'Echo'))
    },
    sign: async (url, box, json) => {
      const { status, bytes } = await call(url, box, signOperation(exactMembers(json)))
      if (status !== 200) return { refused: String(faultOf(bytes.toString()).detail.code) }
      const result = resultOf(bytes, 'Sign')
      return at(result, '@nil') === 'true' ? { nothing: true } : { answer: plain(Object(result)) }
    },
    journal: async (url, box, type) => {
      const content = operation('Journal', `<ftJournalType>${type}</ftJournalType>`)
      const { bytes } = await call(url, box, content)
      return Buffer.from(String(resultOf(bytes, 'Journal')), 'base64')
    },
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Names in lower case, `ArrayOf…` elements as lists, attributes gone. */
function plain(value: unknown): Record<string, unknown> {
  const members = Object.entries(Object(value) as Record<string, unknown>)
  return Object.fromEntries(
    members
      .filter(([name]) => !name.startsWith('@'))
      .map(([name, member]) => [name.toLowerCase(), plainMember(member)]),
  )
}

function plainMember(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  if (at(value, '@nil') === 'true') return null
  const items = at(value, 'SignaturItem')
  return items === undefined ? String(at(value, '#text') ?? '') : [items].flat().map(plain)
}

/** Version 1 of the JSON messages says the same under the same names. */
export const JSON_V1 = restDoor('REST JSON v1', 'json', 'v1')

export const DOORS: readonly Door[] = [
  restDoor('REST JSON', 'json', 'v0'),
  restDoor('REST XML', 'xml', 'v0'),
  soapDoor('SOAP 1.1', ENVELOPE_11),
  soapDoor('SOAP 1.2', ENVELOPE_12),
]
