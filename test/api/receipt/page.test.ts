// The page behind DocumentURL: whoever has the address reads the receipt, and only a reader counts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../support/app.js'
import { type Desk, openDesk } from '../../support/issue-desk.js'
import { type Pair, unknownPair } from '../../support/pairs.js'
import { openShop, type Shop } from '../../support/shop.js'
import { signedPair } from '../../support/signed-pair.js'

let shop: Shop
let desk: Desk
let pair: Pair
beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '4' }, undefined, { countries: ['AT'] })
  desk = await openDesk(shop)
  pair = await signedPair(shop)
  expect((await desk.post('/issue', pair.body)).status).toBe(201)
})
afterAll(async () => {
  await desk.close()
  await shop.close()
})

const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/png,*/*;q=0.8'

async function open(
  path: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) {
  return shop.app.inject({ method, url: path, headers: { accept: CHROME, ...headers } })
}
const pathOf = ({ queueId, queueItemId }: Pair): string => `/${queueId}/${queueItemId}`

async function countOf({ queueId, queueItemId }: Pair): Promise<[unknown, number]> {
  const answer = (await desk.get(`/issue/${queueId}/${queueItemId}/deliveries`)).json()
  return [answer.Count, Object(answer.Items).length as number]
}

async function fresh(members?: Parameters<typeof unknownPair>[0]): Promise<Pair> {
  const one = members === undefined ? await signedPair(shop) : unknownPair(members)
  expect((await desk.post('/issue', one.body)).status).toBe(201)
  return one
}

describe('the page', () => {
  it('shows merchant, items, total, VAT, payment and code, and loads nothing', async () => {
    const answer = await open(pathOf(pair))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    const text = answer.body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
    for (const part of ['Café Demo', 'Demogasse 1', '1010 Wien', 'Melange', '4,90 €', 'Bar']) {
      expect(text).toContain(part)
    }
    // 4.90 at 20 %: 4.08 and 0.82 (14.6: net is rounded from the gross sum)
    expect(text).toContain('A 20 % 4,08 0,82 4,90')
    expect(text).toContain('ft')
    expect(answer.body).toContain('<svg class="qr"')
    // one script of ours, one block of data; addresses are links of this receipt only
    expect(answer.body.match(/<script[^>]*>/g)).toEqual([
      '<script type="application/ld+json">',
      '<script>',
    ])
    expect(answer.body.match(/<link[^>]*>/g)).toEqual([expect.stringMatching(/href="data:/)])
    expect(answer.body).not.toMatch(/<img|url\(|@import|src=/)
    expect(answer.body).toContain('<html lang="de">')
  })

  it('has headers that keep it private and let nothing run', async () => {
    const { headers } = await open(pathOf(pair))
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'content-language': 'de',
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['*/*', 'text/html'],
    ['application/json', 'text/html'],
    ['application/zip', 'text/html'],
    ['text/plain', 'text/plain'],
    ['text/plain;q=0.4, text/html', 'text/html'],
  ])('Accept %s gives %s', async (accept, type) => {
    const answer = await open(pathOf(pair), { accept })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      `${type}; charset=utf-8`,
    ])
  })

  it('?format=txt is text, ?format=json is no raw data', async () => {
    const text = await open(`${pathOf(pair)}?format=txt`)
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text.headers['x-print-width']).toBe('80mm')
    expect(text.body).toMatch(/^Summe +4,90\u00a0€$/m)
    const json = await open(`${pathOf(pair)}?format=json`)
    expect(json.headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it('comes in the language of the reader, where there is one', async () => {
    const english = await open(pathOf(pair), { 'accept-language': 'pl, en-US;q=0.8, de;q=0.5' })
    expect(english.body).toContain('<html lang="en">')
    expect(english.body).toContain('4.90\u00a0€')
    expect((await open(pathOf(pair), { 'accept-language': '*' })).body).toContain('lang="de"')
  })

  it('has the same address under /v0 and /v1, in any case, with a slash behind', async () => {
    for (const path of [
      `/v0${pathOf(pair)}`,
      `/V1${pathOf(pair)}`,
      pathOf(pair).toUpperCase(),
      `/${pathOf(pair)}/`,
    ]) {
      expect((await open(path)).statusCode, path).toBe(200)
    }
  })

  it('says of a pair that somebody sent that nobody has checked it', async () => {
    const external = await open(pathOf(await fresh({})))
    expect(external.body).toContain('nicht geprüft')
    expect((await open(pathOf(pair))).body).not.toContain('nicht geprüft')
  })

  it('stays under a prefix or a host name when it is mounted there', async () => {
    const other = await startServer(shop, { MOUNT_RECEIPT: 'r.example.com/bon' })
    const get = (host: string, url: string) => other.app.inject({ url, headers: { host } })
    expect((await get('r.example.com', `/bon${pathOf(pair)}`)).statusCode).toBe(200)
    expect((await get('pos.example.com', `/bon${pathOf(pair)}`)).statusCode).toBe(404)
    expect((await get('r.example.com', pathOf(pair))).statusCode).toBe(404)
    await other.close()
  })
})

