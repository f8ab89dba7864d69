// A client of the PosSystem API that behaves as the published one does: it sends the same bytes
// under the same operation id until it gets an HTTP answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './http.js'
import type { Till } from './stand.js'

export interface PosAnswer {
  status: number
  contentType: string
  body: string
  headers: Headers
}

export interface PosRequest {
  method?: string
  path: string
  body?: string
  operationId?: string
  headers?: Record<string, string>
}

/** No product of the account: the id of zeros that the published client sends. */
const NO_POS_SYSTEM = '00000000-0000-0000-0000-000000000000'

export function posHeaders(till: Till, operationId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-cashbox-id': till.cashBoxId,
    'x-cashbox-accesstoken': till.accessToken,
    'x-possystem-id': NO_POS_SYSTEM,
    'x-operation-id': operationId,
  }
}

/** One call, whatever comes of it. */
export async function posCall(url: string, till: Till, call: PosRequest): Promise<PosAnswer> {
  const { method = 'POST', path, body } = call
  const headers = { ...posHeaders(till, call.operationId ?? ''), ...call.headers }
  const answer = await send(url, { method, path, headers, body })
  const { status, type, text } = answer
  return { status, contentType: type, body: text, headers: answer.headers }
}

const PAUSE_MS = 150

/** Until there is an answer; a server that is away or overloaded is asked again. */
export async function posUntilAnswered(
  urlOf: () => string,
  till: Till,
  call: PosRequest,
): Promise<PosAnswer> {
  for (;;) {
    // a connection that broke says nothing about the operation
    const [sent] = await Promise.allSettled([posCall(urlOf(), till, call)])
    if (sent.status === 'fulfilled' && sent.value.status !== 503) return sent.value
    await sleep(PAUSE_MS)
  }
}

/** A sale in v2 tagging of the till's country. */
export function posSale(till: Till, reference: string, cents = 1200): string {
  const base = till.market === 'DE' ? 0x4445_2000_0000_0000n : 0x4154_2000_0000_0000n
  const rate = till.market === 'DE' ? 19 : 20
  const amount = (cents / 100).toFixed(2)
  return (
    `{"cbTerminalID":"T1","cbReceiptReference":${JSON.stringify(reference)},` +
    `"cbReceiptMoment":"2026-01-31T10:15:00Z","cbChargeItems":[{"Quantity":1,` +
    `"Description":"Kaffee","Amount":${amount},"VATRate":${rate},` +
    `"ftChargeItemCase":${base | 0x13n}}],"cbPayItems":[{"Description":"Bar","Amount":${amount},` +
    `"ftPayItemCase":${base | 0x1n}}],"ftReceiptCase":${base | 0x1n}}`
  )
}
