// Every address of group E with its statuses: who is shown something, who is sent where, what is
// kept by whom, and that no opening stays unseen.
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../../../src/core/receipts/link.js'
import { startServer } from '../../support/app.js'
import type { Pair } from '../../support/pairs.js'
import {
  CHROME,
  nowhere,
  openReceiptDesk,
  pathOf,
  type ReceiptDesk,
} from '../../support/receipt-desk.js'
import { signedPair } from '../../support/signed-pair.js'

let desk: ReceiptDesk
let pair: Pair
beforeAll(async () => {
  desk = await openReceiptDesk()
  pair = await desk.issued()
})
afterAll(() => desk.close())

const VERSIONS = ['', '/v0', '/v1']
const PNG = Buffer.of(0x89, 0x50, 0x4e, 0x47)

describe('every address has every version', () => {
  it.each([
    ['', 'text/html; charset=utf-8'],
    ['/pdf', 'application/pdf'],
    ['/png', 'image/png'],
    ['/link/qrcode', 'image/png'],
    ['/documents', 'application/json; charset=utf-8'],
  ])('the receipt%s is %s', async (suffix, type) => {
    for (const version of VERSIONS) {
      for (const path of [pathOf(pair), pathOf(pair).toUpperCase()]) {
        const answer = await desk.open(`${version}${path}${suffix}`)
        expect([answer.statusCode, answer.headers['content-type']], version + suffix).toEqual([
          200,
          type,
        ])
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    }
  })

  it('PDF and PNG are what they are called', async () => {
    expect((await desk.open(`${pathOf(pair)}/pdf`)).rawPayload.subarray(0, 5).toString()).toBe(
      '%PDF-',
    )
    expect((await desk.open(`${pathOf(pair)}/png`)).rawPayload.subarray(0, 4)).toEqual(PNG)
    expect((await desk.open(`${pathOf(pair)}?format=pdf`)).headers['content-type']).toBe(
      'application/pdf',
    )
  })

  it('the code of the link marks nothing', async () => {
    const one = await desk.issued()
    await desk.open(`${pathOf(one)}/link/qrcode`)
    await desk.open(`${pathOf(one)}/documents`)
    await desk.open(`/v0/print${pathOf(one)}`)
    expect((await desk.deliveries(one)).Items).toEqual([])
  })

  it('a page of another origin may read it, unless that is off', async () => {
    const origin = 'https://shop.example'
    const { headers } = await desk.open(pathOf(pair), { origin })
    expect(headers['access-control-allow-origin']).toBe(origin)
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    const closed = await startServer(desk.shop, { possystemCors: false })
    const answer = await closed.app.inject({ url: pathOf(pair), headers: { origin } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    await closed.close()
  })

  it.each([
    ['', 'GET, HEAD, PUT'],
    ...['/pdf', '/png', '/link/qrcode', '/documents'].map((suffix) => [suffix, 'GET, HEAD']),
  ])('other methods at …%s are refused in the form of the group: %s', async (suffix, allow) => {
    const methods = ['POST', 'PATCH', 'DELETE', ...(suffix === '' ? [] : ['PUT'])]
    for (const version of VERSIONS) {
      for (const one of [pair, nowhere()]) {
        for (const method of methods as ('POST' | 'PUT')[]) {
          const url = version + pathOf(one) + suffix
          const answer = await desk.shop.app.inject({ method, url, payload: '{' })
          expect([answer.statusCode, answer.headers.allow], `${method} ${url}`).toEqual([
            405,
            allow,
          ])
          expect(answer.json()).toMatchObject({ status: '405', code: 'method_not_allowed' })
        }
      }
    }
  })

  it('a browser that asks for a page of elsewhere is told what it may send', async () => {
    const asks = (app: FastifyInstance, headers: Record<string, string>) =>
      app.inject({ method: 'OPTIONS', url: `${pathOf(pair)}/png`, headers })
    const origin = 'https://app.example'
    const question = { origin, 'access-control-request-method': 'GET' }
    const answer = await asks(desk.shop.app, question)
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe(origin)
    const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase()
    expect(allowed.split(', ')).toEqual(expect.arrayContaining(['x-app-id', 'x-print-width']))
    expect((await asks(desk.shop.app, {})).statusCode).toBe(405)
    const closed = await startServer(desk.shop, { possystemCors: false })
    expect((await asks(closed.app, question)).statusCode).toBe(405)
    await closed.close()
  })
})

describe('what is not there', () => {
  const suffixes = ['', '/pdf', '/png', '/link/qrcode', '/documents']

  it('is 404 with a ProblemBody for programs, the same for unknown and only signed', async () => {
    const signed = await signedPair(desk.shop)
    for (const suffix of suffixes) {
      const bodies = new Set<string>()
      for (const one of [nowhere(), signed]) {
        const answer = await desk.open(pathOf(one) + suffix, { accept: 'image/webp,*/*' })
        expect(answer.statusCode, suffix).toBe(404)
        expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
        const { detail, instance, ...rest } = answer.json<Record<string, string>>()
        bodies.add(JSON.stringify([Object.keys(answer.headers).sort(), rest]))
        expect(`${detail}${instance}`).toContain(one.queueItemId)
      }
      expect([...bodies], suffix).toHaveLength(1)
    }
  })

  it('sends a browser to the information page, at two ids only, kept by nobody', async () => {
    for (const version of VERSIONS) {
      const answer = await desk.open(version + pathOf(nowhere()))
      expect([answer.statusCode, answer.headers.location]).toEqual([301, '/receipt-information'])
      expect(answer.headers['cache-control']).toBe('no-store')
      expect((await desk.open(`${version}/receipt-information`)).statusCode).toBe(200)
    }
    for (const suffix of suffixes.slice(1)) {
      expect((await desk.open(pathOf(nowhere()) + suffix)).statusCode, suffix).toBe(404)
    }
    expect((await desk.open(`${pathOf(nowhere())}?format=pdf`)).statusCode).toBe(404)
    const image = { accept: 'image/png, text/html;q=0.5' }
    expect((await desk.open(pathOf(nowhere()), image)).statusCode).toBe(404)
  })

  it('is there as soon as it is issued, under the same address', async () => {
    const one = await signedPair(desk.shop)
    expect((await desk.open(pathOf(one))).statusCode).toBe(301)
    await desk.till('POST', '/v2/issue', one.body)
    expect((await desk.open(pathOf(one))).statusCode).toBe(200)
  })

  it('an id that is none is 404', async () => {
    for (const path of [`/${pair.queueId}/x`, `/v1/x/${pair.queueItemId}`, `${pathOf(pair)}0`]) {
      expect((await desk.open(path, { accept: '*/*' })).statusCode, path).toBe(404)
    }
  })

  it('a browser with an address that was cut off or mistyped gets the page, with 404', async () => {
    const whole = pathOf(pair)
    const cut = [-1, 40, 20].map((end) => whole.slice(0, end))
    for (const path of [...cut, '/mine/x']) {
      for (const version of VERSIONS) {
        const answer = await desk.open(version + path, { 'accept-language': 'fr' })
        expect([answer.statusCode, answer.headers['content-language']], path).toEqual([404, 'fr'])
        expect(answer.body).toContain('Ce ticket n’existe pas ici.')
        expect(answer.headers['cache-control']).toBe('no-store')
        const program = await desk.open(version + path, { accept: 'application/json' })
        expect([program.statusCode, program.headers['content-type']]).toEqual([
          ...[404, 'application/json; charset=utf-8'],
        ])
      }
    }
    for (const path of ['/docs/nothing', '/api/nothing', '/v2/nothing', '/json/nothing']) {
      const answer = await desk.open(path)
      expect([answer.statusCode, answer.body.startsWith('{')], path).toEqual([404, true])
    }
  })

  it('no host of a caller is repeated in a redirect, PUBLIC_URL is', async () => {
    const evil = { host: 'evil.example' }
    const answer = await desk.open(pathOf(nowhere()), evil)
    expect(answer.headers.location).toBe('/receipt-information')
    const named = await startServer(desk.shop, { PUBLIC_URL: 'https://r.example/base/' })
    const sent = await named.app.inject({
      url: pathOf(nowhere()),
      headers: { ...evil, accept: CHROME },
    })
    expect(sent.headers.location).toBe('https://r.example/base/receipt-information')
    await named.close()
  })
})

describe('the first address', () => {
  it('welcomes a browser and sends everybody else to the information page', async () => {
    for (const version of ['/', '/v1', '/v0/']) {
      const page = await desk.open(version)
      expect([page.statusCode, page.body.includes('npx fiskalwerk demo')], version).toEqual([
        200,
        true,
      ])
      const other = await desk.open(version, { accept: '*/*' })
      expect([other.statusCode, other.headers.location]).toEqual([301, '/receipt-information'])
    }
  })

  it('stays the welcome page where receipts are mounted elsewhere', async () => {
    const other = await startServer(desk.shop, { MOUNT_RECEIPT: '/bon' })
    const get = (url: string) => other.app.inject({ url, headers: { accept: CHROME } })
    expect((await get('/')).statusCode).toBe(200)
    expect((await get(`/bon/?c=${codeOf(pair)}`)).body).toContain('Melange')
    expect((await get(`/bon${pathOf(nowhere())}`)).headers.location).toBe(
      '/bon/receipt-information',
    )
    expect((await get('/bon/receipt-information')).statusCode).toBe(200)
    await other.close()
  })
})

describe('an opening', () => {
  it('answered by 304 counts like the 200 that it stands for', async () => {
    const one = await desk.issued()
    const first = await desk.open(pathOf(one))
    const etag = String(first.headers.etag)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    expect(etag).toMatch(/^"[\w-]{22,}"$/)
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await desk.open(pathOf(one), { 'if-none-match': tag })
      expect([again.statusCode, again.body, again.headers.etag], tag).toEqual([304, '', etag])
      expect(again.headers['cache-control']).toBe('private, no-cache')
      expect(again.headers['content-type']).toBeUndefined()
    }
    const other = await desk.open(pathOf(one), { 'if-none-match': '"x"' })
    expect([other.statusCode, other.body]).toEqual([200, first.body])
    expect((await desk.deliveries(one)).Count).toBe(6)
  })

  it('has another tag in another format and language', async () => {
    const tagOf = async (suffix: string, language: string) =>
      (await desk.open(pathOf(pair) + suffix, { 'accept-language': language })).headers.etag
    const tags = [
      await tagOf('', 'de'),
      await tagOf('', 'en'),
      await tagOf('?format=txt', 'de'),
      await tagOf('/png', 'de'),
      await tagOf('/pdf', 'de'),
    ]
    expect(new Set(tags).size).toBe(tags.length)
    expect(await tagOf('', 'de')).toBe(tags[0])
  })

  it.each(['', '/png', '/pdf', '?format=txt'])('of the receipt%s is a view', async (suffix) => {
    const one = await desk.issued()
    await desk.open(pathOf(one) + suffix)
    expect(await desk.deliveries(one)).toMatchObject({ Count: 1, Items: [{ Kind: 'customer' }] })
  })

  it.each(['', '/png', '/pdf'])('by an app, of the receipt%s, is only noted', async (suffix) => {
    const one = await desk.issued()
    const appId = 'c719b59a-9ff0-491a-98a1-030776d8c46f'
    await desk.open(`${pathOf(one)}${suffix}?AppId=${appId}`)
    await desk.open(`${pathOf(one)}${suffix}?appid=${appId.toUpperCase()}`)
    await desk.open(`${pathOf(one)}${suffix}`, { 'x-app-id': appId })
    expect(await desk.deliveries(one)).toMatchObject({
      Count: 0,
      Items: [{ AppId: appId }, { AppId: appId }, { AppId: appId }],
    })
  })

  it('HEAD has the headers of GET and is nobody', async () => {
    const one = await desk.issued()
    const head = await desk.open(pathOf(one), {}, 'HEAD')
    expect([head.statusCode, head.body, head.headers.etag !== undefined]).toEqual([200, '', true])
    for (const path of ['/png', '/pdf', '/link/qrcode']) {
      expect((await desk.open(pathOf(one) + path, {}, 'HEAD')).statusCode, path).toBe(200)
    }
    expect((await desk.open(`/?c=${codeOf(one)}`, {}, 'HEAD')).statusCode).toBe(200)
    expect((await desk.deliveries(one)).Items).toEqual([])
  })

  it('robots are those of the setting', async () => {
    const other = await startServer(desk.shop, { previewAgents: ['looker'] })
    const one = await desk.issued()
    for (const agent of ['my-looker/2', 'WhatsApp/2']) {
      await other.app.inject({ url: pathOf(one), headers: { 'user-agent': agent } })
    }
    await other.close()
    expect(await desk.deliveries(one)).toMatchObject({
      Count: 1,
      Items: [{ Kind: 'customer' }, { Kind: 'robot' }],
    })
  })

  it('many at once are counted one by one', async () => {
    const one = await desk.issued()
    const paths = Array.from(
      { length: 40 },
      (_, at) => `${pathOf(one)}${at % 2 ? '?format=txt' : ''}`,
    )
    const answers = await Promise.all(paths.map((path) => desk.open(path)))
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect((await desk.deliveries(one)).Count).toBe(40)
  })
})
