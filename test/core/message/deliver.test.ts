// Tries to deliver: servers that are down, refuse for now or for good, or say nothing, and two
// servers of ours on one database. Whatever happens, nothing arrives twice.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDeps } from '../../../src/deps.js'
import { createLog } from '../../../src/log.js'
import { listOpenMessages, requeueMessage } from '../../../src/store/message/messages.js'
import {
  type MailServer,
  type MailServerOptions,
  type Refusal,
  startMailServer,
} from '../../support/mail-server.js'
import { openPostOffice, type PostOffice } from '../../support/post-office.js'

const lines: string[] = []
const log = createLog('info', false, { write: (line: string) => void lines.push(line) })
const answers: Required<Pick<MailServerOptions, 'onAddress' | 'onMail' | 'hangUp'>> = {
  onAddress: () => null,
  onMail: () => null,
  hangUp: () => false,
}
let server: MailServer
let office: PostOffice

beforeAll(async () => {
  server = await startMailServer({
    onAddress: (address) => answers.onAddress(address),
    onMail: (mail) => answers.onMail(mail),
    hangUp: () => answers.hangUp(),
  })
  office = await openPostOffice(
    { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'receipts@shop.example' },
    log,
  )
  office.shop.deps.jobs.start()
})
afterAll(async () => {
  await office.close()
  await server.stop()
})
beforeEach(() => {
  lines.length = 0
})
afterEach(() => {
  answers.onAddress = () => null
  answers.onMail = () => null
  answers.hangUp = () => false
  server.mails = []
})

interface Refusals {
  address?: Refusal
  mail?: Refusal
}

const SECONDS = 1_000
const ADDRESS = 'max.mustermann@customer.example'

const clear = (text: string) => /mustermann|customer/.test(text)

async function expectNothingClear(id: string): Promise<void> {
  expect(lines.filter(clear)).toEqual([])
  const { pool } = office.shop.deps.store
  const { rows } = await pool.query('select * from graphile_worker.jobs')
  expect(clear(inspect([rows, await office.row(id)], { depth: 5 }))).toBe(false)
}

describe('a mail server', () => {
  it(
    'that is down gets the message once it is up again',
    async () => {
      await server.stop()
      const id = await office.sendOne({ address: ADDRESS })
      await expect.poll(async () => (await office.row(id))?.attempts, { timeout: 9_000 }).toBe(1)
      await expect
        .poll(() => office.row(id))
        .toMatchObject({
          state: 'queued',
          runner: null,
          last_error: expect.stringContaining('ECONNREFUSED'),
        })
      await expectNothingClear(id)
      await server.start()
      await server.until(1)
      await office.until(id, 'sent')
      expect(server.mails).toHaveLength(1)
    },
    30 * SECONDS,
  )

  it.each([
    ['the address', { address: { code: 451, text: `4.2.1 <${ADDRESS}> try again` } }],
    ['the message', { mail: { code: 452, text: `4.3.1 ${ADDRESS} mailbox full` } }],
  ])(
    'that refuses %s for now is asked again after a pause',
    async (_, { address, mail }: Refusals) => {
      let count = 0
      const once = <T>(refusal: T) => (count++ === 0 ? refusal : null)
      if (address !== undefined) answers.onAddress = () => once(address)
      if (mail !== undefined) answers.onMail = () => once(mail)
      const id = await office.sendOne({ address: ADDRESS })
      await expect.poll(async () => (await office.row(id))?.last_error).toContain('[address]')
      expect(lines.join('')).toContain('a message could not be sent and is tried again')
      await office.until(id, 'sent')
      expect((await office.row(id))?.attempts).toBe(2)
      expect(server.mails).toHaveLength(1)
      await expectNothingClear(id)
    },
    30 * SECONDS,
  )

  it.each([
    ['the address', { address: { code: 550, text: `5.1.1 <${ADDRESS}> no such user` } }],
    ['the message', { mail: { code: 554, text: `5.7.1 spam for ${ADDRESS}` } }],
  ])(
    'that refuses %s for good is not asked again, and that is seen',
    async (_, { address, mail }: Refusals) => {
      if (address !== undefined) answers.onAddress = () => address
      if (mail !== undefined) answers.onMail = () => mail
      const before = await office.deliveries()
      const id = await office.sendOne({ address: ADDRESS })
      const row = await office.until(id, 'failed')
      expect(row).toMatchObject({ attempts: 1, runner: null })
      expect(row.last_error).toMatch(/^SMTP 55[04]: .*\[address\]/)
      await sleep(4 * SECONDS)
      expect((await office.row(id))?.attempts).toBe(1)
      expect(server.mails).toHaveLength(0)
      expect(await office.deliveries()).toBe(before)
      const shown = await listOpenMessages(office.shop.deps.store, 100)
      expect(shown.find((one) => one.id === id)).toMatchObject({
        state: 'failed',
        address: 'm…@c….example',
      })
      expect(lines.join('')).toContain('a message failed for good')
      await expectNothingClear(id)
    },
    30 * SECONDS,
  )

  it(
    'that hangs up on the last byte may have it: nobody sends it again by himself',
    async () => {
      let hangs = true
      answers.hangUp = () => hangs
      const id = await office.sendOne({ address: ADDRESS })
      const row = await office.until(id, 'unsure')
      expect(row.attempts).toBe(1)
      hangs = false
      await sleep(4 * SECONDS)
      expect(server.mails).toHaveLength(1)
      await expectNothingClear(id)
      // somebody has looked, and wants it sent again: the same message for whoever compares
      const { store } = office.shop.deps
      expect(await requeueMessage(store.pool, id, new Date())).toBe('queued')
      const [first, second] = await server.until(2)
      expect(second?.email.messageId).toBe(first?.email.messageId)
      await office.until(id, 'sent')
    },
    40 * SECONDS,
  )

  it(
    'that is slow does not hold up a stop, and gets the message afterwards',
    async () => {
      answers.onAddress = () => null
      const slow = await startMailServer({
        server: {
          onRcptTo: () => {
            // it never answers
          },
        },
      })
      const own = await openPostOffice({
        SMTP_URL: `smtp://127.0.0.1:${slow.port}`,
        MAIL_FROM: 'receipts@shop.example',
      })
      own.shop.deps.jobs.start()
      const id = await own.sendOne()
      await own.until(id, 'sending')
      await expect.poll(() => slow.connections).toBe(1)
      const from = performance.now()
      await own.shop.deps.jobs.stop()
      expect(performance.now() - from).toBeLessThan(5 * SECONDS)
      expect(await own.row(id)).toMatchObject({ state: 'queued', runner: null, fenced_at: null })
      await own.close()
      await slow.stop()
    },
    30 * SECONDS,
  )
})

