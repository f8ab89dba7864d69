// The asynchronous calls of older launchers: issue, ask what came of it, ask whether it was taken.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addForeignBox, headersOf } from '../../support/app.js'
import { nowhere, openReceiptDesk, pathOf, type ReceiptDesk } from '../../support/receipt-desk.js'
import { signedPair } from '../../support/signed-pair.js'

const BASE = 'https://r.example'

let desk: ReceiptDesk
beforeAll(async () => {
  desk = await openReceiptDesk({ PUBLIC_URL: BASE })
})
afterAll(() => desk.close())

const post = (
  url: string,
  body: string,
  headers: Record<string, string> = headersOf(desk.shop.box),
) =>
  desk.shop.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/json' },
    payload: body,
  })

describe('print', () => {
  it('issues the pair; response tells the address, print the state', async () => {
    const pair = await signedPair(desk.shop)
    const body = `{"request":${pair.request},"response":${pair.response}}`
    const answer = await post('/v0/print', body)
    expect(answer.statusCode, answer.body).toBe(200)
    const started = answer.json<{ type: string; identifier: string }>()
    expect(started.type).toBe('print')
    const outcome = await post('/v0/response', answer.body)
    expect([outcome.statusCode, outcome.json().receiptUrl]).toEqual([200, BASE + pathOf(pair)])
    expect(typeof outcome.json().message).toBe('string')
    const state = async () => (await desk.open(`/v0/print${pathOf(pair)}`)).json()
    expect(await state()).toMatchObject({ state: 'Submitted' })
    await desk.open(pathOf(pair))
    expect(await state()).toMatchObject({ state: 'Printed' })
    expect((await state()).message).toContain('viewed')
  })

  it('may be called again', async () => {
    const pair = await signedPair(desk.shop)
    const body = `{"Request":${pair.request},"Response":${pair.response}}`
    const first = (await post('/v0/print', body)).json<{ identifier: string }>()
    const second = (await post('/v0/print', body)).json<{ identifier: string }>()
    expect(first.identifier).not.toBe(second.identifier)
    expect((await post('/v0/response', JSON.stringify(second))).statusCode).toBe(200)
  })

  it.each([
    ['', 400],
    ['{', 400],
    ['{}', 400],
    ['{"request":{},"response":7}', 400],
    ['{"request":{},"response":{}}', 400],
  ])('%s is %i', async (body, status) => {
    const answer = await post('/v0/print', body)
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  })

  it('wants the credentials of the cash box', async () => {
    for (const url of ['/v0/print', '/v0/response']) {
      expect((await post(url, '{}', {})).statusCode).toBe(401)
      const wrong = { ...headersOf(desk.shop.box), accesstoken: 'x' }
      expect((await post(url, '{}', wrong)).statusCode).toBe(401)
    }
  })
})

describe('response', () => {
  it.each([
    ['{}', 400],
    ['{"identifier":"x"}', 400],
    [`{"type":"print","identifier":"${randomUUID()}"}`, 404],
  ])('%s is %i', async (body, status) => {
    expect((await post('/v0/response', body)).statusCode).toBe(status)
  })

  it('of another cash box is 404', async () => {
    const pair = await signedPair(desk.shop)
    const started = await post(
      '/v0/print',
      `{"request":${pair.request},"response":${pair.response}}`,
    )
    const box = await addForeignBox({ ...desk.shop, headers: {} as never, row: async () => ({}) })
    expect((await post('/v0/response', started.body, headersOf(box))).statusCode).toBe(404)
  })
})

it('the state of what is not there is 404', async () => {
  for (const pair of [nowhere(), await signedPair(desk.shop)]) {
    expect((await desk.open(`/v0/print${pathOf(pair)}`)).statusCode).toBe(404)
  }
})
