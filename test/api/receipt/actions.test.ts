// PUT by third-party apps: every action with its status and what it leaves behind, and nothing of
// what is wrong.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pair } from '../../support/pairs.js'
import {
  type App,
  nowhere,
  openReceiptDesk,
  pathOf,
  type ReceiptDesk,
} from '../../support/receipt-desk.js'
import { type SignedPair, signedPair } from '../../support/signed-pair.js'

const BASE = 'https://r.example'

let desk: ReceiptDesk
let app: App
let pair: Pair
beforeAll(async () => {
  desk = await openReceiptDesk({ PUBLIC_URL: BASE })
  app = await desk.app('Wallet')
  pair = await desk.issued()
})
afterAll(() => desk.close())

const act = (one: Pair, body: unknown, more: Record<string, string> = {}) =>
  desk.act(one, { ...app, headers: more }, body)

async function events(one: Pair) {
  const { Count, Items } = await desk.deliveries(one)
  expect(Items.every(({ Kind, AppId }) => Kind === 'app' && AppId === app.appId)).toBe(true)
  return [Count, Items.map(({ Method }) => Method)]
}

const bytes = (length: number, ...head: number[]): Buffer =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(length - head.length, 7)])
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const upload = (Format: string, content: Buffer, Filename = 'scan.pdf') => ({
  Action: 'upload',
  Format,
  Filename,
  Filecontent: content.toString('base64'),
})

describe('accept and view', () => {
  it('accept gives the stored pair, every digit as it was, and delivers', async () => {
    const one: SignedPair = await signedPair(desk.shop)
    await desk.till('POST', '/v2/issue', one.body)
    const answer = await act(one, { Action: 'accept' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ])
    expect(answer.body).toContain('"ftReceiptCase":4707387510509010945')
    expect(answer.json<{ ReceiptResponse: unknown }>().ReceiptResponse).toEqual(
      JSON.parse(one.response),
    )
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(await events(one)).toEqual([1, ['customeraccepted']])
  })

  it.each([
    ['application/json', 200],
    ['*/*', 200],
    ['application/*;q=0.1', 200],
    ['text/html', 204],
    ['application/pdf, text/html', 204],
    ['*/*, application/json;q=0', 204],
  ])('accept with Accept: %s is %i', async (accept, status) => {
    const answer = await act(pair, { Action: 'accept' }, { accept })
    expect([answer.statusCode, answer.body === '']).toEqual([status, status === 204])
  })

  it('view is 204 and delivers; names and words in any case, under every version', async () => {
    const one = await desk.issued()
    for (const version of ['', '/v1', '/v0']) {
      const answer = await desk.shop.app.inject({
        method: 'PUT',
        url: version + pathOf(one),
        headers: { 'X-App-Id': app.appId.toUpperCase(), 'X-App-Secret': app.appSecret },
        payload: '{"ACTION":"View"}',
      })
      expect([answer.statusCode, answer.body], version).toEqual([204, ''])
    }
    expect(await events(one)).toEqual([3, ['viewed', 'viewed', 'viewed']])
  })
})

describe('download and print', () => {
  it.each([
    [undefined, 'application/pdf', 'pdf', '%PDF-'],
    ['application/pdf', 'application/pdf', 'pdf', '%PDF-'],
    ['image/png', 'image/png', 'png', '\u0089PNG'],
    ['image/jpeg', 'image/jpeg', 'jpg', '\u00ff\u00d8\u00ff'],
    ['text/plain', 'text/plain; charset=utf-8', 'txt', ''],
    ['text/html', 'text/html; charset=utf-8', 'html', '<!doctype html>'],
    [
      'text/vnd.esc-pos;charset=utf-8',
      'text/vnd.esc-pos; charset=utf-8; width=80mm',
      'bin',
      '\u001b@',
    ],
  ])('download of %s is %s, to be kept', async (Format, type, extension, head) => {
    const one = await desk.issued()
    const answer = await act(one, { Action: 'download', Format })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type])
    expect(answer.rawPayload.toString('latin1').startsWith(head)).toBe(true)
    const disposition = String(answer.headers['content-disposition'])
    expect(disposition).toMatch(
      new RegExp(`^attachment; filename="receipt-[\\w.-]+\\.${extension}"$`),
    )
    expect(await events(one)).toEqual([1, ['downloaded']])
  })

  it.each([
    [{}, 80, '\u001b@'],
    [{ Width: 58 }, 58, '\u001b@'],
    [{ Width: 74 }, 72, '\u001b@'],
    [{ Width: 10 }, 48, '\u001b@'],
    [{ Width: 9999 }, 80, '\u001b@'],
    [{ EscPosBrand: 'STAR' }, 80, '\u001b'],
    [{ EscPosBrand: 'none', Width: 58 }, 58, ''],
  ])('print %j is printer bytes of %i mm', async (members, width, head) => {
    const one = await desk.issued()
    const answer = await act(one, { Action: 'print', ...members })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['x-print-width']).toBe(`${width}mm`)
    expect(answer.rawPayload.toString('latin1').startsWith(head)).toBe(true)
    expect(await events(one)).toEqual([1, ['printed']])
  })

  it('the second print is marked as a copy, a page is not', async () => {
    const one = await desk.issued()
    const text = async () => (await act(one, { Action: 'print', Format: 'text/plain' })).body
    const first = await text()
    expect(first).not.toMatch(/duplikat|copy/i)
    expect(await text()).toMatch(/duplikat|copy/i)
    expect((await desk.open(pathOf(one))).body).not.toMatch(/duplikat/i)
  })
})

