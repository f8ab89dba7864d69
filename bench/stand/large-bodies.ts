// One call of each kind, as large as it may be: nothing else may wait for it.
import { randomUUID } from 'node:crypto'
import { receiptElement, signEnvelope } from './envelope.js'
import type { FarCall, FarReply } from './far-client.js'
import { receiptMessage } from './proto.js'
import type { Till } from './shop.js'

/** Where the calls go. */
export interface LargeTarget {
  url: string
  /** `http://127.0.0.1:1400` */
  grpcUrl: string
  /** Of Austria, started. */
  till: Till
  send(call: FarCall): Promise<FarReply>
}

export interface LargeKind {
  name: string
  /** A call that was not sent before; what it needs is sent by itself. */
  call(target: LargeTarget): FarCall | Promise<FarCall>
  /** Of a good answer. */
  status: number
}

const JSON_TYPE = 'application/json'
const XML_TYPE = 'text/xml; charset=utf-8'
const MEBIBYTE = 1024 * 1024

const headersB = ({ till }: LargeTarget, type: string): Record<string, string> => ({
  ...{ cashboxid: till.cashBoxId, accesstoken: till.accessToken, 'content-type': type },
})

const headersD = ({ till }: LargeTarget): Record<string, string> => ({
  'x-cashbox-id': till.cashBoxId,
  'x-cashbox-accesstoken': till.accessToken,
  'x-possystem-id': '00000000-0000-0000-0000-000000000000',
  'x-operation-id': randomUUID(),
  'content-type': JSON_TYPE,
})

/** A sale of version 0 and 1; `more`: further members. */
function saleB({ till }: LargeTarget, count: number, more = ''): string {
  const items = Array.from(
    { length: count },
    (_, at) =>
      `{"Position":${at + 1},"Quantity":1.0,"Description":"Melange ${at}","Amount":1.00,` +
      '"VATRate":20.0,"ftChargeItemCase":4707387510509010947}',
  )
  return (
    `{"ftCashBoxID":"${till.cashBoxId}","cbTerminalID":"1",` +
    `"cbReceiptReference":"${randomUUID()}",` +
    `"cbReceiptMoment":"${new Date().toISOString()}","cbChargeItems":[${items.join(',')}],` +
    `"cbPayItems":[{"Quantity":1.0,"Description":"Bar","Amount":${count}.00,` +
    `"ftPayItemCase":4707387510509010945}],"ftReceiptCase":4707387510509010945${more}}`
  )
}

/** A sale of version 2; `more`: further members of each item. */
function saleD(count: number, more = ''): string {
  const items = Array.from(
    { length: count },
    (_, at) => `{"Quantity":1,"Description":"Kaffee ${at}","Amount":1.00,"VATRate":20${more}}`,
  )
  return (
    `{"cbTerminalID":"T1","cbReceiptReference":"${randomUUID()}",` +
    `"cbReceiptMoment":"${new Date().toISOString()}","cbChargeItems":[${items.join(',')}],` +
    `"cbPayItems":[{"Description":"Bar","Amount":${count}}]}`
  )
}

type Text = (target: LargeTarget) => string

const post = (url: string, headers: Record<string, string>, text: string): FarCall => ({
  ...{ url, method: 'POST', headers, body: Buffer.from(text) },
})

const json = (name: string, status: number, text: Text): LargeKind => ({
  name: `REST JSON, ${name}`,
  status,
  call: (target) =>
    post(
      `${target.url}/${target.till.queueId}/json/v1/sign`,
      headersB(target, JSON_TYPE),
      text(target),
    ),
})

/** Items of 2 MiB in the longer forms. */
const XML_ITEMS = 6500
const ITEMS = 10_000

const xml: LargeKind = {
  name: `REST XML, ${XML_ITEMS} items`,
  status: 200,
  call: (target) =>
    post(
      `${target.url}/${target.till.queueId}/xml/v1/sign`,
      headersB(target, XML_TYPE),
      receiptElement(saleB(target, XML_ITEMS)),
    ),
}

