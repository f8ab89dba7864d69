// Files that apps put to a receipt: what they are is what their bytes say, they are kept within
// limits, and whoever fetches one gets a file and nothing that runs.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pair } from '../../support/pairs.js'
import { type App, openReceiptDesk, pathOf, type ReceiptDesk } from '../../support/receipt-desk.js'

let desk: ReceiptDesk
let app: App
beforeAll(async () => {
  desk = await openReceiptDesk()
  app = await desk.app('Wallet')
})
afterAll(() => desk.close())

const act = (one: Pair, body: unknown) => desk.act(one, app, body)

async function events(one: Pair) {
  const { Count, Items } = await desk.deliveries(one)
  expect(Items.every(({ Kind, AppId }) => Kind === 'app' && AppId === app.appId)).toBe(true)
  return [Count, Items.map(({ Method }) => Method)]
}

const bytes = (length: number, ...head: number[]): Buffer =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(length - head.length, 7)])
const PDF = [0x25, 0x50, 0x44, 0x46, 0x2d]
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const MIB = 1024 * 1024

const upload = (Format: string, content: Buffer, Filename = 'scan.pdf') => ({
  Action: 'upload',
  Format,
  Filename,
  Filecontent: content.toString('base64'),
})

describe('upload', () => {
  interface Listed {
    Count: number
    Items: { Id: string; Filename: string; Format: string; Size: number }[]
  }
  const listOf = async (one: Pair) => (await desk.open(`${pathOf(one)}/documents`)).json<Listed>()

  it('keeps the file, for whoever has the address, to be kept and never shown', async () => {
    const one = await desk.issued()
    const content = bytes(2000, ...PDF)
    const name = '../../Rechnung "März"\r\n.pdf'
    const answer = await act(one, upload('application/pdf', content, name))
    expect([answer.statusCode, answer.body]).toEqual([201, ''])
    expect(await events(one)).toEqual([0, ['uploaded']])
    const { Count, Items } = await listOf(one)
    expect([Count, Items[0]]).toMatchObject([
      1,
      { Filename: '.._.._Rechnung _März___.pdf', Format: 'application/pdf', Size: 2000 },
    ])
    const got = await desk.open(`${pathOf(one)}/documents/${Items[0]?.Id}`)
    expect(got.rawPayload.equals(content)).toBe(true)
    expect(got.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    })
    expect(got.headers['content-disposition']).toMatch(
      /^attachment; filename="[\w. -]+"; filename\*=UTF-8''[\w.%!~-]+$/,
    )
    const other = await desk.issued()
    const foreign = await desk.open(`${pathOf(other)}/documents/${Items[0]?.Id}`)
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'not_found'])
    expect((await desk.till('GET', `/v2/issue${pathOf(one)}/documents`)).json()).toEqual(
      await listOf(one),
    )
  })

  it('is on the page from now on, also for whoever has an older one', async () => {
    const one = await desk.issued()
    const page = (etag = '""') =>
      desk.open(pathOf(one), { accept: 'text/html', 'if-none-match': etag })
    const before = await page()
    expect(before.body).not.toContain('/documents/')
    await act(one, upload('application/pdf', bytes(2000, ...PDF), 'Garantie <b>.pdf'))
    const after = await page(String(before.headers.etag))
    const { Items } = await listOf(one)
    expect(after.statusCode).toBe(200)
    expect(after.body).toContain(`${pathOf(one)}/documents/${Items[0]?.Id}" rel=`)
    expect(after.body).toContain('<bdi>Garantie _b_.pdf</bdi>')
    expect((await page(String(after.headers.etag))).statusCode).toBe(304)
  })

  it('twice, or twenty times at once, is one file', async () => {
    const one = await desk.issued()
    const body = upload('image/png', bytes(500, ...PNG), 'x.png')
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(one, body)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201))
    expect((await listOf(one)).Count).toBe(1)
  })

  it('one receipt has at most ten files, also when they come at once', async () => {
    const one = await desk.issued()
    const calls = Array.from({ length: 14 }, (_, at) =>
      act(one, upload('image/png', bytes(500 + at, ...PNG), `${at}.png`)),
    )
    const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 400, 400, 400, 400])
    expect((await listOf(one)).Count).toBe(10)
  })

  it('may have 10 MiB, a PDF 5 MiB, and comes back byte by byte', async () => {
    const one = await desk.issued()
    const content = bytes(10 * MIB, ...PNG)
    expect((await act(one, upload('image/png', content, 'a.png'))).statusCode).toBe(201)
    const { Items } = await listOf(one)
    const got = await desk.open(`${pathOf(one)}/documents/${Items[0]?.Id}`)
    const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex')
    expect(hash(got.rawPayload)).toBe(hash(content))
    expect((await act(one, upload('application/pdf', bytes(5 * MIB, ...PDF)))).statusCode).toBe(201)
    for (const [type, size, head] of [
      ['image/png', 10 * MIB + 1, PNG],
      ['application/pdf', 5 * MIB + 1, PDF],
      ['image/png', 12 * MIB, PNG],
    ] as const) {
      const refused = await act(one, upload(type, bytes(size, ...head)))
      expect([refused.statusCode, refused.json().code], type).toEqual([413, 'payload_too_large'])
    }
    expect((await listOf(one)).Count).toBe(2)
  })

  const page = Buffer.from('<!doctype html><script>alert(1)</script>')
  it.each([
    ['a PDF that is a page', upload('application/pdf', page)],
    ['a PNG that is a PDF', upload('image/png', bytes(100, ...PDF))],
    ['a JPEG that is a PNG', upload('image/jpeg', bytes(100, ...PNG))],
    ['printer bytes that are text', upload('text/vnd.esc-pos', Buffer.from('x'))],
    ['text that is no text', upload('text/plain', Buffer.of(0x61, 0, 0xff))],
    ['a page that is text', upload('text/html', Buffer.from('hello'))],
    ['an unknown type', upload('image/svg+xml', page)],
    ['a program', upload('application/x-msdownload', bytes(100, 0x4d, 0x5a))],
    ['no content', upload('image/png', Buffer.alloc(0))],
    ['no Base64', { ...upload('image/png', bytes(9, ...PNG)), Filecontent: 'iVBORw0KGgo*' }],
    ['no name', { ...upload('image/png', bytes(9, ...PNG)), Filename: '' }],
    ['a name of dots', upload('image/png', bytes(9, ...PNG), '../..')],
    ['a long name', upload('image/png', bytes(9, ...PNG), 'x'.repeat(256))],
    ['a name that is none', { ...upload('image/png', bytes(9, ...PNG)), Filename: {} }],
  ])('%s is refused', async (_name, body) => {
    const one = await desk.issued()
    const answer = await act(one, body)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
    expect([(await listOf(one)).Count, (await events(one))[1]]).toEqual([0, []])
  })

  it.each([
    ['image/jpeg', bytes(50, 0xff, 0xd8, 0xff, 0xe0)],
    ['text/plain', Buffer.from('Grüße\r\n\tEUR')],
    ['text/html', page],
    ['text/vnd.esc-pos;charset=utf-8', bytes(50, 0x1b, 0x40)],
  ])('%s is kept', async (type, content) => {
    expect((await act(await desk.issued(), upload(type, content))).statusCode).toBe(201)
  })

  it('files can be neither changed nor removed', async () => {
    await act(await desk.issued(), upload('image/png', bytes(50, ...PNG)))
    for (const table of ['receipt_document', 'receipt_alias', 'receipt_tag']) {
      for (const sql of [`update ${table} set account_id = account_id`, `delete from ${table}`]) {
        await expect(desk.shop.deps.store.pool.query(sql), sql).rejects.toThrow(
          /denied|append-only/,
        )
      }
    }
  })
})
