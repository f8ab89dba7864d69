// What every operation of the Dealer API has in common: who may call, how addresses and members are
// spelled, in which order a call is checked, and how a refusal looks.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetToken } from '../../../src/core/accounts/accounts.js'
import { type DealerStand, faults, openDealer, refusal } from '../../support/dealer.js'

let stand: DealerStand
let operator = ''
beforeAll(async () => {
  stand = await openDealer({ variables: { RATE_LIMITS: 'credentials=0' } })
  operator = await stand.operator()
})
afterAll(() => stand.close())

const LIST = 'GET /api/posoperators'
const shop = { name: 'Ring', address: 'Ring 2', postalCode: '1010', city: 'Wien', country: 'AT' }

describe('credentials', () => {
  const UNAUTHORIZED = { status: 401, code: 'Unauthorized' }

  it('are two headers; whatever is wrong with them is answered in the same words', async () => {
    const texts = new Set<unknown>()
    const wrong = [
      { accountid: undefined },
      { accesstoken: undefined },
      { accountid: 'x' },
      { accountid: randomUUID() },
      { accesstoken: 'x' },
      { accesstoken: `${stand.dealer.accessToken}x` },
      { accountid: operator },
    ]
    for (const headers of wrong) {
      const reply = await stand.call(LIST, { headers })
      expect(refusal(reply), JSON.stringify(headers)).toEqual(UNAUTHORIZED)
      texts.add(reply.json().Message)
    }
    expect(texts.size).toBe(1)
  })

  it('come before everything else: an unknown body, operator or outlet tells nothing', async () => {
    const line = `PUT /api/posoperators/${randomUUID()}/outlets/x`
    const reply = await stand.call(line, { body: '{', headers: { accesstoken: 'x' } })
    expect(refusal(reply)).toEqual(UNAUTHORIZED)
  })

  it('take the account id in any case and with braces', async () => {
    const accountid = `{${stand.dealer.accountId.toUpperCase()}}`
    expect((await stand.call(LIST, { headers: { accountid } })).status).toBe(200)
  })

  it('need an account with the role PosDealer', async () => {
    const as = await stand.account({ kind: 'PosCreator', roles: ['PosCreator'] })
    expect(refusal(await stand.call(LIST, { as }))).toEqual({
      status: 403,
      code: 'PosDealerRoleRequired',
    })
  })

  it('stop at once when the token is reset', async () => {
    const as = await stand.account()
    expect((await stand.call(LIST, { as })).status).toBe(200)
    const fresh = await resetToken({ ...stand.deps, now: () => new Date() }, as.accountId)
    stand.deps.dealer.accounts.forget(as.accountId)
    expect((await stand.call(LIST, { as })).status).toBe(401)
    expect((await stand.call(LIST, { as: fresh })).status).toBe(200)
  })
})

describe('a refusal by the market', () => {
  it('speaks the language of the account unless the caller asks for another one', async () => {
    const line = `PATCH /api/posoperators/${stand.dealer.accountId}/masterdata`
    const own = await stand.call(line, { body: {} })
    expect(refusal(own)).toEqual({ status: 403, code: 'MarketNotSupported' })
    expect(own.json().Message).toMatch(/^Diese Operation/)
    const french = await stand.call(line, { body: {}, headers: { 'accept-language': 'fr' } })
    expect(french.json().Message).toMatch(/^Cette opération/)
  })
})

describe('a wrong try', () => {
  it('is answered with 429 after the tenth within a minute, and the right one passes', async () => {
    const other = await openDealer({ variables: { RATE_LIMITS: 'credentials=10' } })
    const headers = { accesstoken: 'guess' }
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await other.call(LIST, { headers })).status).toBe(401)
    }
    const reply = await other.call(LIST, { headers })
    expect(refusal(reply)).toEqual({ status: 429, code: 'TooManyRequests' })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect((await other.call(LIST)).status).toBe(200)
    await other.close()
  })
})

describe('many calls', () => {
  it('of one account are answered with 429 and Retry-After, others are not', async () => {
    const other = await openDealer({ variables: { RATE_LIMITS: 'dealer=3' } })
    for (let calls = 0; calls < 3; calls += 1) {
      expect((await other.call(LIST)).status).toBe(200)
    }
    const reply = await other.call(LIST)
    expect(refusal(reply)).toEqual({ status: 429, code: 'TooManyRequests' })
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await other.call(LIST, { as: await other.account() })).status).toBe(200)
    await other.close()
  })
})