const soap: LargeKind = {
  name: `SOAP, ${XML_ITEMS} items`,
  status: 200,
  call: (target) =>
    post(
      `${target.url}/${target.till.queueId}`,
      { ...headersB(target, XML_TYPE), soapaction: '"http://tempuri.org/IPOS/Sign"' },
      signEnvelope(saleB(target, XML_ITEMS)),
    ),
}

const grpc: LargeKind = {
  name: `gRPC, ${ITEMS} items`,
  status: 0,
  call: (target) => {
    const message = receiptMessage(saleB(target, ITEMS))
    const start = Buffer.alloc(5)
    start.writeUInt32BE(message.length, 1)
    return {
      url: `${target.grpcUrl}/fiskaltrust.ifPOS.v1.POS/Sign`,
      method: 'POST',
      headers: headersB(target, 'application/grpc'),
      body: Buffer.concat([start, message]),
    }
  },
}

const posSign = (name: string, status: number, more: Record<string, string>): LargeKind => ({
  name,
  status,
  call: (target) =>
    post(
      `${target.url}/v2/sign`,
      { ...headersD(target), ...more },
      saleD(ITEMS, `,"ProductNumber":"${'9'.repeat(80)}"`),
    ),
})

/** A receipt of another system, with signatures of so many letters in all. */
function pair({ till }: LargeTarget, letters: number): string {
  const count = Math.ceil(letters / 400)
  const data = 'x'.repeat(330)
  const signature = `{"ftSignatureFormat":1,"ftSignatureType":1,"Data":"${data}"}`
  return (
    `{"ReceiptRequest":${saleD(1)},"ReceiptResponse":{"ftCashBoxID":"${till.cashBoxId}",` +
    `"ftQueueID":"${randomUUID()}","ftQueueItemID":"${randomUUID()}","ftQueueRow":1,` +
    `"ftReceiptIdentification":"ft1#","ftReceiptMoment":"${new Date().toISOString()}",` +
    `"ftSignatures":[${Array.from({ length: count }, () => signature).join(',')}],` +
    '"ftState":4707387510509010944}}'
  )
}

const issue = (letters: number) => (target: LargeTarget) =>
  post(`${target.url}/v2/issue`, headersD(target), pair(target, letters))

const upload: LargeKind = {
  name: 'PosSystem API, upload of 10 MiB of text',
  status: 201,
  call: async (target) => {
    const issued = await target.send(issue(1)(target))
    const { ftQueueID, ftQueueItemID } = JSON.parse(issued.text) as Record<string, string>
    // eight bytes each
    const content = Buffer.from('Größe '.repeat((10 * MEBIBYTE) / 8))
    const body = JSON.stringify({
      Action: 'upload',
      Format: 'text/plain',
      Filename: 'journal.txt',
      Filecontent: content.toString('base64'),
    })
    return {
      ...post(`${target.url}/v2/issue/${ftQueueID}/${ftQueueItemID}`, headersD(target), body),
      method: 'PUT',
    }
  },
}

export const LARGE_KINDS: readonly LargeKind[] = [
  json(`${ITEMS} items`, 200, (target) => saleB(target, ITEMS)),
  json('100,000 members that nobody reads', 200, (target) => {
    const members = Array.from({ length: 100_000 }, (_, at) => `,"unread${at}":1`)
    return saleB(target, 1, members.join(''))
  }),
  json('a text of 900,000 escapes', 400, (target) =>
    saleB(target, 1, `,"cbArea":"${'\\n'.repeat(900_000)}"`),
  ),
  json('900,000 numbers', 400, (target) => saleB(target, 1, `,"x":[${'1,'.repeat(900_000)}1]`)),
  xml,
  soap,
  grpc,
  posSign(`PosSystem API, sign of ${ITEMS} items`, 201, {}),
  posSign(`PosSystem API, dry run of ${ITEMS} items`, 200, { 'x-dry-run': 'true' }),
  {
    name: 'PosSystem API, issue of 3.5 MiB',
    status: 201,
    call: issue(3.5 * MEBIBYTE),
  },
  upload,
]
