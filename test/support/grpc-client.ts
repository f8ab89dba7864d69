// A client of the Middleware over gRPC that was made from the public contract, not from ours: the
// files in test/support/grpc are written after the published one.
import { fileURLToPath } from 'node:url'
import {
  type ChannelCredentials,
  Client,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'

const FOLDER = fileURLToPath(new URL('./grpc', import.meta.url))

/** A message as proto-loader gives it: 64-bit numbers and enums as texts. */
export type Message = Record<string, unknown>
type Method = MethodDefinition<object, object>

const definition = loadSync('IPOS.proto', {
  includeDirs: [FOLDER],
  keepCase: true,
  longs: String,
  enums: String,
})
const service = definition['fiskaltrust.ifPOS.v1.POS'] as Record<string, Method>

export function methodOf(name: string): Method {
  const method = service[name]
  if (method === undefined) throw new Error(`no ${name}`)
  return method
}

export interface CallOptions {
  metadata?: Record<string, string>
  /** Milliseconds from now. */
  deadline?: number
}

export interface Till {
  /** `Sign` or `v1/Sign`; rejects with the status. */
  call(name: string, message: Message | Buffer, options?: CallOptions): Promise<Message>
  /** The bytes of the journal and how many messages they came in. */
  journal(
    message: Message,
    options?: CallOptions,
    name?: string,
  ): Promise<{ bytes: Buffer; messages: number }>
  client: Client
  close(): void
}

/** address: `127.0.0.1:1400`. `metadata`: of every call. */
export function openTill(
  address: string,
  metadata: Record<string, string> = {},
  {
    channel = credentials.createInsecure(),
    authority,
  }: { channel?: ChannelCredentials; authority?: string } = {},
): Till {
  const name = authority === undefined ? {} : { 'grpc.default_authority': authority }
  const client = new Client(address, channel, { 'grpc.max_receive_message_length': -1, ...name })
  const metadataOf = (more: Record<string, string> = {}) => {
    const all = new Metadata()
    for (const [name, value] of Object.entries({ ...metadata, ...more })) all.set(name, value)
    return all
  }
  const optionsOf = ({ deadline }: CallOptions) =>
    deadline === undefined ? {} : { deadline: Date.now() + deadline }
  return {
    client,
    close: () => client.close(),
    call: (name, message, options = {}) => {
      const method = methodOf(name.replace('v1/', ''))
      const write = Buffer.isBuffer(message) ? (bytes: object) => bytes : method.requestSerialize
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          method.path.replace(/[^/]+$/, name),
          write as (value: object) => Buffer,
          method.responseDeserialize,
          message,
          metadataOf(options.metadata),
          optionsOf(options),
          (error: ServiceError | null, answer?: object) =>
            error === null ? resolve({ ...answer }) : reject(error),
        )
      })
    },
    journal: (message, options = {}, name = 'Journal') => {
      const { path, requestSerialize, responseDeserialize } = methodOf('Journal')
      const stream = client.makeServerStreamRequest(
        path.replace(/[^/]+$/, name),
        requestSerialize,
        responseDeserialize,
        message,
        metadataOf(options.metadata),
        optionsOf(options),
      )
      const pieces: Buffer[] = []
      stream.on('data', (piece: { Chunk?: number[] }) =>
        pieces.push(Buffer.from(piece.Chunk ?? [])),
      )
      return new Promise((resolve, reject) => {
        stream.on('error', reject)
        stream.on('end', () => resolve({ bytes: Buffer.concat(pieces), messages: pieces.length }))
      })
    },
  }
}

/** `-4.80` → 480 with the scale 2 and a sign. */
export function decimal(text: string): Message {
  const digits = text.replace(/^-/, '').replace('.', '')
  const scale = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0
  const units = BigInt(digits)
  return {
    lo: String(BigInt.asUintN(64, units)),
    hi: Number(units >> 64n),
    signScale: scale * 2 + (text.startsWith('-') ? 1 : 0),
  }
}

/**
 * As the Node demo sends it: milliseconds that are UTC and say that they are local; ticks where
 * milliseconds are too coarse.
 */
export function moment(iso: string): Message {
  const finer = /\.\d{3}(\d{1,4})Z$/.exec(iso)?.[1]
  if (finer !== undefined) {
    const ticks = BigInt(Date.parse(iso)) * 10_000n + BigInt(finer.padEnd(4, '0'))
    return { value: String(ticks), scale: 'TICKS', kind: 'UTC' }
  }
  return { value: String(Date.parse(iso)), scale: 'MILLISECONDS', kind: 'LOCAL' }
}

const NAMED = { Decimal: decimal, Moment: moment }
const DECIMALS = /^(Quantity|Amount|VATRate|VATAmount|UnitQuantity|UnitPrice|cbReceiptAmount)$/

/** The members of a ReceiptRequest, every value a text, as a message; null is left out. */
export function receiptMessage(members: Record<string, unknown>): Message {
  const given = Object.entries(members).filter(([, value]) => value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, memberOf(name, value)]))
}

function memberOf(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => receiptMessage(Object(item)))
  if (DECIMALS.test(name)) return NAMED.Decimal(String(value))
  return name.endsWith('Moment') ? NAMED.Moment(String(value)) : String(value)
}
