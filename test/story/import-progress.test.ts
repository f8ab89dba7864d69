// How far an import is: the same from every server, while it runs, after its answer, after its
// connection broke, and after its server stopped or was killed. Servers in processes of their own.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../src/core/accounts/accounts.js'
import { plainTemplate } from '../../src/core/accounts/invitation/csv/template.js'
import { newAccount } from '../support/dealer.js'
import { formOf, person } from '../support/invitations.js'
import { Server } from '../support/server.js'
import { Site } from '../support/site.js'
import { asDealer, sendUpload } from '../support/upload-server.js'

const PATH = '/api/pos-operators-invitation/import/csv'
const [HEADER = ''] = plainTemplate().split(/\r?\n/)
const MANY = 12_000
/** As many as any machine stores before the end of a stop. */
const SOME = 1_000
const FREE = { RATE_LIMITS: 'dealer=0,credentials=0' }

let site: Site
let one: Server
let other: Server
beforeAll(async () => {
  site = await Site.make({ tills: 0, external: true })
  one = await Server.start(await site.settings(FREE))
  other = await Server.start(await site.settings(FREE))
}, 180_000)
afterAll(async () => {
  await one.kill()
  await other.kill()
  await site.remove()
}, 60_000)

const newDealer = (): Promise<AccountAccess> =>
  site.look(({ store }) => createAccount({ store, now: () => new Date() }, newAccount('PosDealer')))

function upload(dealer: AccountAccess, count: number, wrong = false) {
  const rows = Array.from({ length: count }, () => {
    const { company, contact } = person()
    const { name, email, addressLine1, postalCode, city, country } = company
    const at = `${name};${email};${addressLine1};;${postalCode};${city};${country};;;;;;;`
    return `${at};${contact.firstName};${contact.lastName};${contact.email};;;;`
  })
  if (wrong) rows.push('x')
  const { body, headers } = formOf('a.csv', [HEADER, ...rows, ''].join('\r\n'))
  return { line: `POST ${PATH}`, headers: asDealer(dealer, headers), body }
}

async function progress(server: Server, dealer: AccountAccess) {
  const reply = await fetch(`${server.url}${PATH}`, { headers: asDealer(dealer, {}) })
  return (await reply.json()) as { running: boolean; rows: number; created: number }
}

async function storedBy({ accountId }: AccountAccess): Promise<number> {
  const { rows } = await site.look(({ store }) =>
    store.pool.query<{ n: number }>(
      'select count(*)::int as n from invitation where account_id = $1',
      [accountId],
    ),
  )
  return rows[0]?.n ?? 0
}

async function isRunning(server: Server, dealer: AccountAccess): Promise<void> {
  await expect
    .poll(() => progress(server, dealer), { interval: 10, timeout: 30_000 })
    .toMatchObject({ running: true, rows: expect.any(Number) })
}

it('is told by every server, and over when the answer is there', async () => {
  const dealer = await newDealer()
  const call = sendUpload(one.url, upload(dealer, MANY))
  await isRunning(other, dealer)
  await expect
    .poll(async () => (await progress(other, dealer)).rows, { interval: 10, timeout: 30_000 })
    .toBeGreaterThan(0)
  expect(await call).toBe(200)
  const over = { running: false, rows: MANY, created: MANY, skipped: 0 }
  expect(await progress(other, dealer)).toEqual(over)
  expect(await progress(one, dealer)).toEqual(over)
}, 120_000)

it('is over after a refusal, with nothing created', async () => {
  const dealer = await newDealer()
  expect(await sendUpload(one.url, upload(dealer, 3, true))).toBe(400)
  for (const server of [one, other]) {
    expect(await progress(server, dealer)).toMatchObject({ running: false, created: 0 })
  }
}, 60_000)

it('goes on and ends when its connection breaks', async () => {
  const dealer = await newDealer()
  const { line, headers, body } = upload(dealer, MANY)
  const gone = new AbortController()
  const [, path = ''] = line.split(' ')
  const call = fetch(`${one.url}${path}`, { method: 'POST', headers, body, signal: gone.signal })
  const ended = call.then(
    () => 'answered',
    () => 'broken',
  )
  await isRunning(other, dealer)
  gone.abort()
  expect(await ended).toBe('broken')
  await expect
    .poll(() => progress(other, dealer), { interval: 100, timeout: 60_000 })
    .toMatchObject({ running: false })
  const { created } = await progress(other, dealer)
  expect(await storedBy(dealer)).toBe(created)
}, 120_000)

it('ends with its server, which leaves nothing', async () => {
  const dealer = await newDealer()
  const call = sendUpload(one.url, upload(dealer, MANY))
  await isRunning(other, dealer)
  await one.kill()
  expect(await call).toBe(0)
  await expect
    .poll(() => progress(other, dealer), { interval: 50, timeout: 15_000 })
    .toMatchObject({ running: false, created: 0 })
  expect(await sendUpload(other.url, upload(dealer, 2))).toBe(200)
  expect(await progress(other, dealer)).toEqual({ running: false, rows: 2, created: 2, skipped: 0 })
}, 120_000)

it('goes on and ends in a server that stops, when its connection broke before', async () => {
  const dealer = await newDealer()
  const stopping = await Server.start(await site.settings(FREE))
  let begun: () => void = () => undefined
  const leaves = new Promise<void>((resolve) => {
    begun = resolve
  })
  const call = sendUpload(stopping.url, upload(dealer, SOME), { leaves })
  await isRunning(other, dealer)
  begun()
  expect(await call).toBe(0)
  const ended = stopping.stop()
  await expect
    .poll(() => progress(other, dealer), { interval: 5, timeout: 60_000 })
    .toMatchObject({ running: false })
  const told = await progress(other, dealer)
  expect(told).toEqual({ running: false, rows: SOME, created: SOME, skipped: 0 })
  expect(await ended, stopping.output).toMatchObject({ code: 0 })
  expect(await storedBy(dealer)).toBe(SOME)
}, 120_000)
