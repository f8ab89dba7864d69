// Receipts by e-mail, from the call to the mailbox: a real SMTP server, the real queue.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkedWish, queueSend } from '../../../src/core/message/send.js'
import { writeSettings } from '../../../src/core/receipts/branding/settings.js'
import { inTransaction } from '../../../src/store/transaction.js'
import { WORDS } from '../../../src/words/words.js'
import type { Desk } from '../../support/issue-desk.js'
import { type MailServer, startMailServer } from '../../support/mail-server.js'
import { unknownPair } from '../../support/pairs.js'
import { openPostOffice, type PostOffice, type Wanted } from '../../support/post-office.js'
import type { Shop } from '../../support/shop.js'
import { issueAddress } from '../../support/signed-pair.js'

let server: MailServer
let office: PostOffice
let shop: Shop
let desk: Desk
beforeAll(async () => {
  server = await startMailServer()
  office = await openPostOffice({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'Belege <receipts@shop.example>',
  })
  shop = office.shop
  desk = office.desk
  shop.deps.jobs.start()
})
afterAll(async () => {
  await office.close()
  await server.stop()
})

const issued = () => office.issued()
const wishFor: PostOffice['wishFor'] = (pair, wanted) => office.wishFor(pair, wanted)
const send: PostOffice['send'] = (pair, wanted) => office.send(pair, wanted)
const rowOf = (id: string) => office.row(id)

const SUBJECTS = {
  de: /^Café Demo: Beleg ft\w+#\d+$/,
  en: /^Café Demo: receipt ft\w+#\d+$/,
  fr: /^Café Demo : reçu ft\w+#\d+$/,
  it: /^Café Demo: ricevuta ft\w+#\d+$/,
  es: /^Café Demo: recibo ft\w+#\d+$/,
}

afterEach(() => {
  server.mails = []
})

const stateOf = async (id: string) => (await rowOf(id))?.state