describe('a mail server that thinks about the last byte', () => {
  it(
    'holds a stop up for some seconds only, and the next server knows that it cannot know',
    async () => {
      const silent = await startMailServer({ onMail: () => new Promise(() => undefined) })
      const own = await openPostOffice({
        SMTP_URL: `smtp://127.0.0.1:${silent.port}`,
        MAIL_FROM: 'receipts@shop.example',
      })
      const { deps, database } = own.shop
      deps.jobs.start()
      const id = await own.sendOne()
      await expect.poll(() => silent.dots, { timeout: 9_000 }).toBe(1)
      const from = performance.now()
      await deps.jobs.stop()
      expect(performance.now() - from).toBeLessThan(9 * SECONDS)
      expect(await own.row(id)).toMatchObject({ state: 'sending', fenced_at: expect.any(Date) })
      // as when the process ends: its lock is gone
      await deps.operations.close()
      const next = await createDeps({
        config: deps.config,
        log: pino({ level: 'silent' }),
        database: { poolConfig: database.config },
      })
      next.jobs.start()
      await own.until(id, 'unsure')
      await next.jobs.stop()
      await next.operations.close()
      await next.store.close()
      await silent.stop()
      await own.close()
      expect(silent.dots).toBe(1)
    },
    60 * SECONDS,
  )
})

describe('two servers on one database', () => {
  it(
    'send every message once',
    async () => {
      const { deps, database } = office.shop
      const second = await createDeps({
        config: deps.config,
        log: pino({ level: 'silent' }),
        database: { poolConfig: database.config },
      })
      second.jobs.start()
      answers.onMail = async () => {
        await sleep(randomInt(30))
        return null
      }
      const ids = await Promise.all(Array.from({ length: 30 }, () => office.sendOne()))
      await server.until(30)
      for (const id of ids) await office.until(id, 'sent')
      const taken = server.mails.map(({ email }) => email.messageId)
      expect(new Set(taken).size).toBe(30)
      expect(taken).toHaveLength(30)
      await second.jobs.stop()
      await second.operations.close()
      await second.store.close()
    },
    60 * SECONDS,
  )
})