describe('link', () => {
  const link = (Host: string, Path: string, more: object = {}) => ({
    Action: 'link',
    Target: { Host, Path },
    ...more,
  })

  it('under our own address leads to the receipt, which is not yet delivered', async () => {
    const one = await desk.issued()
    const answer = await act(one, link(BASE, '/g/Bg7-Nw0Yx3'))
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers.location).toBe(BASE + pathOf(one))
    expect(await events(one)).toEqual([0, ['linked']])
    for (const path of ['/g/Bg7-Nw0Yx3', '/g/Bg7-Nw0Yx3/', '//g//Bg7-Nw0Yx3?x=1']) {
      const sent = await desk.open(path)
      expect([sent.statusCode, sent.headers.location], path).toEqual([301, BASE + pathOf(one)])
      expect(sent.headers['cache-control']).toBe('no-store')
    }
    expect((await desk.open('/g/Bg7-Nw0Yx3', {}, 'HEAD')).statusCode).toBe(301)
    expect((await desk.open('/g/Bg7-Nw0Yx')).statusCode).toBe(404)
    expect((await act(one, link(BASE, '/g/Bg7-Nw0Yx3'))).statusCode).toBe(204)
    expect((await events(one))[0]).toBe(0)
  })

  it('with Handout the customer has it', async () => {
    const one = await desk.issued()
    expect((await act(one, link(BASE, 'handed', { Handout: true }))).statusCode).toBe(204)
    expect(await events(one)).toEqual([1, ['customeraccepted']])
  })

  it('elsewhere is noted and changes nothing here', async () => {
    const one = await desk.issued()
    expect((await act(one, link('https://other.example', '/elsewhere'))).statusCode).toBe(204)
    expect((await act(one, link('http://r.example', '/elsewhere'))).statusCode).toBe(204)
    expect((await desk.open('/elsewhere')).statusCode).toBe(404)
    const whole = { Action: 'link', Target: { Alias: `${BASE}/whole-alias` } }
    expect((await act(one, whole)).statusCode).toBe(204)
    expect((await desk.open('/whole-alias')).statusCode).toBe(301)
  })

  it('a path that another receipt has is refused, and stays with the first', async () => {
    const [first, second] = [await desk.issued(), await desk.issued()]
    const calls = [first, second].map((one) => act(one, link(BASE, '/contested')))
    const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode)
    expect([...statuses].sort()).toEqual([204, 400])
    const winner = statuses[0] === 204 ? first : second
    expect((await desk.open('/contested')).headers.location).toBe(BASE + pathOf(winner))
    expect((await events(winner === first ? second : first))[1]).toEqual([])
  })

  it.each([
    '/docs/x',
    '/portal',
    '/api/x',
    '/V2/sign',
    '/health',
    '/receipt-information',
    '/favicon.ico',
    '/c719b59a-9ff0-491a-98a1-030776d8c46f/x',
    '/',
    '/a/../b',
    '/a b',
    '/a?b',
    '/%2e%2e/x',
    '/<script>',
    `/${'x'.repeat(300)}`,
  ])('%s is no path for a receipt', async (path) => {
    const answer = await act(pair, link(BASE, path))
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
  })

  it('one receipt has at most twenty', async () => {
    const one = await desk.issued()
    const statuses: number[] = []
    for (let at = 0; at < 22; at += 1) {
      statuses.push((await act(one, link(BASE, `/many/${at}`))).statusCode)
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 204), 400, 400])
  })
})

