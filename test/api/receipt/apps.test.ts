// Third-party apps: readers are sent to registered addresses and to no other, and only the right
// secret opens anything.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isShareUrl, removeApp, shareAddress } from '../../../src/core/receipts/apps.js'
import { codeOf, codeOfTag } from '../../../src/core/receipts/link.js'
import { startServer } from '../../support/app.js'
import type { Pair } from '../../support/pairs.js'
import {
  type App,
  CHROME,
  openReceiptDesk,
  pathOf,
  type ReceiptDesk,
} from '../../support/receipt-desk.js'
import { signedPair } from '../../support/signed-pair.js'

const BASE = 'https://r.example'
const SHARE = 'https://app.example/in?src=ft'

let desk: ReceiptDesk
let pair: Pair
let app: App
beforeAll(async () => {
  desk = await openReceiptDesk({ PUBLIC_URL: BASE, RATE_LIMITS: 'credentials=5' })
  app = await desk.app('Wallet', SHARE)
  pair = await desk.issued()
})
afterAll(() => desk.close())

describe('an address of a receipt within an address of an app', () => {
  it('is percent-encoded behind ? or &, in front of a fragment', () => {
    const uri = `${BASE}/c719b59a-9ff0-491a-98a1-030776d8c46f/f838d7c8-3113-4c3a-914a-46d7de555d11`
    const encoded =
      'https%3A%2F%2Fr.example%2Fc719b59a-9ff0-491a-98a1-030776d8c46f%2F' +
      'f838d7c8-3113-4c3a-914a-46d7de555d11'
    const shared = (url: string) => shareAddress(url, uri)
    expect(shared(SHARE)).toBe(`${SHARE}&serviceReceiptUri=${encoded}`)
    expect(shared('https://a.example')).toBe(`https://a.example?serviceReceiptUri=${encoded}`)
    expect(shared('https://a.example/?')).toBe(`https://a.example/?serviceReceiptUri=${encoded}`)
    expect(shared('https://a.example/#x')).toBe(`https://a.example/?serviceReceiptUri=${encoded}#x`)
  })

  it.each([
    ['https://a.example/', true, true],
    ['http://a.example/', true, false],
    ['javascript:alert(1)', false, false],
    ['ftp://a.example/', false, false],
    ['//a.example/', false, false],
    ['https://user:pass@a.example/', false, false],
    ['https://a.example/\r\nset-cookie: x', false, false],
    ['https://a.example/ x', false, false],
  ])('%j may be registered: %s in the sandbox, %s in production', (url, sandbox, production) => {
    expect([isShareUrl(url, false), isShareUrl(url, true)]).toEqual([sandbox, production])
  })
})

