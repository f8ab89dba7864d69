// Servers that die while a message is on its way: at every place, and at random moments. What was
// taken by the mail server is there once; what may have been is not sent again by itself.
import { randomInt } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createDeps, type Deps } from '../../../src/deps.js'
import { createLog } from '../../../src/log.js'
import { requeueMessage } from '../../../src/store/message/messages.js'
import { Child } from '../../support/child.js'
import { type MailServer, startMailServer } from '../../support/mail-server.js'
import { openPostOffice, type PostOffice } from '../../support/post-office.js'
import { configOf } from '../../support/settings.js'

const SECONDS = 1_000
const KEY = Buffer.alloc(32, 7).toString('base64')
let folder: string
let server: MailServer
let office: PostOffice
const children: Child[] = []
const survivors: Deps[] = []
/** Of the final answer: a kill at a random moment finds more to break. */
let slowMs = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-messages-'))
  server = await startMailServer({
    onMail: async () => {
      await sleep(slowMs)
      return null
    },
  })
  // its own jobs do not run: other servers do the work
  office = await openPostOffice(settings())
})
afterAll(async () => {
  await office.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill('SIGKILL')))
  await Promise.all(survivors.splice(0).map(closed))
  server.mails = []
  server.dots = 0
  slowMs = 0
})

function settings(more: Record<string, string> = {}): Record<string, string> {
  return {
    DATABASE_URL: 'postgresql://the.test.database',
    MASTER_KEY: KEY,
    DATA_DIR: folder,
    PUBLIC_URL: 'https://r.example',
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'receipts@shop.example',
    ...more,
  }
}

/** Another server takes over, in this process: it is not one that dies. */
async function takeOver(more?: Record<string, string>): Promise<void> {
  const deps = await createDeps({
    config: configOf(settings(more)),
    log: createLog('silent', false),
    database: { poolConfig: office.shop.database.config },
  })
  deps.jobs.start()
  survivors.push(deps)
}

async function closed({ jobs, operations, store }: Deps): Promise<void> {
  await jobs.stop()
  await operations.close()
  await store.close()
}

/** A server that may die. */
async function work(more?: Record<string, string>): Promise<Child> {
  const connection = office.shop.database.config
  const child = new Child('message-script.ts', [
    JSON.stringify({ connection, settings: settings(more) }),
  ])
  children.push(child)
  expect(await child.line()).toBe('at work')
  return child
}

/** A message of which a server died at this place. */
async function dieAt(place: string, more: Record<string, string> = {}): Promise<string> {
  const id = await office.sendOne(more.SMTP_URL === '' ? { scheme: 'sms', address: SMS } : {})
  const child = await work({ failPoints: `${place}=kill`, ...more })
  await child.ended
  expect(child.process.signalCode).toBe('SIGKILL')
  return id
}

const SMS = '+436641234567'

describe('a server killed', () => {
  it.each(['message-claimed', 'message-handed', 'message-recorded'])(
    'at %s: the mail is there once',
    async (place) => {
      const before = await office.deliveries()
      const id = await dieAt(place)
      expect(server.mails).toHaveLength(place === 'message-claimed' ? 0 : 1)
      await takeOver()
      // nobody heard the answer: it is there, and nobody can be sure
      const state = place === 'message-handed' ? 'unsure' : 'sent'
      await office.until(id, state)
      await expect.poll(jobsOf(id)).toBe(0)
      expect(server.mails).toHaveLength(1)
      expect(server.mails[0]?.email.messageId).toBe(`<${id}@shop.example>`)
      expect((await office.deliveries()) - before).toBe(state === 'sent' ? 1 : 0)
    },
    60 * SECONDS,
  )

  it(
    'at message-fenced, a byte before the end: there is none, that is seen, a word sends it',
    async () => {
      const id = await dieAt('message-fenced')
      expect(server.dots).toBe(0)
      await takeOver()
      const row = await office.until(id, 'unsure')
      expect(row.last_error).toContain('the server died')
      await sleep(2 * SECONDS)
      expect(server.mails).toHaveLength(0)
      const { store } = office.shop.deps
      await requeueMessage(store.pool, id, new Date())
      await office.until(id, 'sent')
      expect(server.mails).toHaveLength(1)
    },
    60 * SECONDS,
  )

  it.each(['message-claimed', 'message-handed'])(
    'at %s of a message for the outbox: there is one file',
    async (place) => {
      const id = await dieAt(place, { SMTP_URL: '' })
      await takeOver({ SMTP_URL: '' })
      await office.until(id, 'sent')
      const files = readdirSync(join(folder, 'outbox')).filter((name) => name.includes(id))
      expect(files).toEqual([`${id}.sms.json`])
    },
    60 * SECONDS,
  )

  it(
    'six times at random moments: each of 40 is there once, or not at all and then seen',
    async () => {
      slowMs = 40
      const ids = await Promise.all(Array.from({ length: 40 }, () => office.sendOne()))
      for (let kill = 0; kill < 6; kill += 1) {
        const child = await work()
        await sleep(randomInt(100, 500))
        await child.kill('SIGKILL')
      }
      await takeOver()
      const open = async () =>
        (await Promise.all(ids.map((id) => office.row(id)))).filter(
          (row) => row?.state === 'queued' || row?.state === 'sending',
        ).length
      await expect.poll(open, { timeout: 60 * SECONDS, interval: 200 }).toBe(0)
      const taken = server.mails.map(({ email }) => String(email.messageId).slice(1, 37))
      expect(new Set(taken).size).toBe(taken.length)
      for (const id of ids) {
        const state = (await office.row(id))?.state
        expect(state === 'unsure' || (state === 'sent' && taken.includes(id))).toBe(true)
      }
    },
    120 * SECONDS,
  )
})

const jobsOf = (id: string) => async () => {
  const { pool } = office.shop.deps.store
  const sql = 'select from graphile_worker.jobs where key = $1'
  return (await pool.query(sql, [`message:${id}`])).rows.length
}