describe('an address', () => {
  it.each([
    '/API/PosOperators',
    '/api/posoperators/',
    '/v0/api/posoperators',
    '/V1/Api/posoperators/',
    '//api//posoperators',
    '/api/posoperators?USECACHE=False',
  ])('may be spelled %s', async (url) => {
    const reply = await stand.call(`GET ${url}`)
    expect([reply.status, reply.text]).toEqual([200, (await stand.call(LIST)).text])
  })

  it('with another method is 405 with Allow, with or without credentials', async () => {
    for (const url of ['/api/posoperators', '/v1/api/posoperators/']) {
      const reply = await stand.call(`PATCH ${url}`, { headers: { accesstoken: undefined } })
      expect(refusal(reply)).toEqual({ status: 405, code: 'MethodNotAllowed' })
      expect(String(reply.headers.allow).split(', ')).toContain('GET')
    }
  })

  it('that is nothing is 404 in the shape of this group', async () => {
    for (const url of ['/api/posoperators/a/b/c', '/api/nothing', '/v1/api/rolloutplans/a/b']) {
      expect(refusal(await stand.call(`GET ${url}`))).toEqual({ status: 404, code: 'NotFound' })
    }
  })

  it('may be mounted below a prefix, and is nowhere else then', async () => {
    const other = await openDealer({ variables: { MOUNT_DEALER: '/dealer' } })
    expect((await other.call('GET /Dealer/v1/api/posoperators')).status).toBe(200)
    expect((await other.call(LIST)).status).toBe(404)
    const headers = { accountid: undefined, accesstoken: undefined }
    const reply = await other.call('GET /dealer/api/posoperators/x/y', { headers })
    expect(refusal(reply)).toEqual({ status: 404, code: 'NotFound' })
    await other.close()
  })

  it('of the version needs no credentials', async () => {
    const headers = { accountid: undefined, accesstoken: undefined }
    const reply = await stand.call('GET /api/version', { headers })
    expect(reply.json()).toEqual({ version: expect.any(String), environment: 'sandbox' })
    expect((await stand.call('GET /version', { headers })).json()).toMatchObject(reply.json())
  })
})