describe('a redirect to an app', () => {
  beforeAll(() => desk.settings({ feedbackRedirectAppId: app.appId }))
  afterAll(() => desk.settings({ feedbackRedirectAppId: null }))

  const target = (uri: string): string => `${SHARE}&serviceReceiptUri=${encodeURIComponent(uri)}`

  it.each(['', '/png', '/pdf'])('is where the receipt%s leads, and counts', async (suffix) => {
    const one = await desk.issued()
    for (const version of ['', '/v1']) {
      const answer = await desk.open(version + pathOf(one) + suffix)
      expect([answer.statusCode, answer.headers.location]).toEqual([
        301,
        target(BASE + pathOf(one)),
      ])
      expect(answer.headers['cache-control']).toBe('no-store')
    }
    expect(await desk.deliveries(one)).toMatchObject({ Count: 2 })
  })

  it('is not for apps, nor for other formats, nor for HEAD to count', async () => {
    const one = await desk.issued()
    const unknown = 'c719b59a-9ff0-491a-98a1-030776d8c46f'
    expect((await desk.open(`${pathOf(one)}?AppId=${app.appId}`)).statusCode).toBe(200)
    expect((await desk.open(`${pathOf(one)}?AppId=${unknown}`)).statusCode).toBe(200)
    expect((await desk.open(pathOf(one), { 'x-app-id': app.appId })).statusCode).toBe(200)
    expect((await desk.open(pathOf(one), { accept: 'text/plain' })).statusCode).toBe(200)
    expect((await desk.open(pathOf(one), {}, 'HEAD')).statusCode).toBe(301)
    expect(await desk.deliveries(one)).toMatchObject({ Count: 1 })
  })

  it('does not catch who came back from the app: PDF and PNG of that page stay', async () => {
    const one = await desk.issued()
    for (const [path, headers] of [
      [`?AppId=${app.appId.toUpperCase()}`, {}],
      ['', { 'x-app-id': app.appId }],
    ] as const) {
      const { body } = await desk.open(pathOf(one) + path, headers)
      const found = body.matchAll(/href="([^"]+\/(?:pdf|png)[^"]*)"/g)
      const links = [...found].map(([, link]) => link)
      const own = `${BASE}${pathOf(one)}`
      expect(links).toEqual([`${own}/pdf?AppId=${app.appId}`, `${own}/png?AppId=${app.appId}`])
      for (const link of links) {
        expect((await desk.open(String(link).slice(BASE.length))).statusCode).toBe(200)
      }
    }
    expect((await desk.deliveries(one)).Count).toBe(0)
  })

  it('of a short link names the two ids, of a label the label', async () => {
    const tag = 'https://x.example/?tag=give%20away'
    const one = await signedPair(desk.shop, {
      ftReceiptCaseData: JSON.stringify(JSON.stringify({ ReceiptTag: tag })),
    })
    await desk.till('POST', '/v2/issue', one.body)
    const locationOf = async (path: string) => (await desk.open(path)).headers.location
    expect(await locationOf(`/?c=${codeOf(one)}`)).toBe(target(BASE + pathOf(one)))
    for (const path of ['/?tag=give%20away', `/?c=${codeOfTag('give away')}`]) {
      expect(await locationOf(path)).toBe(target(`${BASE}/?tag=give%20away`))
    }
  })

  it('nothing that a reader sends changes where it leads', async () => {
    const { headers } = await desk.open(
      `${pathOf(pair)}?serviceReceiptUri=https://evil.example&redirect=https://evil.example`,
      { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    )
    expect(headers.location).toBe(target(BASE + pathOf(pair)))
  })

  it('ends with the app, needs an address, and https in production', async () => {
    const gone = await desk.app('Gone', 'https://gone.example/')
    await desk.settings({ feedbackRedirectAppId: gone.appId })
    expect((await desk.open(pathOf(pair))).statusCode).toBe(301)
    await removeApp(desk.shop.deps.store, gone.appId)
    expect((await desk.open(pathOf(pair))).statusCode).toBe(200)
    const silent = await desk.app('Silent')
    await desk.settings({ feedbackRedirectAppId: silent.appId })
    expect((await desk.open(pathOf(pair))).statusCode).toBe(200)
    const plain = await desk.app('Plain', 'http://plain.example/')
    await desk.settings({ feedbackRedirectAppId: plain.appId })
    expect((await desk.open(pathOf(pair))).statusCode).toBe(301)
    const strict = await startServer(desk.shop, {
      ENVIRONMENT: 'production',
      ALLOW_SOFTWARE_DEVICES: 'true',
    })
    const answer = await strict.app.inject({ url: pathOf(pair), headers: { accept: CHROME } })
    expect(answer.statusCode).toBe(200)
    await strict.close()
    await desk.settings({ feedbackRedirectAppId: app.appId })
  })
})

describe('share buttons', () => {
  it('lead to the registered addresses of the apps of the settings', async () => {
    const other = await desk.app('Ordner <b>', 'https://folder.example/')
    const ids = [other.appId, app.appId, 'c719b59a-9ff0-491a-98a1-030776d8c46f']
    await desk.settings({ shareButtonAppIds: ids })
    const { body } = await desk.open(pathOf(pair))
    const hrefs = [...body.matchAll(/href="(https:[^"]*serviceReceiptUri[^"]*)"/g)].map(
      ([, href]) => href?.replaceAll('&amp;', '&'),
    )
    const uri = encodeURIComponent(BASE + pathOf(pair))
    expect(hrefs).toEqual([
      `https://folder.example/?serviceReceiptUri=${uri}`,
      `${SHARE}&serviceReceiptUri=${uri}`,
    ])
    expect(body).not.toContain('<b>')
    await desk.settings({ shareButtonAppIds: null })
  })
})

describe('the secret of an app', () => {
  const body = { Action: 'view' }

  it.each([
    ['nothing', () => ({})],
    ['no secret', () => ({ appId: app.appId })],
    ['no id', () => ({ appSecret: app.appSecret })],
    ['a wrong secret', () => ({ appId: app.appId, appSecret: `${app.appSecret}x` })],
    ['another case', () => ({ appId: app.appId, appSecret: app.appSecret.toLowerCase() })],
    ['an unknown app', () => ({ ...app, appId: 'c719b59a-9ff0-491a-98a1-030776d8c46f' })],
    ['an id that is none', () => ({ ...app, appId: "' or true" })],
  ])('%s: 401, the same for all, before anything is read', async (_name, credentials) => {
    const one = await desk.issued()
    const answer = await desk.act(one, credentials(), '{ broken')
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toMatchObject({
      status: '401',
      code: 'unauthorized',
      detail: 'The headers X-App-Id and X-App-Secret are needed, and must belong together.',
    })
    expect((await desk.deliveries(one)).Items).toEqual([])
  })

  it('may be guessed five times a minute, and the right one passes after that', async () => {
    const guessed = await desk.app('Guessed')
    const statuses: number[] = []
    for (let at = 0; at < 8; at += 1) {
      const answer = await desk.act(pair, { ...guessed, appSecret: `guess${at}` }, body)
      statuses.push(answer.statusCode)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect((await desk.act(pair, guessed, body)).statusCode).toBe(204)
  })

  it('of a removed app opens nothing', async () => {
    const gone = await desk.app('Removed')
    expect((await desk.act(pair, gone, body)).statusCode).toBe(204)
    expect((await removeApp(desk.shop.deps.store, gone.appId)).appId).toBe(gone.appId)
    expect((await desk.act(pair, gone, body)).statusCode).toBe(401)
    await expect(removeApp(desk.shop.deps.store, gone.appId)).rejects.toThrow(/no receipt app/)
  })

  it('is nowhere in the database in plain text', async () => {
    const { rows } = await desk.shop.deps.store.pool.query<{ text: string }>(
      'select a::text as text from receipt_app a',
    )
    const hex = Buffer.from(app.appSecret).toString('hex')
    for (const { text } of rows) {
      expect(text).not.toContain(app.appSecret)
      expect(text).not.toContain(hex)
    }
  })
})
