// Whole calls that are right, as the bytes of a connection: one for each way in which a body
// arrives.
import { createHash } from 'node:crypto'
import { createServer, connect as dial } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { posHeaders, posSale } from './group-d.js'
import { openTill, receiptMessage } from './grpc-client.js'
import { unknownPair } from './pairs.js'
import {
  ENVELOPE_12,
  envelope,
  exactMembers,
  operation,
  receiptXml,
  signOperation,
} from './soap.js'
import { requestText, type Till } from './stand.js'

/** What the calls need: a till, an app, a published receipt, a dealer, a gRPC port. */
export interface Callers {
  url: string
  till: Till
  app: { appId: string; appSecret: string }
  issued: { queueId: string; queueItemId: string }
  dealer: { accountId: string; accessToken: string }
  grpcAddress: string
}

export interface RightCall {
  name: string
  /** The bytes of one call; what it stores bears the reference. */
  bytes(reference: string): Buffer
  /** Up to here the call has not arrived. */
  arrives(bytes: Buffer): number
  /** Of the answer; 0: it is none of HTTP/1.1. */
  status: number
  /** Sends it as its client does, and waits for the answer; rejects for any other one. */
  send(reference: string): Promise<void>
  /** How a till that got no answer comes to it: by a receipt request, or the same call again. */
  lost?: 'asked' | 'repeated'
  /** A query with one column, the references that are stored; undefined: nothing is. */
  stored?: string
}

export interface Parts {
  line: string
  headers: Record<string, string>
  body: Buffer | string
  /** In pieces without a length. */
  chunked?: boolean
}

