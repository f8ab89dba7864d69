// Short links and labels over HTTP: what is signed must be signed right, and whatever is wrong
// leads to one and the same page.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, codeOfTag, rotateLinkKey } from '../../../src/core/receipts/link.js'
import { startServer } from '../../support/app.js'
import type { Pair } from '../../support/pairs.js'
import { nowhere, openReceiptDesk, pathOf, type ReceiptDesk } from '../../support/receipt-desk.js'
import { signedPair } from '../../support/signed-pair.js'

let desk: ReceiptDesk
let pair: Pair
beforeAll(async () => {
  desk = await openReceiptDesk()
  pair = await desk.issued()
})
afterAll(() => desk.close())

/** The path and query of the till's own short link. */
async function shortOf(one: Pair, query = ''): Promise<string> {
  const answer = await desk.till('GET', `/v2/issue${pathOf(one)}/link${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  const { pathname, search } = new URL(answer.json<{ ShortURL: string }>().ShortURL)
  return pathname + search
}

const changed = (link: string, name: string, value: string): string => {
  const url = new URL(link, 'http://x')
  url.searchParams.set(name, value)
  return url.pathname + url.search
}
const partOf = (link: string, name: string): string =>
  new URL(link, 'http://x').searchParams.get(name) ?? ''

async function isOpened(path: string): Promise<boolean> {
  const answer = await desk.open(path)
  if (answer.statusCode === 200) return true
  expect([answer.statusCode, answer.headers.location, answer.headers['cache-control']]).toEqual([
    301,
    '/receipt-information',
    'no-store',
  ])
  return false
}

describe('a link with c', () => {
  it('opens the receipt, signed or not, under every version, and counts as a view', async () => {
    const one = await desk.issued()
    const c = codeOf(one)
    for (const path of [`/?c=${c}`, `/v1?c=${c}`, `/v0/?c=${c}&AppId=none`]) {
      const answer = await desk.open(path)
      expect([answer.statusCode, answer.body.includes('Melange')], path).toEqual([200, true])
    }
    expect(await isOpened(await shortOf(one))).toBe(true)
    expect((await desk.deliveries(one)).Count).toBe(4)
  })

  it('comes in the format of Accept', async () => {
    const answer = await desk.open(`/?c=${codeOf(pair)}`, { accept: 'text/plain' })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('with AppId or X-App-Id marks nothing', async () => {
    const one = await desk.issued()
    const appId = 'c719b59a-9ff0-491a-98a1-030776d8c46f'
    await desk.open(`/?c=${codeOf(one)}&AppId=${appId}`)
    await desk.open(`/?c=${codeOf(one)}`, { 'x-app-id': appId })
    expect(await desk.deliveries(one)).toMatchObject({ Count: 0, Items: [{}, {}] })
  })

  it('is refused with any byte of s1 or s2 changed, and is not marked', async () => {
    const one = await desk.issued()
    const link = await shortOf(one)
    for (const name of ['s1', 's2']) {
      const bytes = Buffer.from(partOf(link, name), 'base64url')
      expect(bytes).toHaveLength(16)
      for (let at = 0; at < bytes.length; at += 1) {
        const wrong = Buffer.from(bytes)
        wrong[at] = (wrong[at] ?? 0) ^ 1
        const path = changed(link, name, wrong.toString('base64url'))
        expect(await isOpened(path), path).toBe(false)
      }
      expect(await isOpened(changed(link, name, 'AAAAAAAAAAAAAAAAAAAAAA'))).toBe(false)
      expect(await isOpened(changed(link, name, `${partOf(link, name)}A`))).toBe(false)
    }
    expect((await desk.deliveries(one)).Count).toBe(0)
  })

  it('is refused when c, f or mcc are not those that were signed, or s1 is s2', async () => {
    const link = await shortOf(pair, '?f=3&mcc=spring26')
    const other = await desk.issued()
    expect(await isOpened(link)).toBe(true)
    expect(await isOpened(changed(link, 'c', codeOf(other)))).toBe(false)
    expect(await isOpened(changed(link, 'f', '2'))).toBe(false)
    expect(await isOpened(changed(link, 'mcc', 'spring27'))).toBe(false)
    const [s1, s2] = [partOf(link, 's1'), partOf(link, 's2')]
    expect(await isOpened(changed(changed(link, 's1', s2), 's2', s1))).toBe(false)
  })

  it('one wrong signature beside a right one is refused', async () => {
    const link = await shortOf(pair)
    expect(await isOpened(`/?c=${codeOf(pair)}&s2=${partOf(link, 's2')}`)).toBe(true)
    expect(await isOpened(`${link.split('&s2=')[0]}&s2=JfrZ0jPZQ_4sglQ9UxVg6A`)).toBe(false)
  })

  it('keeps the campaign with the view, shortened, and shows it nowhere', async () => {
    const one = await desk.issued()
    const mcc = `spring<b>${'x'.repeat(100)}`
    const answer = await desk.open(`/?c=${codeOf(one)}&mcc=${encodeURIComponent(mcc)}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain('spring')
    const { rows } = await desk.shop.deps.store.pool.query(
      'select campaign from delivery where queue_item_id = $1',
      [one.queueItemId],
    )
    expect(rows).toEqual([{ campaign: mcc.slice(0, 64) }])
    expect(JSON.stringify(await desk.deliveries(one))).not.toContain('spring')
  })

  it('f hides the share buttons', async () => {
    const shared = (await desk.open(`/?c=${codeOf(pair)}`)).body
    const bare = (await desk.open(`/?c=${codeOf(pair)}&f=1`)).body
    expect(shared).toContain('mailto:')
    expect(bare).not.toContain('mailto:')
    expect((await desk.open(`/?c=${codeOf(pair)}&f=x`)).body).toContain('mailto:')
  })

  it('to nothing, to a receipt not issued yet or with no code looks the same', async () => {
    const paths = [
      `/?c=${codeOf(nowhere())}`,
      `/?c=${codeOf(await signedPair(desk.shop))}`,
      '/?c=AAAA',
      '/?c=%00',
      `/?c=${'A'.repeat(5000)}`,
      `/?c=${codeOfTag('nobody')}`,
      '/?tag=nobody',
      '/?tag=%0d%0aset-cookie:x',
    ]
    const heads = new Set<string>()
    for (const path of paths) {
      const { statusCode, headers, body } = await desk.open(path, { accept: 'application/pdf' })
      const { date: _date, ...rest } = headers
      heads.add(JSON.stringify([statusCode, rest, body]))
    }
    expect([...heads]).toHaveLength(1)
    expect([...heads][0]).toContain('[301,')
  })

  it('stays good when the key changes once, and ends with the second change', async () => {
    const one = await desk.issued()
    const link = await shortOf(one)
    const { store } = desk.shop.deps
    await rotateLinkKey(store, desk.shop.box.cashBoxId)
    await rotateLinkKey(store, undefined)
    expect(await isOpened(link)).toBe(true)
    expect(await shortOf(one)).not.toBe(link)
    await rotateLinkKey(store, desk.shop.box.cashBoxId)
    expect(await isOpened(link)).toBe(false)
  })

  it('RECEIPT_REQUIRE_SIGNATURE: c alone is not enough, one signature is', async () => {
    const strict = await startServer(desk.shop, { RECEIPT_REQUIRE_SIGNATURE: 'true' })
    const link = await shortOf(pair)
    const status = async (url: string) => (await strict.app.inject({ url })).statusCode
    const c = `/?c=${codeOf(pair)}`
    expect(await status(c)).toBe(301)
    expect(await status(`${c}&s1=`)).toBe(301)
    expect(await status(`${c}&s1=${partOf(link, 's1')}`)).toBe(200)
    expect(await status(`${c}&s2=${partOf(link, 's2')}`)).toBe(200)
    expect(await status(pathOf(pair))).toBe(200)
    await strict.close()
  })
})