describe('an e-mail', () => {
  it('arrives once, with subject, link and both parts, and counts as delivery', async () => {
    const pair = await issued()
    const { messageId, state } = await send(pair)
    expect(state).toBe('queued')
    const [mail] = await server.until(1)
    await expect.poll(() => stateOf(messageId)).toBe('sent')
    expect(mail?.from).toBe('receipts@shop.example')
    expect(mail?.to).toEqual(['max@customer.example'])
    const { email } = mail ?? {}
    expect(email?.from).toEqual({ name: 'Café Demo', address: 'receipts@shop.example' })
    expect(email?.to).toEqual([{ name: '', address: 'max@customer.example' }])
    expect(email?.messageId).toBe(`<${messageId}@shop.example>`)
    const link = `https://r.example/${pair.queueId}/${pair.queueItemId}`
    expect(email?.text).toContain(`Beleg ansehen:\n${link}\n`)
    expect(email?.html).toContain(`<a href="${link}"`)
    expect(email?.attachments).toEqual([])
    const headers = Object.fromEntries(email?.headers.map(({ key, value }) => [key, value]) ?? [])
    expect(headers['auto-submitted']).toBe('auto-generated')
    const delivered = await desk.get(`${issueAddress(pair)}/delivered`)
    expect(delivered.json()).toMatchObject({
      state: 'Printed',
      DeliveryMethod: 'email',
      Count: 1,
    })
    const { rows } = await shop.deps.store.pool.query(
      'select kind, user_agent from delivery where queue_item_id = $1',
      [pair.queueItemId],
    )
    expect(rows).toEqual([{ kind: 'pos', user_agent: 'Till' }])
    expect(server.mails).toHaveLength(1)
  })

  it('names the company as its receipts do', async () => {
    const pair = await issued()
    const key = { accountId: shop.demo.operator.accountId, id: pair.queueId }
    const change = (name1Text: string | null) =>
      writeSettings(shop.deps.receipt.settings, { key, body: { name1Text }, how: 'merge' })
    await change('Kaffeehaus Demo GmbH')
    await send(pair, { attach: 'pdf' })
    const [mail] = await server.until(1)
    await change(null)
    expect(mail?.email.subject).toMatch(/^Kaffeehaus Demo GmbH: Beleg ft/)
    expect(mail?.email.text).toContain('von Kaffeehaus Demo GmbH.')
    expect(`${mail?.email.text}${mail?.email.html}`).not.toContain('Café Demo')
  })

  it('counts as delivery also when an app has asked for it', async () => {
    const pair = await issued()
    const appId = '00000000-0000-4000-8000-000000000001'
    const actor = { kind: 'app', appId, userAgent: 'App', address: '192.0.2.1' } as const
    const { messageId } = await send(pair, { actor })
    await expect.poll(() => stateOf(messageId)).toBe('sent')
    const delivered = await desk.get(`${issueAddress(pair)}/delivered`)
    expect(delivered.json()).toMatchObject({ DeliveryMethod: 'email', Count: 1 })
  })

  it.each(Object.entries(SUBJECTS))('speaks %s', async (language, subject) => {
    const pair = await issued()
    await send(pair, { languages: `xx, ${language}-XX;q=0.8, en;q=0.1` })
    const [mail] = await server.until(1)
    const words = WORDS[language as keyof typeof SUBJECTS].receiptMessage
    expect(mail?.email.subject).toMatch(subject)
    expect(mail?.email.html).toContain(`<html lang="${language}">`)
    expect(mail?.email.headers).toContainEqual(
      expect.objectContaining({ key: 'content-language', value: language }),
    )
    for (const text of [words.hello, words.footer]) {
      expect(mail?.email.text).toContain(text)
      expect(mail?.email.html).toContain(text.replaceAll("'", '&#39;'))
    }
    expect(mail?.email.html).toContain(`>${words.link}</a>`)
  })

  it.each([
    ['ES', 'de'],
    ['BE', 'fr'],
  ])(
    'without a wish, of an Austrian queue of a merchant in %s, speaks %s',
    async (country, language) => {
      const { accountId } = shop.demo.operator
      const moveTo = (to: string) =>
        shop.deps.store.pool.query('update account set country = $2 where id = $1', [accountId, to])
      const pair = await issued()
      await moveTo(country)
      await send(pair)
      await moveTo('AT')
      const [mail] = await server.until(1)
      const words = WORDS[language as keyof typeof SUBJECTS].receiptMessage
      expect(mail?.email.text).toContain(words.hello)
    },
  )

  it.each([
    ['txt', 'text/plain', 'txt'],
    ['pdf', 'application/pdf', 'pdf'],
    ['png', 'image/png', 'png'],
  ])('carries the receipt as %s', async (attach, mimeType, ending) => {
    const pair = await issued()
    const deps = { ...shop.deps.send, attachments: ['txt', 'pdf', 'png'] }
    await queueSend(deps, await wishFor(pair, { attach }))
    const [mail] = await server.until(1)
    const page = await shop.app.inject({
      url: `/${pair.queueId}/${pair.queueItemId}?format=${attach}`,
      headers: { 'accept-language': 'de' },
    })
    const [attachment, ...rest] = mail?.email.attachments ?? []
    expect(rest).toEqual([])
    expect(attachment?.mimeType).toBe(mimeType)
    expect(attachment?.filename).toMatch(new RegExp(`^receipt-ft\\w+-\\d+\\.${ending}$`))
    expect(page.statusCode).toBe(200)
    const bytes = Buffer.from(attachment?.content as ArrayBuffer)
    expect(bytes.equals(page.rawPayload)).toBe(true)
    expect(mail?.email.text).toContain(WORDS.de.receiptMessage.attached)
  })

  it('keeps neither address nor content once it was taken', async () => {
    const { messageId } = await send(await issued())
    await expect.poll(() => stateOf(messageId)).toBe('sent')
    expect(await rowOf(messageId)).toMatchObject({
      address_sealed: null,
      data_sealed: null,
      address_masked: 'm…@c….example',
      provider_id: 'TEST1',
      attempts: 1,
    })
  })

  it('of a receipt of elsewhere names no number', async () => {
    const pair = unknownPair()
    await desk.post('/issue', pair.body)
    await queueSend(shop.deps.send, await wishFor(pair))
    const [mail] = await server.until(1)
    expect(mail?.email.subject).toBe('Café Demo: Beleg')
    expect(mail?.email.text).toContain('hier ist Ihr Beleg von Café Demo.')
  })
})