export function bytesOf({ line, headers, body, chunked = false }: Parts): Buffer {
  const content = Buffer.from(body)
  const length: Record<string, string> = chunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': String(content.length) }
  const fields = Object.entries({ host: 'localhost', ...headers, ...length })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const half = content.length >> 1
  const pieces = [content.subarray(0, half), content.subarray(half), Buffer.alloc(0)]
  const sent = chunked
    ? pieces.flatMap((piece) => [Buffer.from(`${piece.length.toString(16)}\r\n`), piece, CRLF])
    : [content]
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${head}\r\n`), ...sent])
}

const CRLF = Buffer.from('\r\n')

/** The same id for the same reference. */
export function idOf(reference: string): string {
  const hex = createHash('sha256').update(reference).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`]
  return [...parts, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

const RECEIPTS = 'select receipt_reference from queue_item'
const whole = (bytes: Buffer): number => bytes.length

export async function rightCalls(callers: Callers): Promise<RightCall[]> {
  return [
    ...middlewareCalls(callers),
    ...signingDeviceCalls(callers),
    ...posSystemCalls(callers),
    ...otherCalls(callers),
    await grpcCall(callers),
  ]
}

type Making = (reference: string) => Omit<Parts, 'line'>

interface Http {
  url: string
  /** `POST /…` */
  line: string
  status?: number
  stored?: string
  lost?: 'asked' | 'repeated'
}

function httpCall(
  name: string,
  { url, line, status = 200, ...kept }: Http,
  parts: Making,
): RightCall {
  return {
    ...{ name, status, arrives: whole, ...kept },
    bytes: (reference) => bytesOf({ line, ...parts(reference) }),
    send: async (reference) => {
      const { headers, body } = parts(reference)
      const [method = '', path = ''] = line.split(' ')
      const reply = await fetch(url + path, { method, headers, body })
      const text = await reply.text()
      if (reply.status !== status) throw new Error(`${name}: ${reply.status} ${text}`)
    },
  }
}

const RECEIPT = { stored: RECEIPTS, lost: 'asked' } as const
const GZIP = { 'content-encoding': 'gzip' }

function middlewareCalls({ url, till }: Callers): RightCall[] {
  const { cashBoxId: cashboxid, accessToken: accesstoken, queueId } = till
  const as = (type: string, more = {}) => ({
    cashboxid,
    accesstoken,
    'content-type': type,
    ...more,
  })
  const [json, xml, soap] = ['application/json', 'application/xml', 'application/soap+xml']
  const receipt = (mark: string) => requestText(till, { reference: mark })
  const members = (mark: string) => exactMembers(receipt(mark))
  const receiptOf = (mark: string) =>
    `<ReceiptRequest>${receiptXml(members(mark))}</ReceiptRequest>`
  const signs = (name: string, words: string, parts: Making) =>
    httpCall(name, { ...RECEIPT, url, line: `POST /${queueId}${words}` }, parts)
  return [
    signs('REST JSON v0', '/json/v0/sign', (mark) => ({ headers: as(json), body: receipt(mark) })),
    signs('REST JSON v1 in pieces', '/json/v1/sign', (mark) => ({
      ...{ headers: as(json), body: receipt(mark), chunked: true },
    })),
    signs('REST JSON v1 in gzip', '/json/v1/sign', (mark) => ({
      ...{ headers: as(json, GZIP), body: gzipSync(receipt(mark)) },
    })),
    signs('REST JSON v1 in gzip, in pieces', '/json/v1/sign', (mark) => ({
      ...{ headers: as(json, GZIP), body: gzipSync(receipt(mark)), chunked: true },
    })),
    signs('REST XML v0', '/xml/v0/sign', (mark) => ({ headers: as(xml), body: receiptOf(mark) })),
    signs('REST XML v1 in deflate', '/xml/v1/sign', (mark) => ({
      headers: as(xml, { 'content-encoding': 'deflate' }),
      body: deflateSync(receiptOf(mark)),
    })),
    signs('SOAP 1.1', '', (mark) => ({
      ...{ headers: as('text/xml'), body: envelope(signOperation(members(mark))) },
    })),
    signs('SOAP 1.2 in gzip', '', (mark) => ({
      headers: as(soap, GZIP),
      body: gzipSync(envelope(signOperation(members(mark)), ENVELOPE_12)),
    })),
  ]
}

function signingDeviceCalls({ url, till }: Callers): RightCall[] {
  const { cashBoxId: cashboxid, accessToken: accesstoken } = till
  const data = (mark: string) => Buffer.from(mark).toString('base64')
  const basic = `Basic ${Buffer.from(`${cashboxid}:${accesstoken}`).toString('base64')}`
  return [
    httpCall('signing device REST', { url, line: 'POST /api/v0/iatsscd/sign' }, (mark) => ({
      headers: { cashboxid, accesstoken, 'content-type': 'application/json' },
      body: `{"dataBase64":"${data(mark)}"}`,
    })),
    httpCall('signing device SOAP', { url, line: 'POST /rksv' }, (mark) => ({
      headers: { authorization: basic, 'content-type': 'text/xml' },
      body: envelope(operation('Sign', `<data>${data(mark)}</data>`)),
    })),
  ]
}

const PNG = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const FILES = 'select filename from receipt_document'

function upload(mark: string): string {
  const content = Buffer.concat([PNG, Buffer.from(mark)]).toString('base64')
  const about = { Action: 'upload', Format: 'image/png', Filename: mark }
  return JSON.stringify({ ...about, Filecontent: content })
}

function posSystemCalls({ url, till, issued }: Callers): RightCall[] {
  const headers = (mark: string) => posHeaders(till, idOf(mark))
  const address = `/v2/issue/${issued.queueId}/${issued.queueItemId}`
  const operation = { url, status: 201, lost: 'repeated' } as const
  const signs = { ...operation, line: 'POST /v2/sign', stored: RECEIPTS }
  const published = `select request::json ->> 'cbReceiptReference' from issued_receipt`
  const issues = { ...operation, line: 'POST /v2/issue', stored: published }
  return [
    httpCall('PosSystem sign', signs, (mark) => ({
      ...{ headers: headers(mark), body: posSale(till, mark) },
    })),
    httpCall('PosSystem sign in gzip, in pieces', signs, (mark) => ({
      headers: { ...headers(mark), ...GZIP },
      ...{ body: gzipSync(posSale(till, mark)), chunked: true },
    })),
    httpCall('PosSystem issue', issues, (mark) => ({
      headers: headers(mark),
      body: unknownPair({
        request: `{"cbReceiptReference":"${mark}","cbChargeItems":[],"cbPayItems":[]}`,
        ...{ queueId: idOf(`q${mark}`), queueItemId: idOf(`i${mark}`) },
      }).body,
    })),
    httpCall(
      'PosSystem upload',
      { ...operation, line: `PUT ${address}`, stored: FILES },
      (mark) => ({ headers: headers(mark), body: upload(mark) }),
    ),
  ]
}

function otherCalls({ url, app, issued, dealer }: Callers): RightCall[] {
  const { accountId: accountid, accessToken: accesstoken } = dealer
  const type = { 'content-type': 'application/json' }
  const asApp = { ...type, 'x-app-id': app.appId, 'x-app-secret': app.appSecret }
  const line = `PUT /${issued.queueId}/${issued.queueItemId}`
  const invites = {
    ...{ url, line: 'POST /api/pos-operators-invitation', status: 201 },
    stored: `select company::json ->> 'name' from invitation`,
  }
  return [
    httpCall('receipt upload', { url, line, status: 201, stored: FILES }, (mark) => ({
      ...{ headers: asApp, body: upload(mark) },
    })),
    httpCall('dealer JSON', invites, (mark) => ({
      ...{ headers: { ...type, accountid, accesstoken }, body: invitation(mark) },
    })),
  ]
}

function invitation(reference: string): string {
  const email = `${reference}@korn.example`
  const address = { addressLine1: 'Hauptstr. 1', postalCode: '10000', city: 'Wien', country: 'AT' }
  return JSON.stringify({
    company: { name: reference, email, ...address },
    contact: { firstName: 'Eva', lastName: 'Korn', email },
  })
}

/** A call of the client for gRPC, as its bytes went over the wire, with another reference. */
async function grpcCall({ till, grpcAddress }: Callers): Promise<RightCall> {
  const { cashBoxId: cashboxid, accessToken: accesstoken } = till
  const signAt = async (address: string, mark: string) => {
    const client = openTill(address, { cashboxid, accesstoken })
    const members = exactMembers(requestText(till, { reference: mark }))
    try {
      await client.call('Sign', receiptMessage(members))
    } finally {
      client.close()
    }
  }
  const kept = reference(99, 'gone', 0)
  const recorded = await recordCall(grpcAddress, (address) => signAt(address, kept))
  const at = recorded.indexOf(kept)
  if (at < 0) throw new Error('the reference is not in the bytes of the call')
  return {
    ...{ name: 'gRPC Sign', status: 0, stored: RECEIPTS, lost: 'asked', arrives: endOfMessage },
    send: (mark) => signAt(grpcAddress, mark),
    bytes: (mark) => {
      if (mark.length !== kept.length) throw new Error(`not as long as ${kept}`)
      const bytes = Buffer.from(recorded)
      bytes.write(mark, at)
      return bytes
    },
  }
}

/** References have all the same length, so that bytes that were recorded can be used again. */
export const reference = (call: number, end: string, cut: number): string =>
  `cut-${String(call).padStart(2, '0')}-${end.slice(0, 3)}-${String(cut).padStart(6, '0')}`

const PREFACE_BYTES = 24
const FRAME_HEAD_BYTES = 9
const DATA = 0
const END_STREAM = 1

/** Behind the last byte of the message: RFC 9113, 4.1 and 6.1. */
function endOfMessage(bytes: Buffer): number {
  let at = PREFACE_BYTES
  while (at + FRAME_HEAD_BYTES <= bytes.length) {
    const end = at + FRAME_HEAD_BYTES + bytes.readUIntBE(at, 3)
    const isLast = ((bytes[at + 4] ?? 0) & END_STREAM) !== 0
    if (bytes[at + 3] === DATA && isLast) return end
    at = end
  }
  throw new Error('no message ends in these bytes')
}

/** What a client sends while it works on this address instead of the other one. */
export async function recordCall(
  target: string,
  work: (address: string) => Promise<void>,
): Promise<Buffer> {
  const [host = '', port] = target.split(':')
  const sent: Buffer[] = []
  const recorder = createServer((client) => {
    const server = dial({ host, port: Number(port) })
    for (const socket of [client, server]) {
      socket.on('error', () => socket.destroy())
      socket.on('close', () => [client, server].map((one) => one.destroy()))
    }
    client.on('data', (piece: Buffer) => sent.push(piece))
    client.pipe(server)
    server.pipe(client)
  })
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve))
  const address = recorder.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  try {
    await work(`127.0.0.1:${address.port}`)
  } finally {
    recorder.close()
  }
  return Buffer.concat(sent)
}