describe('hostile receipts', () => {
  const evil = `<script>alert(1)</script>"' onload=x & \\u0000\\u001b[2J\\u202e`
  const items = (text: string): string => `[{"Description":"${text}","Amount":1}]`
  const escaped = evil.replaceAll('"', '\\"')

  it('no text of a receipt becomes markup, on the page or in its title', async () => {
    const data = `{"cbReceiptLines":["${escaped}"]}`
    const signature = `{"ftSignatureFormat":1,"Caption":"${escaped}","Data":"${escaped}"}`
    const one = await fresh({
      request:
        `{"cbChargeItems":${items(escaped)},"cbPayItems":${items(escaped)},` +
        `"cbReceiptReference":"<b>r</b>","cbTerminalID":"<i>","Currency":"<u>",` +
        `"cbCustomer":{"CustomerName":"${escaped}"},"ftReceiptCaseData":${data}}`,
      response:
        `"ftReceiptIdentification":"${escaped}","ftCashBoxIdentification":"${escaped}",` +
        `"ftReceiptHeader":["${escaped}"],"ftSignatures":[${signature}]`,
    })
    const { body } = await open(pathOf(one))
    const tags = new Set([...body.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name))
    const ours =
      'html head meta title style body main header p div h1 h2 dl dt dd table thead tbody tr th ' +
      'td small span br footer svg path section figure figcaption bdi ul li a button script ' +
      'link details summary form label input textarea h3'
    expect([...tags].filter((name) => !ours.split(' ').includes(String(name)))).toEqual([])
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onload=x &amp;')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(body).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    const text = await open(`${pathOf(one)}?format=txt`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(text.body).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(text.body).toContain('<script>alert(1)</script>')
  })

  it.each([
    [
      'members of wrong kinds',
      '{"cbChargeItems":{"a":1},"cbPayItems":7,"ftReceiptCase":"x"}',
      '"ftSignatures":"no","ftReceiptHeader":[1,{}]',
    ],
    [
      'items that are no objects',
      '{"cbChargeItems":[1,null,[]],"cbPayItems":["x"]}',
      '"ftSignatures":[null,1]',
    ],
    [
      'amounts that are none',
      '{"cbChargeItems":[{"Amount":"1e999","Quantity":0,"VATRate":-100}]}',
      '"ftReceiptMoment":"yesterday"',
    ],
    [
      'the greatest numbers',
      '{"cbChargeItems":[{"Amount":9999999999999999999999999999,"Quantity":1e-28,"VATRate":1e27}]}',
      '"ftReceiptMoment":"9999-12-31T23:59:59Z"',
    ],
    [
      'codes that do not fit',
      '{}',
      `"ftSignatures":[{"ftSignatureFormat":3,"Data":"${'x'.repeat(5000)}"}]`,
    ],
    [
      'case data that is no JSON',
      '{"ftReceiptCaseData":"{broken","cbCustomer":"{"}',
      '"ftReceiptFooter":[null]',
    ],
  ])('%s are shown as far as they can be', async (_name, request, response) => {
    const one = await fresh({ request, response })
    for (const format of ['html', 'txt']) {
      expect((await open(`${pathOf(one)}?format=${format}`)).statusCode, format).toBe(200)
    }
  })

  it('hundreds of codes are drawn only a few times', async () => {
    const item = '{"ftSignatureFormat":3,"Data":"_R1-AT0_x"}'
    const response = `"ftSignatures":[${Array.from({ length: 500 }, () => item).join(',')}]`
    const { body } = await open(pathOf(await fresh({ response })))
    expect(body.match(/<svg/g)).toHaveLength(4)
    expect(body.match(/_R1-AT0_x/g)).toHaveLength(496)
  })
})