describe('a label', () => {
  const label = (tag: string): string => `https://labels.example/?tag=${tag}`
  const data = (tag: string): string => `{"ReceiptTag":${JSON.stringify(label(tag))}}`

  async function tagged(members: Record<string, string>): Promise<Pair> {
    const one = await signedPair(desk.shop, members)
    expect((await desk.till('POST', '/v2/issue', one.body)).statusCode).toBe(201)
    return one
  }

  it('is bound by the receipt, an item or a payment, as object or as text', async () => {
    const cases: [string, Record<string, string>][] = [
      ['tag-receipt', { ftReceiptCaseData: JSON.stringify(data('tag-receipt')) }],
      [
        'tag-item',
        {
          cbChargeItems: `[{"Quantity":1,"Description":"x","Amount":1,"VATRate":20,
            "ftChargeItemCase":4707387510509010947,
            "ftChargeItemCaseData":${JSON.stringify(data('tag-item'))}}]`,
        },
      ],
      [
        'tag-pay',
        {
          cbPayItems: `[{"Quantity":1,"Description":"Bar","Amount":4.9,"ftPayItemCase":
            4707387510509010945,"ftPayItemCaseData":${JSON.stringify(data('tag-pay'))}}]`,
        },
      ],
    ]
    for (const [tag, members] of cases) {
      const one = await tagged(members)
      for (const path of [`/?tag=${tag}`, `/v1/?tag=${tag}`, `/?c=${codeOfTag(tag)}`]) {
        expect((await desk.open(path)).statusCode, path).toBe(200)
      }
      expect((await desk.deliveries(one)).Count, tag).toBe(3)
    }
  })

  it('belongs to the first receipt that was given away with it', async () => {
    const members = { ftReceiptCaseData: JSON.stringify(data('twice')) }
    const first = await tagged(members)
    const second = await tagged(members)
    await desk.open('/?tag=twice')
    expect([(await desk.deliveries(first)).Count, (await desk.deliveries(second)).Count]).toEqual([
      1, 0,
    ])
  })

  it('that is none binds nothing, and the receipt is issued', async () => {
    for (const value of [
      '',
      'https://x.example/',
      `https://x.example/?tag=${'x'.repeat(300)}`,
      7,
    ]) {
      await tagged({ ftReceiptCaseData: JSON.stringify(JSON.stringify({ ReceiptTag: value })) })
    }
  })
})
