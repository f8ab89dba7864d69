// Every operation of group D the first time, repeated, in conflict and under another cash box; what
// its record and the look-up say of it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  jsonOf,
  openPosShop,
  type PosBox,
  type PosShop,
  payment,
  receipt,
  sale,
} from '../../support/pos-shop.js'
import { problemOf, type WireReply, wire, wireHeaders } from '../../support/pos-wire.js'

let shop: PosShop
let beside: { url: string; close(): Promise<void> }
beforeAll(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0.01' })
  beside = await shop.beside()
})
afterAll(async () => {
  await beside.close()
  await shop.close()
})

interface Kind {
  name: string
  /** Of the first execution. */
  status: 200 | 201
  method?: string
  /** A body and an address that mean something for the box. */
  make(box: PosBox): Promise<{ path: string; body: string; other: string }>
}

const pairOf = (ids: object, reference = 'x') =>
  jsonOf({ ReceiptRequest: receipt(reference), ReceiptResponse: ids })

async function issued(box: PosBox) {
  const ids = { ftQueueID: randomUUID(), ftQueueItemID: randomUUID() }
  await shop.send(box, '/v2/issue', pairOf(ids))
  return `/v2/issue/${ids.ftQueueID}/${ids.ftQueueItemID}`
}

const plain = (path: string, body: string, other: string) => () =>
  Promise.resolve({ path, body, other })

const kinds: Kind[] = [
  {
    ...{ name: 'echo', status: 200 },
    make: plain('/v2/echo', '{"Message":"ä","n":1.50}', '{"Message":"b"}'),
  },
  { name: 'pay', status: 201, make: plain('/v2/pay', payment('10.00'), payment('10.01')) },
  {
    ...{ name: 'sign', status: 201 },
    make: plain('/v2/sign', jsonOf(sale('kind', { n: 1.5 })), jsonOf(sale('kind', { n: 2 }))),
  },
  {
    ...{ name: 'issue', status: 201 },
    make: () => {
      const ids = { ftQueueID: randomUUID(), ftQueueItemID: randomUUID() }
      return plain('/v2/issue', pairOf(ids), pairOf(ids, 'other'))()
    },
  },
  {
    ...{ name: 'update', status: 200, method: 'PUT' },
    make: async (box) => plain(await issued(box), '{"Action":"accept"}', '{"Action":"view"}')(),
  },
  {
    ...{ name: 'journal', status: 200 },
    make: plain('/v2/journal', '{"ftJournalType":255}', '{"ftJournalType":0}'),
  },
]