describe('a wish', () => {
  it('with Send=false is checked and stored, and nothing goes out', async () => {
    const pair = await issued()
    const { messageId, state } = await send(pair, { send: false })
    expect(state).toBe('stored')
    await send(pair)
    await server.until(1)
    expect(await rowOf(messageId)).toMatchObject({ state: 'stored', attempts: 0 })
    expect(server.mails).toHaveLength(1)
    const jobs = await shop.deps.store.pool.query(
      'select from graphile_worker.jobs where key = $1',
      [`message:${messageId}`],
    )
    expect(jobs.rows).toHaveLength(0)
  })

  it('whose transaction is rolled back leaves neither message nor job', async () => {
    const pair = await issued()
    const wish = await wishFor(pair)
    let id = ''
    await expect(
      inTransaction(shop.deps.store, async (client) => {
        id = (await queueSend(shop.deps.send, wish, client)).messageId
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await rowOf(id)).toBeUndefined()
    const { rows } = await shop.deps.store.pool.query(
      'select from graphile_worker.jobs where key = $1',
      [`message:${id}`],
    )
    expect(rows).toHaveLength(0)
  })

  it.each([
    ['Target.Scheme', { scheme: 'fax' }],
    ['Target.Scheme', { scheme: 'peppol' }],
    ['Target.Scheme', { scheme: '' }],
    ['Target.Address', { address: 'max' }],
    ['Target.Address', { address: 'max@customer.example\r\nBcc: all@customer.example' }],
    ['Target.Address', { scheme: 'sms', address: 'max@customer.example' }],
    ['Target.Address', { scheme: 'whatsapp', address: '0664 1234567' }],
    ['Target.Attach', { attach: 'exe' }],
    ['Target.Attach', { attach: 'html' }],
  ] satisfies [string, Wanted][])('is refused for its %s: %j', async (field, wanted) => {
    const wish = await wishFor(await issued(), wanted)
    const refused = queueSend(shop.deps.send, wish).catch((error: unknown) => error)
    expect(await refused).toMatchObject({ code: 'FIELD_INVALID', details: { field } })
  })

  it('is read in any case, and a short message carries no attachment', async () => {
    const deps = { attachments: ['pdf'] }
    const wanted = { scheme: ' SMS ', address: '0043 664 123 45 67', attach: 'PDF' }
    expect(checkedWish(deps, await wishFor(await issued(), wanted))).toMatchObject({
      ...{ channel: 'sms', to: '+436641234567', attach: null },
    })
  })
})

describe('the throttle', () => {
  const limited = (promise: Promise<unknown>) =>
    expect(promise).rejects.toMatchObject({ code: 'MESSAGES_LIMITED', kind: 'limited' })

  it('lets a receipt go out five times, also when all come at once', async () => {
    const pair = await issued()
    const all = Array.from({ length: 12 }, () => send(pair, { send: false }))
    const done = await Promise.allSettled(all)
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    await limited(send(pair))
    await send(await issued(), { send: false })
  })

  it('counts what a cash box sends within an hour', async () => {
    const since = await shop.deps.store.pool.query<{ count: number }>(
      'select count(*)::int as count from message where cash_box_id = $1',
      [shop.box.cashBoxId],
    )
    const perHour = (since.rows[0]?.count ?? 0) + 1
    const limits = { perReceipt: 5, perHour }
    const deps = { ...shop.deps.send, limits }
    await queueSend(deps, await wishFor(await issued(), { send: false }))
    const wish = await wishFor(await issued(), { send: false })
    await limited(queueSend(deps, wish))
    const later = { ...deps, now: () => new Date(Date.now() + 3_600_001) }
    await queueSend(later, wish)
  })
})
