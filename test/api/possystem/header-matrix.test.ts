// Every call of group D with every header missing, empty, malformed, doubled, foreign and too long:
// which refusal comes, in the published order, and that nothing is left behind.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPosShop, type PosBox, type PosShop, payment, sale } from '../../support/pos-shop.js'
import {
  problemOf,
  type WireHeaders,
  type WireReply,
  wire,
  wireHeaders,
} from '../../support/pos-wire.js'

const BOX = 'x-cashbox-id'
const TOKEN = 'x-cashbox-accesstoken'
const OPERATION = 'x-operation-id'
const SYSTEM = 'x-possystem-id'

let shop: PosShop
let foreign: PosBox
beforeAll(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0' }, ['AT'])
  foreign = await shop.more('AT')
})
afterAll(() => shop.close())

interface Call {
  name: string
  method: string
  path: string
  body?: string
  /** Headers that it needs, in the order in which they are named. */
  needs: readonly string[]
}

const ALL = [BOX, TOKEN, OPERATION, SYSTEM]
const OF_BOX = [BOX, TOKEN]
const [queue, item] = [randomUUID(), randomUUID()]
const PAIR =
  `{"ReceiptRequest":{"cbReceiptReference":"x"},"ReceiptResponse":{"ftQueueID":"${queue}",` +
  `"ftQueueItemID":"${item}"}}`

const calls: Call[] = [
  { name: 'echo', method: 'POST', path: '/v2/echo', body: '{"Message":"x"}', needs: ALL },
  { name: 'pay', method: 'POST', path: '/v2/pay', body: payment('1'), needs: ALL },
  { name: 'sign', method: 'POST', path: '/v2/sign', body: JSON.stringify(sale()), needs: ALL },
  { name: 'issue', method: 'POST', path: '/v2/issue', body: PAIR, needs: ALL },
  {
    ...{ name: 'update', method: 'PUT', path: `/v2/issue/${queue}/${item}` },
    ...{ body: '{"Action":"accept"}', needs: ALL },
  },
  { name: 'journal', method: 'POST', path: '/v2/journal', body: '{"ftJournalType":1}', needs: ALL },
  { name: 'record', method: 'GET', path: `/v2/journal/OperationItem/${item}`, needs: ALL },
  { name: 'short record', method: 'GET', path: `/v2/journal/${item}`, needs: ALL },
  { name: 'result', method: 'POST', path: '/v2/PayResponse', needs: ALL },
  { name: 'read', method: 'GET', path: `/v2/issue/${queue}/${item}`, needs: OF_BOX },
  { name: 'code', method: 'GET', path: `/v2/issue/${queue}/${item}/link/qrcode`, needs: OF_BOX },
  { name: 'delivered', method: 'GET', path: `/v2/issue/${queue}/${item}/delivered`, needs: OF_BOX },
  {
    name: 'deliveries',
    method: 'GET',
    path: `/v2/issue/${queue}/${item}/deliveries`,
    needs: OF_BOX,
  },
  { name: 'look-up', method: 'GET', path: `/v2/operation/${item}`, needs: OF_BOX },
  { name: 'search', method: 'GET', path: '/v2/operation?cbReceiptReference=x', needs: OF_BOX },
]
const named = calls.map((call) => [call.name, call] as const)

function send({ method, path, body }: Call, headers: WireHeaders): Promise<WireReply> {
  return wire(shop.url, path, { method, headers, ...(body === undefined ? {} : { body }) })
}

const good = (more: WireHeaders = {}) => wireHeaders(shop.at, more)