describe('a body', () => {
  const create = (body: unknown, headers: Record<string, string | undefined> = {}) =>
    stand.call(`POST /api/posoperators/${operator}/outlets`, { body, headers })

  it('may have its members in any case, and unknown ones', async () => {
    const reply = await create({
      NAME: 'X',
      ADDRESS: 'Y',
      postalcode: '1',
      City: 'Z',
      COUNTRY: 'at',
      more: 1,
    })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json()).toMatchObject({ name: 'X', postalCode: '1', country: 'AT' })
  })

  it('may have any charset, another JSON type, or no type at all', async () => {
    const types = ['application/json; charset=latin1', 'text/json', 'application/x+json', undefined]
    for (const type of types) {
      expect((await create(shop, { 'content-type': type })).status, type).toBe(200)
    }
  })

  it.each([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['no JSON', '{"name":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['an escaped NUL', '{"name":"\\u0000"}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('of %s is told under $', async (_name, body) => {
    expect(Object.keys(faults(await create(body)))).toEqual(['$'])
  })

  it('of another type is told under $', async () => {
    const reply = await create(JSON.stringify(shop), { 'content-type': 'text/plain' })
    expect(Object.keys(faults(reply))).toEqual(['$'])
  })

  it('beyond 256 KiB is 413', async () => {
    const reply = await create({ ...shop, more: 'x'.repeat(256 * 1024) })
    expect(refusal(reply)).toEqual({ status: 413, code: 'PayloadTooLarge' })
  })

  it('beyond the limit is not read for who has no credentials', async () => {
    const body = 'x'.repeat(300 * 1024)
    expect((await create(body, { accesstoken: 'x' })).status).toBe(401)
  })

  it('has everything that is wrong told at once, path included', async () => {
    const url = '/api/posoperators/x/outlets/y'
    const reply = await stand.call(`PUT ${url}`, { body: { ...shop, name: 1, city: null } })
    expect(Object.keys(faults(reply)).toSorted()).toEqual([
      'city',
      'name',
      'outletNumber',
      'posOperatorId',
    ])
    expect(reply.json()).toMatchObject({
      type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
      status: 400,
      instance: url,
    })
  })
})

describe('the order of the checks', () => {
  it('is shape, operator, right, outlet, conflict', async () => {
    const reader = await stand.operator('Read')
    const stranger = randomUUID()
    const put = (id: string, number: string, body: unknown) =>
      stand.call(`PUT /api/posoperators/${id}/outlets/${number}`, { body })
    expect((await put(stranger, '9', {})).status).toBe(400)
    expect(refusal(await put(stranger, '9', shop)).code).toBe('PosOperatorNotFound')
    expect(refusal(await put(reader, '9', shop)).code).toBe('OutletNotFound')
    expect(refusal(await put(reader, '1', shop)).code).toBe('InsufficientAccessRights')
  })

  it('tells nothing about outlets to who may not read', async () => {
    const closed = await stand.operator('None')
    const texts = await Promise.all(
      ['1', '9'].map((number) => stand.call(`GET /api/posoperators/${closed}/outlets/${number}`)),
    )
    expect(texts.map((reply) => refusal(reply).code)).toEqual([
      'InsufficientAccessRights',
      'InsufficientAccessRights',
    ])
    expect((await stand.call(`GET /api/posoperators/${closed}`)).status).toBe(200)
  })
})

describe('an address that cannot be decoded', () => {
  it.each([
    ['de', 'Die Adresse ist nicht lesbar: hinter % stehen zwei Hexadezimalziffern von UTF-8.'],
    ['en', 'The address cannot be read: % takes two hexadecimal digits of UTF-8 behind it.'],
  ])('is told in the language asked for: %s', async (language, text) => {
    for (const path of ['/api/posoperators/%zz', '/api/posoperators/%ff']) {
      const reply = await stand.call(`GET ${path}`, { headers: { 'accept-language': language } })
      expect(reply.status).toBe(400)
      expect(reply.json()).toMatchObject({ detail: text, errors: { $: [text] } })
    }
  })
})

describe('a connection', () => {
  it('that is pending, of somebody else or nobody looks the same', async () => {
    const pending = await stand.operator('Full', { state: 'pending' })
    const foreign = await stand.operator('Full', { of: await stand.account() })
    for (const id of [pending, foreign, randomUUID()]) {
      const reply = await stand.call(`GET /api/posoperators/${id}`)
      expect(refusal(reply)).toEqual({ status: 404, code: 'PosOperatorNotFound' })
      expect(String(reply.json().Message).replace(id, '')).toBe(
        'Es gibt keine aktive Verbindung zu einem PosOperator .',
      )
    }
  })

  it('is not needed for the own account, which has all rights', async () => {
    const own = `/api/posoperators/{${stand.dealer.accountId.toUpperCase()}}`
    expect((await stand.call(`GET ${own}`)).json().id).toBe(stand.dealer.accountId)
    const reply = await stand.call(`POST ${own}/outlets`, { body: shop })
    expect(reply.status).toBe(200)
    const [line] = (await stand.audit()).filter((one) => one.onBehalfOf === null)
    expect(line).toMatchObject({ operation: 'createOutlet', accountId: stand.dealer.accountId })
  })

  it('is needed with the right that an operation wants', async () => {
    const results: Record<string, number[]> = {}
    for (const right of ['None', 'Read', 'ReadWrite', 'Full'] as const) {
      const path = `/api/posoperators/${await stand.operator(right)}`
      const calls = [
        await stand.call(`GET ${path}`),
        await stand.call(`GET ${path}/outlets`),
        await stand.call(`POST ${path}/outlets`, { body: shop }),
      ]
      results[right] = calls.map((reply) => reply.status)
    }
    expect(results).toEqual({
      None: [200, 403, 403],
      Read: [200, 200, 403],
      ReadWrite: [200, 200, 200],
      Full: [200, 200, 200],
    })
  })
})

describe('the language of a message', () => {
  const said = async (accept: string | undefined, as = stand.dealer) => {
    const reply = await stand.call(`GET /api/posoperators/${randomUUID()}`, {
      as,
      headers: { 'accept-language': accept },
    })
    return String(reply.json().Message).split(' ').slice(0, 3).join(' ')
  }

  it.each([
    ['de', 'Es gibt keine'],
    ['fr-CA,en', "Il n'y a"],
    ['nl, it;q=0.5, es;q=0.9', 'No hay conexión'],
    ['it', 'Non esiste una'],
    ['pt-BR', 'Não existe ligação'],
    ['el', 'Δεν υπάρχει ενεργή'],
    ['en-GB', 'There is no'],
  ])('follows Accept-Language: %s', async (accept, words) => {
    expect(await said(accept)).toBe(words)
  })

  it('is that of the market where the caller asks for none that we speak', async () => {
    expect(await said(undefined)).toBe('Es gibt keine')
    expect(await said('nl,sv;q=0.5')).toBe('Es gibt keine')
  })

  it('reaches the members of problem details', async () => {
    const reply = await stand.call(`POST /api/posoperators/${operator}/outlets`, {
      body: { ...shop, name: ' ' },
      headers: { 'accept-language': 'fr' },
    })
    expect(faults(reply)).toEqual({ name: ['Ne doit pas être vide.'] })
  })
})
