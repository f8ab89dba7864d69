// Whole servers that send receipts: their database dies under them, they are asked to stop, and the
// mail arrives once.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queueSend } from '../../src/core/message/send.js'
import { published } from '../../src/core/receipts/read.js'
import { posCall } from '../support/group-d.js'
import { type MailServer, startMailServer } from '../support/mail-server.js'
import { unknownPair } from '../support/pairs.js'
import type { Server } from '../support/server.js'
import type { TestSettings } from '../support/settings.js'
import { Site } from '../support/site.js'

const SECONDS = 1_000
let mail: MailServer
let site: Site
let server: Server
let settings: TestSettings

beforeAll(async () => {
  mail = await startMailServer()
  site = await Site.make({ tills: 1 })
  settings = await site.settings({
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'receipts@shop.example',
    PUBLIC_URL: 'https://r.example',
  })
  server = await site.serve(settings)
}, 60 * SECONDS)
afterAll(async () => {
  if (server.isAlive) await server.kill()
  await site.remove()
  await mail.stop()
}, 60 * SECONDS)

/** Publishes a receipt through the server, and puts it on its way beside it. */
async function sendOne(): Promise<string> {
  const [till] = site.tills
  if (till === undefined) throw new Error('no till')
  const pair = unknownPair()
  const call = { path: '/v2/issue', body: pair.body, operationId: randomUUID() }
  expect((await posCall(server.url, till, call)).status).toBe(201)
  return site.look(async ({ store }) => {
    const deps = { store, now: () => new Date(), attachments: [] }
    const limits = { perReceipt: 5, perHour: 100 }
    const { messageId } = await queueSend(
      { ...deps, limits },
      {
        receipt: await published(store, pair),
        ...{ scheme: 'email', address: 'max@customer.example', attach: undefined, send: true },
        ...{ link: 'https://r.example/x', languages: undefined },
        actor: { kind: 'pos', appId: undefined, userAgent: undefined, address: '192.0.2.1' },
      },
    )
    return messageId
  })
}

const ids = () => mail.mails.map(({ email }) => String(email.messageId).slice(1, 37))

describe('a server', () => {
  it(
    'whose PostgreSQL is killed again and again goes on sending, each message once',
    async () => {
      const sent = [await sendOne()]
      for (let kill = 0; kill < 2; kill += 1) {
        await site.killDatabase(server, 20 * SECONDS)
        sent.push(await sendOne())
      }
      await mail.until(sent.length, 40 * SECONDS)
      expect(server.isAlive).toBe(true)
      expect(ids().sort()).toEqual(sent.sort())
    },
    120 * SECONDS,
  )

  it(
    'that is asked to stop does so at once, and its jobs wait for the next one',
    async () => {
      const before = mail.mails.length
      const ended = await server.stop()
      expect(ended).toMatchObject({ code: 0, signal: null })
      expect(ended.ms).toBeLessThan(10 * SECONDS)
      server = await site.serve({ ...settings, jobs: false })
      const id = await sendOne()
      await server.stop()
      expect(mail.mails).toHaveLength(before)
      server = await site.serve(settings)
      await mail.until(before + 1)
      expect(ids().at(-1)).toBe(id)
    },
    120 * SECONDS,
  )
})