describe.each(named)('%s', (_name, call) => {
  it('names every missing header, in their order, before it looks at anything else', async () => {
    const none = problemOf(await send(call, {}), 400, 'missing_header')
    expect(none.detail).toContain(call.needs.join(', '))
    expect(none.instance).toBe(call.path.split('?')[0])
    for (const name of call.needs) {
      for (const value of [undefined, '', '   ']) {
        const wrong = { [BOX]: 'no uuid', [TOKEN]: 'wrong', [OPERATION]: 'no uuid' }
        const reply = await send({ ...call, body: 'no json' }, good({ ...wrong, [name]: value }))
        const { detail } = problemOf(reply, 400, 'missing_header')
        const others = ALL.filter((other) => other !== name)
        expect([name, ...others].filter((one) => detail.includes(one))).toEqual([name])
      }
    }
  })

  it('names a malformed one, before the credentials', async () => {
    const uuid = randomUUID()
    const values = [
      ...['x', '0', `{${uuid}}`, uuid.replaceAll('-', ''), `${uuid}0`, uuid.slice(1), 'null'],
      ...[[uuid, uuid], `${uuid}, ${uuid}`, 'x'.repeat(9_000), `${uuid.slice(0, -1)}ü`, '\u00a0x'],
    ]
    for (const name of [BOX, OPERATION].filter((one) => call.needs.includes(one))) {
      for (const value of values) {
        const reply = await send(call, good({ [TOKEN]: 'wrong', [name]: value }))
        const { detail } = problemOf(reply, 400, 'invalid_header')
        expect(detail, String(value)).toContain(`header ${name} `)
      }
    }
    if (!call.needs.includes(SYSTEM)) return
    const long = await send(call, good({ [TOKEN]: 'wrong', [SYSTEM]: 'x'.repeat(1024) }))
    expect(problemOf(long, 400, 'invalid_header').detail).toContain(SYSTEM)
  })

  it('tells wrong, foreign, doubled and endless credentials apart by nothing', async () => {
    const wrong: WireHeaders[] = [
      { [TOKEN]: 'wrong' },
      { [TOKEN]: foreign.accessToken },
      { [BOX]: foreign.cashBoxId },
      { [BOX]: randomUUID() },
      { [BOX]: shop.at.queueId },
      { [BOX]: shop.at.accountId },
      { [TOKEN]: [shop.at.accessToken, shop.at.accessToken] },
      { [TOKEN]: 'x'.repeat(9_000) },
      { [TOKEN]: shop.at.accessToken.toUpperCase().replace(/^./, 'ü') },
    ]
    const texts = new Set<string>()
    for (const headers of wrong) {
      const reply = await send({ ...call, body: 'no json' }, good(headers))
      const { instance: _instance, ...problem } = problemOf(reply, 401, 'unauthorized')
      expect(reply.headers['www-authenticate']).toBeUndefined()
      texts.add(JSON.stringify(problem))
    }
    expect(texts.size).toBe(1)
  })

  it('is judged by its credentials before its body, however that comes', async () => {
    const bodies: WireHeaders[] = [
      { 'content-encoding': 'gzip' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'multipart/form-data' },
    ]
    for (const headers of bodies) {
      const missing = await send({ ...call, body: 'x' }, headers)
      problemOf(missing, 400, 'missing_header')
      const wrong = await send({ ...call, body: 'x' }, good({ ...headers, [TOKEN]: 'wrong' }))
      problemOf(wrong, 401, 'unauthorized')
    }
  })

  it('takes ids in upper case and blanks around its headers', async () => {
    const reply = await send(call, {
      [BOX.toUpperCase()]: ` ${shop.at.cashBoxId.toUpperCase()} `,
      [TOKEN]: ` ${shop.at.accessToken}  `,
      ...(call.needs === ALL
        ? { [OPERATION]: randomUUID().toUpperCase(), [SYSTEM]: 'a till' }
        : {}),
    })
    expect([200, 201, 204, 404], reply.text).toContain(reply.status)
    if (reply.status === 404) problemOf(reply, 404, 'not_found')
  })
})

describe('refused headers', () => {
  it('leave nothing behind, and the id free', async () => {
    const before = await shop.counts()
    const headers = good()
    for (const call of calls) {
      await send(call, { ...headers, [SYSTEM]: undefined, [TOKEN]: undefined })
      await send(call, { ...headers, [TOKEN]: 'wrong' })
      await send(call, { ...headers, [BOX]: 'x' })
    }
    expect(await shop.counts()).toEqual(before)
    const echo = await wire(shop.url, '/v2/echo', { headers, body: '{"Message":"still free"}' })
    expect(echo.status).toBe(200)
  })

  it('name the operation where its id can be read', async () => {
    const id = randomUUID()
    const reply = await shop.send(shop.at, '/v2/echo', '{}', { id, headers: { [TOKEN]: 'wrong' } })
    expect(problemOf(reply, 401, 'unauthorized').instance).toBe(`/v2/echo#${id}`)
    expect(reply.headers['x-operation-id']).toBe(id)
  })

  it('above 16 KiB together are refused before anybody reads them', async () => {
    const headers = good({ [SYSTEM]: 'x'.repeat(17 * 1024) })
    const reply = await wire(shop.url, '/v2/echo', { headers, body: '{}' })
    expect(reply.status).toBe(431)
  })
})

describe('x-dry-run', () => {
  const before = { name: 'sign', method: 'POST', path: '/v2/sign', needs: ALL }

  it.each([['yes'], ['1'], ['truth'], [['true', 'true']], [['false', 'true']]])(
    '%s is refused: a receipt that was perhaps to be tried must not be signed',
    async (value) => {
      const counts = await shop.counts()
      const reply = await send(
        { ...before, body: JSON.stringify(sale()) },
        good({ 'x-dry-run': value }),
      )
      expect(problemOf(reply, 400, 'invalid_header').detail).toContain('x-dry-run')
      expect(await shop.counts()).toEqual(counts)
    },
  )

  it.each(['false', 'False', ''])('%j is a real call', async (value) => {
    const reply = await send(
      { ...before, body: JSON.stringify(sale()) },
      good({ 'x-dry-run': value }),
    )
    expect(reply.status).toBe(201)
  })
})
