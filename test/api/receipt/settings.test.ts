// How a merchant's receipts look: set by the cash box for a queue, or for the whole operator; what
// is set is on the page, and nothing of it can do anything there.
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  operatorKey,
  readSettings,
  writeSettings,
} from '../../../src/core/receipts/branding/settings.js'
import { headersOf } from '../../support/app.js'
import { type Desk, openDesk } from '../../support/issue-desk.js'
import type { Pair } from '../../support/pairs.js'
import { openShop, type Shop } from '../../support/shop.js'
import { signedPair } from '../../support/signed-pair.js'

let shop: Shop
let desk: Desk
let pair: Pair
beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '4' })
  desk = await openDesk(shop)
  pair = await signedPair(shop)
  expect((await desk.post('/issue', pair.body)).status).toBe(201)
})
afterAll(async () => {
  await desk?.close()
  await shop?.close()
})

const CHROME = 'text/html,application/xhtml+xml,*/*;q=0.8'

async function post(body: unknown, options: { queueId?: string; path?: string } = {}) {
  const { queueId = shop.box.queueId, path = '/v1/configuration' } = options
  return shop.app.inject({
    method: 'POST',
    url: `${path}/${queueId}/receiptsettings`,
    headers: { ...headersOf(shop.box), 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function page(language = 'de'): Promise<string> {
  const answer = await shop.app.inject({
    url: `/${pair.queueId}/${pair.queueItemId}`,
    headers: { accept: CHROME, 'accept-language': language },
  })
  expect(answer.statusCode).toBe(200)
  return answer.body
}

function picture(width = 300, height = 150): string {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#123456'
  context.fillRect(0, 0, width, height)
  return `data:image/png;base64,${canvas.toBuffer('image/png').toString('base64')}`
}

const ALL_OFF = {
  ...{ name1Text: null, address1Text: null, address1PostalCode: null, address1City: null },
  ...{ vat: null, logourl: null, logowidth: null, footertext: null, website: null },
  ...{ primaryColor: null, backgroundColor: null, printBewirtungsBeleg: null, layout_html: null },
}

describe('settings of a queue', () => {
  it('are on the page at once, in the place of the outlet', async () => {
    expect(await page()).toContain('Demogasse 1')
    const answer = await post({
      ...{ name1Text: 'Kaffeehaus Demo GmbH', address1Text: 'Ring 5', address1PostalCode: '1020' },
      ...{ address1City: 'Wien', vat: 'ATU11111111', footertext: 'Bis bald\nMo bis Sa' },
      ...{ website: 'https://demo.example/', primaryColor: '#FFFFFF', backgroundColor: '#7a1f2b' },
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ name1Text: 'Kaffeehaus Demo GmbH', vat: 'ATU11111111' })
    const html = await page()
    const parts = [
      ...['Kaffeehaus Demo GmbH', 'Ring 5', '1020 Wien', 'ATU11111111', 'Bis bald\nMo bis Sa'],
      ...['href="https://demo.example/"', 'background:#7a1f2b;color:#ffffff'],
    ]
    for (const part of parts) expect(html).toContain(part)
    expect(html).not.toContain('Demogasse')
    await post(ALL_OFF)
    expect(await page()).toContain('Demogasse 1')
  })

  it('are merged: what is not named stays, null takes away, names in any case', async () => {
    await post({ name1Text: 'A', vat: 'ATU1' })
    const answer = await post({ NAME1TEXT: 'B', footertext: 'x' })
    expect(answer.json()).toEqual({ name1Text: 'B', vat: 'ATU1', footertext: 'x' })
    expect((await post({ vat: null, name1Text: '' })).json()).toEqual({ footertext: 'x' })
    expect((await post({ footertext: null })).json()).toEqual({})
  })

  it('two changes at once are both kept', async () => {
    const names = ['name1Text', 'vat', 'footertext', 'address1City', 'address1Text', 'Country']
    await Promise.all(names.map((name) => post({ [name]: name })))
    const all = (await post({})).json<Record<string, string>>()
    expect(Object.keys(all).sort()).toEqual([...names].sort())
    await post(Object.fromEntries(names.map((name) => [name, null])))
  })

  it.each(['/configuration', '/v0/configuration', '/V1/Configuration'])(
    'at %s too',
    async (path) => {
      expect((await post({}, { path })).statusCode).toBe(200)
    },
  )

  it('a logo is on the page, small, with the name of the merchant as its text', async () => {
    const answer = (await post({ logourl: picture(), logowidth: 150 })).json()
    expect(answer.logourl).toMatch(/^data:image\/png;base64,/)
    const html = await page()
    expect(html).toContain(`<img src="${answer.logourl}" alt="Café Demo"`)
    expect(html).toContain('width="150" height="75">')
    expect(Buffer.byteLength(html)).toBeLessThan(60_000)
    await post(ALL_OFF)
    expect(await page()).not.toContain('<img')
  })

  it('the form for the expenses of hospitality is appended', async () => {
    await post({ printBewirtungsBeleg: 'true' })
    expect(await page()).toContain('Bewirtete Personen')
    await post(ALL_OFF)
  })

  it('layout_html is kept and answered, and never on a page', async () => {
    const layout = '<script>alert("layout-marker")</script>'
    expect((await post({ layout_html: layout })).json()).toEqual({ layout_html: layout })
    expect(await page()).not.toContain('layout-marker')
    await post(ALL_OFF)
  })

  it('markup in every text stays text', async () => {
    const evil = '"><script>alert(1)</script>'
    await post({ name1Text: evil, address1City: evil, vat: evil, footertext: evil })
    const html = await page()
    expect(html).not.toContain(evil)
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)')
    await post(ALL_OFF)
  })
})

describe('what is refused changes nothing', () => {
  it.each([
    ['colours that cannot be read', { primaryColor: '#777777' }],
    ['a pair that cannot be read', { primaryColor: '#ff0000', backgroundColor: '#880000' }],
    ['a colour that is none', { primaryColor: 'red;background:url(x)' }],
    ['a short colour', { backgroundColor: '#fff' }],
    ['an address with a script', { website: 'javascript:alert(1)' }],
    ['an address without scheme', { website: 'demo.example' }],
    ['an address with a password', { website: 'https://a:b@demo.example' }],
    ['a logo from inside', { logourl: 'http://127.0.0.1:1/x.png' }],
    ['a logo from a cloud', { logourl: 'http://169.254.169.254/latest' }],
    ['a logo that is no picture', { logourl: 'data:text/html;base64,eA==' }],
    ['a width of nothing', { logowidth: 0 }],
    ['a width of a wall', { logowidth: 5000 }],
    ['an app that is none', { feedbackRedirectAppId: 'x' }],
    ['too many apps', { shareButtonAppIds: Array.from({ length: 11 }, () => 'x') }],
    ['a text that is too long', { name1Text: 'x'.repeat(201) }],
    ['a control character', { footertext: 'a\u0007b' }],
    ['a number for a text', { name1Text: 7 }],
    ['a word for a switch', { showFeedback: 'maybe' }],
    ['a list', [1]],
    ['a text', '"x"'],
    ['no JSON', '{'],
  ])('%s', async (_what, body) => {
    const answer = await post(body)
    expect(answer.statusCode).toBe(400)
    expect((await post({})).json()).toEqual({})
  })

  it('unknown properties have no effect', async () => {
    const body = '{"accountId":"x","version":"y","__proto__x":1,"logo":"z","toString":"t"}'
    expect((await post(body)).json()).toEqual({})
  })
})

describe('who may', () => {
  it('without or with wrong credentials nobody: 401', async () => {
    const url = `/v1/configuration/${shop.box.queueId}/receiptsettings`
    const { cashboxid, accesstoken } = headersOf(shop.box)
    for (const headers of [{}, { cashboxid }, { cashboxid, accesstoken: 'wrong' }]) {
      const answer = await shop.app.inject({ method: 'POST', url, headers, payload: {} })
      expect(answer.statusCode).toBe(401)
    }
    expect(accesstoken).not.toBe('')
  })

  it('a queue of another cash box looks like one that does not exist: 404', async () => {
    const other = shop.demo.cashBoxes.find(({ market }) => market !== 'AT')
    expect(other).toBeDefined()
    const foreign = await post({ name1Text: 'x' }, { queueId: other?.queueId ?? '' })
    const unknown = await post({}, { queueId: 'c719b59a-9ff0-491a-98a1-030776d8c46f' })
    expect([foreign.statusCode, unknown.statusCode]).toEqual([404, 404])
    expect(foreign.json().code).toBe(unknown.json().code)
  })
})

describe('settings of a PosOperator', () => {
  const deps = () => shop.deps.receipt.settings
  const key = async () => {
    const found = await shop.deps.store.pool.query<{ account_id: string }>(
      'select account_id from queue where id = $1',
      [shop.box.queueId],
    )
    return operatorKey(found.rows[0]?.account_id ?? '')
  }

  it('fill in what the queue leaves open', async () => {
    const write = async (body: unknown, how: 'merge' | 'replace' = 'merge') =>
      writeSettings(deps(), { key: await key(), body, how })
    await write({ name1Text: 'Operator', vat: 'ATU9', primaryColor: '#000000', logourl: picture() })
    await post({ name1Text: 'Queue', primaryColor: '#ffffff', backgroundColor: '#003366' })
    const html = await page()
    expect(html).toContain('<p class="name" dir="auto">Queue</p>')
    expect(html).toContain('ATU9')
    expect(html).toContain('<img')
    // never a colour of one with a colour of the other
    expect(html).toContain('background:#003366;color:#ffffff')
    await post(ALL_OFF)
    expect(await page()).toContain('<p class="name" dir="auto">Operator</p>')
    expect(Object.keys(await readSettings(deps(), await key())).sort()).toEqual([
      ...['logourl', 'name1Text', 'primaryColor', 'vat'],
    ])
    expect(await write({ vat: 'ATU8' }, 'replace')).toEqual({ vat: 'ATU8' })
    expect(await write({}, 'replace')).toEqual({})
    expect(await page()).toContain('Demogasse 1')
  })

  it('of an operator that has none are empty', async () => {
    const none = operatorKey('c719b59a-9ff0-491a-98a1-030776d8c46f')
    expect(await readSettings(deps(), none)).toEqual({})
  })
})