describe('send', () => {
  const send = (Target: object) => ({ Action: 'send', Target })

  async function messages(one: Pair) {
    const { rows } = await desk.shop.deps.store.pool.query(
      'select channel, state from message where subject = $1 order by created_at',
      [`${one.queueId}/${one.queueItemId}`],
    )
    return rows
  }

  it('queues a message, and delivers nothing by itself', async () => {
    const one = await desk.issued()
    const answer = await act(one, send({ Scheme: 'email', Address: 'a.b+c@ex-ample.co' }))
    expect([answer.statusCode, answer.body]).toEqual([201, ''])
    const stored = { Scheme: 'SMS', Address: '0043 1 2345678', Send: false }
    expect((await act(one, send(stored))).statusCode).toBe(201)
    expect(await messages(one)).toEqual([
      { channel: 'email', state: 'queued' },
      { channel: 'sms', state: 'stored' },
    ])
    expect(await events(one)).toEqual([0, ['sms', 'email']])
  })

  it.each([
    {},
    { Scheme: 'peppol', Address: 'a@b.example' },
    { Scheme: 'email', Address: 'nobody' },
    { Scheme: 'email', Address: 'a@b.example\r\nbcc: x@y.example' },
    { Scheme: 'sms', Address: '12' },
    { Scheme: 'email', Address: 'a@b.example', Attach: 'exe' },
    { Scheme: 'email', Address: 'a@b.example', Send: 'perhaps' },
  ])('%j is refused and leaves nothing', async (target) => {
    const one = await desk.issued()
    const answer = await act(one, send(target))
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
    expect([await messages(one), (await events(one))[1]]).toEqual([[], []])
  })
})

describe('what is wrong', () => {
  it.each([
    ['', 'invalid_json'],
    ['{', 'invalid_json'],
    ['[]', 'invalid_json'],
    ['{}', 'validation_failed'],
    ['{"Action":"burn"}', 'validation_failed'],
    ['{"Action":"__proto__"}', 'validation_failed'],
    ['{"Action":["accept"]}', 'validation_failed'],
    ['{"Action":"link"}', 'validation_failed'],
    ['{"Action":"link","Target":"x"}', 'validation_failed'],
    ['{"Action":"link","Target":{"Host":"file:///etc","Path":"/x"}}', 'validation_failed'],
    ['{"Action":"link","Target":{"Host":"https://a@r.example","Path":"/x"}}', 'validation_failed'],
    [
      '{"Action":"link","Target":{"Host":"https://r.example","Path":"/x"},"Handout":1}',
      'validation_failed',
    ],
    ['{"Action":"download","Format":"application/zip"}', 'validation_failed'],
    ['{"Action":"download","Format":7}', 'validation_failed'],
    ['{"Action":"print","Width":"wide"}', 'validation_failed'],
    ['{"Action":"print","Width":-1}', 'validation_failed'],
    ['{"Action":"print","Width":58.5}', 'validation_failed'],
    ['{"Action":"print","EscPosBrand":"other"}', 'validation_failed'],
  ])('%s is %s', async (body, code) => {
    const one = await desk.issued()
    const answer = await act(one, body)
    expect([answer.statusCode, answer.json().code]).toEqual([400, code])
    expect(await events(one)).toEqual([0, []])
  })

  it('more than 256 KiB is too much for whatever is no file', async () => {
    const one = await desk.issued()
    const answer = await act(one, { Action: 'view', x: 'x'.repeat(256 * 1024) })
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'payload_too_large'])
    expect(await events(one)).toEqual([0, []])
  })

  it('a receipt that is not there is 404, whatever the body', async () => {
    for (const one of [nowhere(), await signedPair(desk.shop)]) {
      const answer = await act(one, '{ broken')
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
    }
  })

  it('actions at the same time are all noted, each once', async () => {
    const one = await desk.issued()
    const bodies = ['accept', 'view', 'print', 'download'].flatMap((Action) =>
      Array.from({ length: 5 }, () => ({ Action, Format: 'text/plain' })),
    )
    const answers = await Promise.all(bodies.map((body) => act(one, body)))
    expect(answers.every(({ statusCode }) => statusCode < 300)).toBe(true)
    expect((await events(one))[0]).toBe(20)
  })

  it('every action of an app is an entry of the journal', async () => {
    const one = await desk.issued()
    await act(one, { Action: 'view' })
    await act(one, upload('image/png', bytes(60, ...PNG)))
    await desk.shop.deps.retrievals.settled()
    await desk.shop.deps.retrievals.sweep()
    const { rows } = await desk.shop.deps.store.pool.query<{ data_json: string }>(
      `select data_json from action_journal where queue_item_id = $1
         and type = 'receipt-retrieved' order by time_stamp`,
      [one.queueItemId],
    )
    expect(rows.map(({ data_json }) => JSON.parse(data_json) as unknown)).toMatchObject([
      { method: 'viewed', kind: 'app', appId: app.appId },
      { method: 'uploaded', kind: 'app', appId: app.appId },
    ])
  })
})