/** Without what every connection has of its own. */
function lasting({ headers }: WireReply): object {
  const { date: _date, connection: _connection, ...rest } = headers
  return rest
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  const { method = 'POST', status } = kind
  const call = (box: PosBox, path: string, body: string, id: string, url = shop.url) =>
    shop.send(box, path, body, { id, method, url })

  it('is executed once; repetitions get the same bytes and headers everywhere', async () => {
    const { path, body } = await kind.make(shop.at)
    const id = randomUUID()
    const first = await call(shop.at, path, body, id)
    expect([first.status, first.headers['x-operation-id']], first.text).toEqual([status, id])
    const counts = await shop.counts()
    for (const url of [shop.url, beside.url, shop.url]) {
      const again = await call(shop.at, path, body, id, url)
      expect([again.status, again.bytes]).toEqual([200, first.bytes])
      expect(lasting(again)).toEqual(lasting(first))
    }
    expect(await shop.counts()).toEqual(counts)
  })

  it('ten times at once on two servers is one execution and one answer', async () => {
    const { path, body } = await kind.make(shop.at)
    const id = randomUUID()
    const before = await shop.counts()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        call(shop.at, path, body, id, at % 2 === 0 ? shop.url : beside.url),
      ),
    )
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    const created = replies.filter((reply) => reply.status === 201)
    expect(created).toHaveLength(status === 201 ? 1 : 0)
    expect(replies.every((reply) => reply.status === 200 || reply.status === 201)).toBe(true)
    const after = await shop.counts()
    expect(Number(after.operation) - Number(before.operation)).toBe(1)
    const table = {
      pay: 'payment',
      sign: 'queue_item',
      issue: 'issued_receipt',
      update: 'delivery',
    }
    for (const [one, rows] of Object.entries(table)) {
      const more = Number(after[rows]) - Number(before[rows])
      expect(more, `${one} ${rows}`).toBe(one === name ? 1 : 0)
    }
  })

  it('with another body, method or path is 409 and moves nothing', async () => {
    const { path, body, other } = await kind.make(shop.at)
    const id = randomUUID()
    const first = await call(shop.at, path, body, id)
    const counts = await shop.counts()
    const conflicts = [
      await call(shop.at, path, other, id),
      await call(shop.at, path, other, id, beside.url),
      await shop.send(shop.at, name === 'pay' ? '/v2/sign' : '/v2/pay', payment('10.00'), { id }),
      await shop.send(shop.at, `/v2/issue/${randomUUID()}/${randomUUID()}`, body, {
        ...{ id, method: 'PUT' },
      }),
      await call(shop.at, path, 'garbage', id),
    ]
    for (const reply of conflicts) {
      const { detail, instance } = problemOf(reply, 409, 'operation_conflict')
      expect([detail.includes(id), instance.endsWith(`#${id}`)]).toEqual([true, true])
      expect(reply.headers['x-operation-id']).toBe(id)
    }
    expect(await shop.counts()).toEqual(counts)
    expect((await call(shop.at, path, body, id)).bytes).toEqual(first.bytes)
  })

  it('under another cash box is a call of its own: body, record and look-up', async () => {
    const id = randomUUID()
    const mine = await kind.make(shop.at)
    const first = await call(shop.at, mine.path, mine.body, id)
    const look = (box: PosBox, path: string) => shop.read(box, `${path}${id}`)
    // before it has a call of this id itself
    expect((await look(shop.de, '/v2/operation/')).json()).toEqual({ State: 'never' })
    problemOf(await look(shop.de, '/v2/journal/OperationItem/'), 404, 'not_found')
    problemOf(await shop.send(shop.de, '/v2/PayResponse', undefined, { id }), 404, 'not_found')
    const theirs = await kind.make(shop.de)
    const other = await call(shop.de, theirs.path, theirs.other, id)
    expect(other.status, 'no conflict with the other one').toBe(status)
    expect(other.text).not.toContain(shop.at.queueId)
    expect((await look(shop.at, '/v2/operation/')).json().ResponseCode).toBe(status)
    const [one, two] = [
      await look(shop.at, '/v2/journal/OperationItem/'),
      await look(shop.de, '/v2/journal/OperationItem/'),
    ]
    expect([one.json().Request, two.json().Request]).toEqual([mine.body, theirs.other])
    expect((await call(shop.at, mine.path, mine.body, id)).bytes).toEqual(first.bytes)
  })

  it('has a record with everything but the token, and the look-up has its answer', async () => {
    const { path, body } = await kind.make(shop.at)
    const id = randomUUID()
    const first = await call(shop.at, path, body, id)
    const record = await shop.read(shop.at, `/v2/journal/OperationItem/${id}`)
    const shown = record.json()
    const { RequestHeaders: headers, Response: response } = shown
    expect(shown).toEqual({
      ...{ cbOperationItemID: id, Method: method, Path: path, Request: body },
      ...(name === 'echo' ? {} : { ftQueueID: expect.any(String) }),
      ...{ RequestHeaders: expect.any(Object), Response: expect.any(String) },
      ...{ ResponseCode: status, LastState: 'done' },
      ...{ TimeStamp: expect.any(String), ftOperationItemMoment: expect.any(String) },
    })
    expect(headers).toMatchObject({ 'x-cashbox-accesstoken': '***', 'x-operation-id': id })
    expect(record.text).not.toContain(shop.at.accessToken)
    if (name === 'journal') {
      expect(JSON.parse(String(response))).toMatchObject({
        ftJournalType: 255,
        Bytes: first.bytes.length,
      })
    } else expect(response).toBe(first.text)
    const found = (await shop.read(shop.at, `/v2/operation/${id.toUpperCase()}`)).json()
    const { Id, Method, Path, State, ResponseCode, Response } = found
    expect({ Id, Method, Path, State, ResponseCode, Response }).toEqual({
      ...{ Id: id, Method: method, Path: path, State: 'done' },
      ...{ ResponseCode: status, Response: response },
    })
  })
})