describe('who counts as a reader', () => {
  it('a GET by a person: once each time', async () => {
    const one = await fresh()
    await open(pathOf(one))
    await open(pathOf(one))
    expect(await countOf(one)).toEqual([2, 2])
  })

  it.each([
    ['purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['x-moz', 'prefetch'],
  ])('%s: %s is nobody', async (name, value) => {
    const one = await fresh()
    expect((await open(pathOf(one), { [name]: value })).statusCode).toBe(200)
    expect(await countOf(one)).toEqual([0, 0])
  })

  it('HEAD is nobody', async () => {
    const one = await fresh()
    const answer = await open(pathOf(one), {}, 'HEAD')
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(await countOf(one)).toEqual([0, 0])
  })

  it.each([
    'WhatsApp/2.23.20.0',
    'facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'TelegramBot (like TwitterBot)',
    'LinkedInBot/1.0',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 SkypeUriPreview Preview/0.5',
  ])('%s is listed as robot and does not count', async (agent) => {
    const one = await fresh()
    await open(pathOf(one), { 'user-agent': agent })
    expect(await countOf(one)).toEqual([0, 1])
  })

  it('an unknown app does not count, a value that is no uuid is no app', async () => {
    const one = await fresh()
    await open(`${pathOf(one)}?AppId=c719b59a-9ff0-491a-98a1-030776d8c46f`)
    expect(await countOf(one)).toEqual([0, 1])
    await open(`${pathOf(one)}?AppId=none`)
    expect(await countOf(one)).toEqual([1, 2])
  })
})

describe('what is not there', () => {
  it('a browser is sent to a page in its language, a program gets the ProblemBody', async () => {
    const missing = unknownPair()
    const sent = await open(pathOf(missing))
    expect(sent.statusCode).toBe(301)
    expect(sent.headers).toMatchObject({
      location: '/receipt-information',
      'cache-control': 'no-store',
    })
    const page = await open(String(sent.headers.location), { 'accept-language': 'de' })
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('Diesen Beleg gibt es hier nicht.')
    const refusal = await open(pathOf(missing), { accept: 'text/plain' })
    expect([refusal.statusCode, refusal.json().code]).toEqual([404, 'not_found'])
    expect(refusal.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  })

  it('a receipt that is only signed is unknown', async () => {
    const path = pathOf(await signedPair(shop))
    expect((await open(path)).statusCode).toBe(301)
    expect((await open(path, { accept: '*/*' })).statusCode).toBe(404)
  })
})

describe('the other groups', () => {
  it('keep every address that they had', async () => {
    const { queueId } = shop.box
    for (const path of [`/${queueId}/sign`, `/${queueId}/json/v1/echo`, `/${queueId}/journal`]) {
      expect((await open(path)).statusCode, path).toBe(405)
    }
    const echo = await shop.app.inject({
      method: 'POST',
      url: `/${queueId}/echo`,
      headers: { cashboxid: shop.box.cashBoxId, accesstoken: shop.box.accessToken },
      payload: '"x"',
    })
    expect([echo.statusCode, echo.body]).toEqual([200, '"x"'])
    for (const path of ['/', '/docs', '/health', '/version']) {
      expect((await open(path)).statusCode, path).toBe(200)
    }
    const program = async (url: string) => {
      const answer = await shop.app.inject({ url, headers: { accept: '*/*' } })
      return [answer.statusCode, answer.json().code]
    }
    expect(await program(`/${queueId}/not-an-id`)).toEqual([404, 'ROUTE_UNKNOWN'])
    expect(await program(`/${queueId}`)).toEqual([405, 'METHOD_WRONG'])
    const reader = await shop.app.inject({ url: `/${queueId}`, headers: { accept: 'text/html' } })
    expect([reader.statusCode, reader.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
  })
})
