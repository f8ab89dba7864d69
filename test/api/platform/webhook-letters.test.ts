// Who hears of a webhook that is disabled, by a real SMTP server: the account and whoever
// administers it, once, in a letter that tells no secret of the address.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../support/mail-server.js'
import { accountHeaders } from '../../support/platform.js'
import { openPortal, type PortalShop } from '../../support/portal.js'
import { austrianCase, saleText } from '../../support/receipts.js'
import { openReceiver, type Receiver, status } from '../../support/receiver.js'

let receiver: Receiver
let shop: PortalShop
let mails: MailServer
beforeAll(async () => {
  receiver = await openReceiver()
  mails = await startMailServer()
  shop = await openPortal({
    OUTBOUND_ALLOW: receiver.place,
    MASTER_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'robot@fiskalwerk.example',
    PUBLIC_URL: 'https://fiskalwerk.example',
  })
  shop.deps.webhookWorker.start()
  await shop.deps.jobs.start()
  const set = "update account set email = 'firm@dealer.example' where id = $1"
  await shop.deps.store.pool.query(set, [shop.demo.dealer.accountId])
}, 60_000)
afterAll(async () => {
  await shop?.deps.jobs.stop()
  await shop?.deps.webhookWorker.stop()
  await shop?.close()
  await mails?.stop()
  await receiver?.close()
})

/** A receipt of an unknown case: an event tells that it failed. */
async function happen(): Promise<void> {
  const { cashBoxId, accessToken } = shop.box
  const body = saleText({
    ftCashBoxID: `"${cashBoxId}"`,
    cbReceiptMoment: `"${new Date().toISOString()}"`,
    ftReceiptCase: austrianCase(0x7777n),
  })
  await fetch(`${shop.url}/json/v1/sign`, {
    method: 'POST',
    headers: { cashboxid: cashBoxId, accesstoken: accessToken, 'content-type': 'application/json' },
    body,
  })
}

async function newWebhook(): Promise<string> {
  const answer = await fetch(`${shop.url}/platform/v1/webhooks`, {
    method: 'POST',
    headers: { ...accountHeaders(shop.demo.dealer), 'content-type': 'application/json' },
    body: JSON.stringify({
      url: `${receiver.url}/hook?key=secret-of-the-address`,
      mode: 'ordered',
    }),
  })
  const { webhook } = (await answer.json()) as { webhook: { id: string } }
  return webhook.id
}

const lettersAbout = async (id: string): Promise<number> => {
  const text = 'select count(*)::int as n from message where subject = $1'
  const { rows } = await shop.deps.store.pool.query<{ n: number }>(text, [`webhook/${id}`])
  return rows[0]?.n ?? 0
}

const told = () => mails.mails.filter(({ email }) => email.subject?.includes('Webhook') === true)

it('it has answered 410: account and administrators are told once, others are not', async () => {
  const { dealer, operator } = shop.demo
  const administrator = await shop.person(dealer.accountId, 'Administrator')
  await shop.person(dealer.accountId, 'Reader')
  await shop.person(operator.accountId, 'Administrator')
  await shop.invited(dealer.accountId)
  receiver.answer = status(410)
  const id = await newWebhook()
  await happen()
  const wanted = ['firm@dealer.example', shop.dealer.email, administrator.email].sort()
  await expect.poll(() => told().length, { timeout: 15_000 }).toBe(wanted.length)
  expect(
    told()
      .flatMap(({ to }) => to)
      .sort(),
  ).toEqual(wanted)
  const [mail] = told()
  const text = `${mail?.email.subject} ${mail?.email.text} ${mail?.email.html}`
  expect(text).toContain(receiver.place)
  expect(text).toContain('410')
  expect(text).toContain('https://fiskalwerk.example/portal/events')
  expect(text).not.toContain('secret-of-the-address')
  expect(await lettersAbout(id)).toBe(wanted.length)
})

it('it fails for five days: the letter says what the last attempt said', async () => {
  mails.mails.length = 0
  receiver.answer = status(503)
  const id = await newWebhook()
  await happen()
  const { pool } = shop.deps.store
  const state = async () =>
    (await pool.query('select tries, state from webhook where id = $1', [id])).rows[0]
  await expect.poll(async () => (await state()).tries, { timeout: 15_000 }).toBe(1)
  expect(await lettersAbout(id)).toBe(0)
  await pool.query(
    `update webhook set failing_since = now() - interval '121 hours', next_at = now(), tries = 4
     where id = $1`,
    [id],
  )
  await expect.poll(() => told().length, { timeout: 15_000 }).toBe(3)
  expect(await state()).toMatchObject({ state: 'disabled' })
  expect(told()[0]?.email.text).toContain('503')
})
