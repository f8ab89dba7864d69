// A receipt as a message of gRPC, made from its JSON text by the usual library.
import { fileURLToPath } from 'node:url'
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader'

const FOLDER = fileURLToPath(new URL('../../proto', import.meta.url))
const definition = loadSync('IPOS.proto', { includeDirs: [FOLDER], keepCase: true })

function bytesOf(message: string, value: object): Buffer {
  const type = definition[`fiskaltrust.ifPOS.v1.${message}`] as MessageTypeDefinition<
    object,
    object
  >
  return type.serialize(value)
}

export function receiptMessage(json: string): Buffer {
  const exact = json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?/g, (found) =>
    found.startsWith('"') ? found : `"${found}"`,
  )
  return bytesOf('ReceiptRequest', messageOf(JSON.parse(exact)))
}

/** A message of gRPC behind its five bytes. */
export function journalMessage(type: bigint, to: bigint): Buffer {
  const message = bytesOf('JournalRequest', { ftJournalType: String(type), To: String(to) })
  const start = Buffer.alloc(5)
  start.writeUInt32BE(message.length, 1)
  return Buffer.concat([start, message])
}

const AMOUNTS = /^(Quantity|Amount|VATRate|cbReceiptAmount)$/

function messageOf(members: object): object {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, memberOf(name, value)]),
  )
}

function memberOf(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(messageOf)
  const text = String(value)
  if (name.endsWith('Moment')) return { value: Date.parse(text), scale: 4 }
  if (!AMOUNTS.test(name)) return text
  const [whole = '', fraction = ''] = text.split('.')
  return { lo: whole + fraction, signScale: fraction.length * 2 }
}