describe('the look-up', () => {
  const look = async (id: string, box = shop.at) =>
    (await shop.read(box, `/v2/operation/${id}`)).json()

  it('says never, running, done of a payment, and never waits', async () => {
    const id = randomUUID()
    expect(await look(id)).toEqual({ State: 'never' })
    const paying = shop.send(shop.at, '/v2/pay', payment('30000.60'), { id })
    await expect.poll(async () => (await look(id)).State).toBe('running')
    expect(await look(id)).not.toHaveProperty('ResponseCode')
    const record = await shop.read(shop.at, `/v2/journal/${id}`)
    expect(record.json()).toMatchObject({
      ...{ ResponseCode: 0, Response: null, LastState: 'processing' },
    })
    const paid = await paying
    expect(await look(id)).toMatchObject({ State: 'done', ResponseCode: 201, Response: paid.text })
  })

  it('says rolledback of a receipt whose server died, and a repetition makes it', async () => {
    const id = randomUUID()
    const body = jsonOf(sale())
    // a server that took the call, stored the item and is gone: nobody holds its lock
    const signed = await shop.send(shop.at, '/v2/sign', body, { id })
    const { ftQueueItemID } = signed.json()
    await shop.rows(
      `update operation set state = 'processing', status = null, response = null, runner = 77,
        finished_at = null, queue_item_id = $2 where id = $1`,
      [id, randomUUID()],
    )
    expect((await look(id)).State).toBe('rolledback')
    const again = await shop.send(shop.at, '/v2/sign', body, { id })
    expect(again.status, again.text).toBe(201)
    expect(again.json().ftQueueItemID).not.toBe(ftQueueItemID)
    expect(await look(id)).toMatchObject({ State: 'done', Response: again.text })
  })

  it('by reference finds receipts with their operation, newest first', async () => {
    const reference = `r-${randomUUID()}`
    const ids = [randomUUID(), randomUUID()]
    for (const id of ids) await shop.send(shop.at, '/v2/sign', sale(reference), { id })
    const by = (box: PosBox, more = '') =>
      shop.read(box, `/v2/operation?cbReceiptReference=${reference}${more}`)
    const found = (await by(shop.at)).json()
    expect(found.State).toBe('done')
    expect(found.Items).toMatchObject([
      { Id: ids[1], State: 'done', ResponseCode: 201, ftQueueID: shop.at.queueId },
      { Id: ids[0], State: 'done', ResponseCode: 201 },
    ])
    expect((await by(shop.at, '&cbTerminalID=nobody')).json()).toEqual({
      State: 'never',
      Items: [],
    })
    expect((await by(shop.de)).json()).toEqual({ State: 'never', Items: [] })
  })

  it('needs the headers of the cash box only, and writes nothing', async () => {
    const counts = await shop.counts()
    const headers = wireHeaders(shop.at, {
      'x-operation-id': undefined,
      'x-possystem-id': undefined,
    })
    const reply = await wire(shop.url, `/v2/operation/${randomUUID()}`, { method: 'GET', headers })
    expect([reply.status, reply.headers['x-operation-id']]).toEqual([200, undefined])
    expect(await shop.counts()).toEqual(counts)
  })
})
