// Every example of the documents is sent as it stands, and gets what its document promises. Those
// of the Dealer API are sent in dealer/document-examples.test.ts.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReceiptApp } from '../../src/core/accounts/accounts.js'
import { createPairing, type Pairing } from '../../src/core/accounts/pairing/pairing.js'
import type { DemoCashBox } from '../../src/core/rollout/demo.js'
import {
  type DescribedCall,
  type DescribedDocument,
  documentCalls,
  fetchDocument,
} from '../support/described-calls.js'
import { type DocumentSchemas, schemasOf } from '../support/document-schemas.js'
import { makeBox, makeScu, type TestBox } from '../support/make-scu.js'
import { openShop, type Shop } from '../support/shop.js'

const GROUPS = ['middleware', 'signing-device', 'possystem', 'receipt', 'sandbox']

interface Known {
  document: DescribedDocument
  schemas: DocumentSchemas
}

let shop: Shop
let known: Map<string, Known>
/** What only a caller can know. */
const ids = { receipt: '', document: '', token: '', payment: randomUUID(), sale: randomUUID() }
/** Its unit is for other servers. */
let served: TestBox
let pairing: Pairing
let app: { appId: string; appSecret: string }
/** What an older launcher was answered. */
let printed: unknown

beforeAll(async () => {
  shop = await openShop()
  const { store } = shop.deps
  pairing = createPairing(store)
  const now = () => new Date()
  app = await createReceiptApp({ store, now }, { name: 'Documents', shareUrl: null })
  const documents = GROUPS.map(async (group) => {
    const document = await fetchDocument(shop.url, group)
    return [group, { document, schemas: schemasOf(document) }] as const
  })
  known = new Map(await Promise.all(documents))
  const sign = await pos('/v2/sign', sale(), ids.sale)
  const ReceiptResponse = JSON.parse(await sign.text())
  const pair = { ReceiptRequest: sale(), ReceiptResponse }
  ids.receipt = JSON.parse(await (await pos('/v2/issue', pair)).text()).ftQueueItemID
  await pos('/v2/pay', exampleOf('postPay', 'card'), ids.payment)
  const upload = exampleOf('putIssueQueueIdItemId', 'upload')
  await pos(`/v2/issue/${shop.box.queueId}/${ids.receipt}`, upload, randomUUID(), 'PUT')
  const list = await pos(`/v2/issue/${shop.box.queueId}/${ids.receipt}/documents`, undefined)
  ids.document = JSON.parse(await list.text()).Items[0].Id
  ids.token = await walletToken()
  const print = await fetch(`${shop.url}/v0/print`, {
    method: 'POST',
    headers: { ...credentialsOf(shop.box), 'content-type': 'application/json' },
    body: JSON.stringify(exampleOf('postV0Print', 'elsewhere')),
  })
  printed = await print.json()
  served = await makeBox(shop, 'DE')
  await makeScu(shop, served)
  await tse('tsestate', { CurrentState: 1 })
  await tse('registerclientid', { ClientId: 'KASSE-0001' })
})
afterAll(() => shop?.close())

/** A simulated wallet takes the receipt; the token is what it is sent. */
async function walletToken(): Promise<string> {
  const { accountId } = shop.demo.operator
  const actor = { accountId, onBehalfOf: null, operation: 'putWallet', traceId: '' }
  const wish = { accountId, maker: 'google', entered: { simulated: true } } as const
  await shop.deps.platform.wallets.put(actor, wish)
  const address = `${shop.url}/${shop.box.queueId}/${ids.receipt}/wallet/google`
  const { headers } = await fetch(address, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '', shop.url).searchParams.get('token') ?? ''
}

const sale = () => exampleOf('postSign', 'AT')

function exampleOf(operationId: string, name: string): unknown {
  const { document } = known.get('possystem') as Known
  const call = documentCalls(document).find((one) => one.operationId === operationId)
  return call?.examples.find((one) => one.name === name)?.value
}

