// PUT of group D beyond accept and view: every action of apps with the credentials of the cash box,
// once per operation, answered the same each time.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addForeignBox, type Server, startServer } from '../../support/app.js'
import type { Pair } from '../../support/pairs.js'
import { posHeaders } from '../../support/pos-server.js'
import { openReceiptDesk, pathOf, type ReceiptDesk } from '../../support/receipt-desk.js'

const BASE = 'https://r.example'
const MIB = 1024 * 1024

let desk: ReceiptDesk
let second: Server
beforeAll(async () => {
  desk = await openReceiptDesk({ PUBLIC_URL: BASE })
  second = await startServer(desk.shop, { PUBLIC_URL: BASE, jobs: false })
})
afterAll(async () => {
  await second.close()
  await desk.close()
})

const put = (
  pair: Pair,
  body: unknown,
  {
    id = randomUUID(),
    on = desk.shop as Pick<Server, 'app'>,
    box = desk.shop.box as Credentials,
  } = {},
) =>
  on.app.inject({
    method: 'PUT',
    url: `/v2/issue${pathOf(pair)}`,
    headers: { ...posHeaders(box, { 'x-operation-id': id }), 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
type Credentials = { cashBoxId: string; accessToken: string }

const png = (length: number): Buffer =>
  Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    Buffer.alloc(length - 8, 7),
  ])
const upload = (content: Buffer, Format = 'image/png') => ({
  ...{ Action: 'upload', Format, Filename: 'slip.png' },
  Filecontent: content.toString('base64'),
})

describe('an action of the till', () => {
  it.each([
    [{ Action: 'link', Target: { Host: BASE, Path: '/till-link' }, Handout: true }, 204, 204],
    [{ Action: 'download', Format: 'text/plain' }, 200, 200],
    [{ Action: 'download' }, 200, 200],
    [{ Action: 'print', Width: 58 }, 200, 200],
    [{ Action: 'send', Target: { Scheme: 'email', Address: 'a@b.example' } }, 201, 200],
    [upload(png(400)), 201, 200],
  ])(
    '%j is %i, and %i when it is repeated anywhere, with the same bytes',
    async (body, first, later) => {
      const pair = await desk.issued()
      const id = randomUUID()
      const answer = await put(pair, body, { id })
      expect(answer.statusCode, answer.body).toBe(first)
      for (const on of [desk.shop, second]) {
        const again = await put(pair, body, { id, on })
        expect([again.statusCode, again.headers['content-type'], again.headers.location]).toEqual([
          later,
          answer.headers['content-type'],
          answer.headers.location,
        ])
        expect(again.rawPayload.equals(answer.rawPayload)).toBe(true)
      }
      if (first === 204) expect(answer.headers.location).toBe(BASE + pathOf(pair))
      const { Items } = await desk.deliveries(pair)
      expect(Items).toHaveLength(1)
      expect(Items[0]).toMatchObject({ Kind: 'pos', AppId: null })
    },
  )

  it('at the same time on two servers is done once', async () => {
    const pair = await desk.issued()
    const id = randomUUID()
    const body = { Action: 'send', Target: { Scheme: 'email', Address: 'once@b.example' } }
    const calls = Array.from({ length: 10 }, (_, at) =>
      put(pair, body, { id, on: at % 2 ? second : desk.shop }),
    )
    const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 200)).toHaveLength(9)
    const { rows } = await desk.shop.deps.store.pool.query(
      'select state from message where subject = $1',
      [`${pair.queueId}/${pair.queueItemId}`],
    )
    expect(rows).toEqual([{ state: 'queued' }])
    expect((await desk.deliveries(pair)).Items).toHaveLength(1)
  })

  it('under a known id with another body is 409', async () => {
    const pair = await desk.issued()
    const id = randomUUID()
    expect((await put(pair, { Action: 'print' }, { id })).statusCode).toBe(200)
    expect((await put(pair, { Action: 'view' }, { id })).statusCode).toBe(409)
  })

  it('that is refused uses up nothing', async () => {
    const pair = await desk.issued()
    const id = randomUUID()
    const wrong = { Action: 'send', Target: { Scheme: 'email', Address: 'nobody' } }
    expect((await put(pair, wrong, { id })).statusCode).toBe(400)
    expect((await put(pair, { Action: 'view' }, { id })).statusCode).toBe(200)
    expect((await desk.deliveries(pair)).Items).toHaveLength(1)
  })

  it('that would be refused by now is answered as it was, also written another way', async () => {
    const pair = await desk.issued()
    const send = (at: number) => ({
      Action: 'send',
      Target: { Scheme: 'email', Address: `a${at}@b.example` },
    })
    const ids = Array.from({ length: 5 }, () => randomUUID())
    for (const [at, id] of ids.entries()) {
      expect((await put(pair, send(at), { id })).statusCode).toBe(201)
    }
    expect((await put(pair, send(9))).statusCode).toBe(429)
    for (const on of [desk.shop, second]) {
      expect((await put(pair, send(4), { id: ids[4] ?? randomUUID(), on })).statusCode).toBe(200)
    }
    const id = randomUUID()
    const file = upload(png(300))
    expect((await put(pair, file, { id })).statusCode).toBe(201)
    const { Action, ...rest } = file
    const other = { ...rest, action: Action }
    expect((await put(pair, { ...rest, Action }, { id })).statusCode).toBe(200)
    // another case of a name is another body by the rule of group D; the file is the same
    expect((await put(pair, other, { id })).statusCode).toBe(200)
    expect((await put(pair, upload(png(301)), { id })).statusCode).toBe(409)
    expect((await put(pair, upload(png(301)), { id, on: second })).statusCode).toBe(409)
  })

  it('on a receipt of another cash box finds nothing', async () => {
    const foreign = await addForeignBox({
      ...desk.shop,
      headers: {} as never,
      row: async () => ({}),
    })
    const pair = await desk.issued()
    for (const Action of ['accept', 'print', 'download']) {
      const answer = await put(pair, { Action }, { box: foreign })
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
    }
    for (const path of ['/link', '/documents']) {
      const answer = await desk.shop.app.inject({
        url: `/v2/issue${pathOf(pair)}${path}`,
        headers: posHeaders(foreign),
      })
      expect(answer.statusCode, path).toBe(404)
    }
    expect((await desk.deliveries(pair)).Items).toEqual([])
  })

  it('an uploaded file of 10 MiB is kept as file, its record only names it', async () => {
    const pair = await desk.issued()
    const id = randomUUID()
    const content = png(10 * MIB)
    expect((await put(pair, upload(content), { id })).statusCode).toBe(201)
    expect((await put(pair, upload(content), { id })).statusCode).toBe(200)
    const over = await put(pair, upload(png(10 * MIB + 1)))
    expect([over.statusCode, over.json().code]).toEqual([400, 'payload_too_large'])
    const record = await desk.till('GET', `/v2/journal/OperationItem/${id}`)
    const { Request } = record.json<{ Request: string }>()
    expect(Request.length).toBeLessThan(300)
    expect(JSON.parse(Request)).toMatchObject({ Action: 'upload', Filename: 'slip.png' })
    const list = await desk.till('GET', `/v2/issue${pathOf(pair)}/documents`)
    const { Items } = list.json<{ Items: { Id: string; Size: number }[] }>()
    expect(Items).toMatchObject([{ Size: 10 * MIB }])
    const file = await desk.till('GET', `/v2/issue${pathOf(pair)}/documents/${Items[0]?.Id}`)
    expect(file.rawPayload.equals(content)).toBe(true)
    expect(file.headers['content-disposition']).toMatch(/^attachment/)
  })
})

describe('the short link of a receipt', () => {
  it('is below the public address, and says what was asked for', async () => {
    const pair = await desk.issued()
    const get = (query: string) => desk.till('GET', `/v2/issue${pathOf(pair)}/link${query}`)
    const { DocumentURL, ShortURL } = (await get('?f=5&mcc=a%26b')).json<Record<string, string>>()
    expect(DocumentURL).toBe(BASE + pathOf(pair))
    const url = new URL(String(ShortURL))
    expect(url.origin + url.pathname).toBe(`${BASE}/`)
    expect([url.searchParams.get('f'), url.searchParams.get('mcc')]).toEqual(['5', 'a&b'])
    expect((await desk.open(`/${url.search}`)).statusCode).toBe(200)
    for (const query of ['?f=x', `?mcc=${'x'.repeat(65)}`]) {
      expect((await get(query)).statusCode, query).toBe(400)
    }
  })
})