function pos(path: string, body: unknown, id = randomUUID(), method = 'POST'): Promise<Response> {
  return fetch(shop.url + path, {
    method: body === undefined ? 'GET' : method,
    headers: {
      'x-cashbox-id': shop.box.cashBoxId,
      'x-cashbox-accesstoken': shop.box.accessToken,
      'x-operation-id': id,
      'x-possystem-id': 'documents',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const TSE = '/api/v0/idesscd/v1/'

async function tse(name: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${shop.url}${TSE}${name}`, {
    method: 'POST',
    headers: { ...served.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Record<string, unknown>
}

/** An example that goes on with an export is for one that was begun. */
async function begun(call: DescribedCall, value: unknown): Promise<unknown> {
  if (!['exportdata', 'endexportsession'].includes(call.operationId)) return value
  const { TokenId } = await tse('startexportsession', {})
  return { ...Object(value), TokenId }
}

/** An example with the name of a country is for its till. */
const boxOf = (name: string): DemoCashBox =>
  shop.demo.cashBoxes.find(({ market }) => market === name) ?? shop.box

function parametersOf(call: DescribedCall, box: DemoCashBox): Record<string, string> {
  const receipt = { queueId: shop.box.queueId, itemId: ids.receipt, queueItemId: ids.receipt }
  const operationId = call.operationId === 'postPayResponse' ? ids.payment : randomUUID()
  return {
    ...receipt,
    queue: box.queueId,
    documentId: ids.document,
    ...{ maker: 'google', token: ids.token },
    scuId: box.scuIds[0] ?? '',
    id: ids.sale,
    'x-operation-id': operationId,
  }
}

const credentialsOf = (box: Pick<DemoCashBox, 'cashBoxId' | 'accessToken'>) => ({
  ...{ cashboxid: box.cashBoxId, accesstoken: box.accessToken },
  ...{ 'x-cashbox-id': box.cashBoxId, 'x-cashbox-accesstoken': box.accessToken },
  ...{ 'X-App-Id': app.appId, 'X-App-Secret': app.appSecret },
})

async function send(call: DescribedCall, example: DescribedCall['examples'][number] | undefined) {
  const box = boxOf(example?.name ?? '')
  const { path, headers } = call.fill(parametersOf(call, box))
  const security = call.security.flat()
  const caller = path.startsWith(TSE) ? served : box
  const given = Object.entries(credentialsOf(caller)).filter(([name]) => security.includes(name))
  const isPair = call.operationId === 'postPair' || call.operationId === 'postApiInstorePair'
  const pin = isPair ? await pairing.create(box.cashBoxId) : null
  const known = call.operationId === 'postV0Response' ? printed : await begun(call, example?.value)
  const value = pin === null ? known : { Pin: pin.pin }
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  const leaving = new AbortController()
  const response = await fetch(shop.url + path, {
    method: call.method,
    headers: {
      ...Object.fromEntries(given),
      ...headers,
      ...(example === undefined ? {} : { 'content-type': example.type }),
    },
    ...(example === undefined ? {} : { body }),
    redirect: 'manual',
    signal: leaving.signal,
  })
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  // such an answer has no end of its own
  if (type === 'text/event-stream') leaving.abort()
  return {
    status: response.status,
    type,
    text: leaving.signal.aborted ? '' : await response.text(),
  }
}

/** A server that draws too much says so, and is asked again when it says. */
async function sendPatiently(...call: Parameters<typeof send>): ReturnType<typeof send> {
  for (let left = 20; ; left -= 1) {
    const answer = await send(...call)
    if (answer.status !== 503 || left === 0) return answer
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** Five messages about a receipt are sent, those of other examples among them. */
const LIMITED = new Set(['guestSend'])

describe.each(GROUPS)('the document of %s', (group) => {
  it('promises what its examples get, as often as they are sent', async () => {
    const { document, schemas } = known.get(group) as Known
    for (const call of documentCalls(document)) {
      for (const example of call.examples.length === 0 ? [undefined] : call.examples) {
        for (const time of LIMITED.has(call.operationId) ? ['first'] : ['first', 'second']) {
          const name = `${call.operationId} ${example?.name ?? ''} ${time}`
          const { status, type, text } = await sendPatiently(call, example)
          const promised = call.successes[String(status)]
          expect(promised, `${name}: ${status} ${text}`).toBeDefined()
          if (text === '') continue
          expect(promised?.types, name).toContain(type)
          if (type !== 'application/json') continue
          const place = [...(promised?.place ?? []), 'content', type, 'schema']
          expect(schemas.faultsOf(place, JSON.parse(text)), `${name}: ${text}`).toEqual([])
        }
      }
    }
  })
})
