// Long work whose process is killed, on the page that somebody looks at meanwhile.
import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { findJob, insertJob } from '../../src/store/event/job/jobs.js'
import { browserIsMissing, launchBrowser } from '../support/browser.js'
import { Child } from '../support/child.js'
import { openPortal, type PortalShop } from '../support/portal.js'
import { goTo, logInAt, visitWith } from '../support/portal-visit.js'

const isLeftOut = browserIsMissing()
const TOTAL = 240
const STEP_MS = 25
/** From the end of the process on, for the page to say so. */
const SAID_MS = 20_000
let shop: PortalShop
let browser: Browser

beforeAll(async () => {
  if (isLeftOut) return
  shop = await openPortal()
  browser = await launchBrowser()
  await shop.deps.store.pool.query('create table step (n serial, job_id uuid, step int, pid int)')
})
afterAll(async () => {
  if (isLeftOut) return
  await browser.close()
  await shop.close()
})

/** A process that does long work. */
async function startWorker(): Promise<Child> {
  const connection = shop.database.config
  const settings = { connection, masterKey: inject('masterKey'), stepMs: STEP_MS }
  const child = new Child('job-script.ts', [JSON.stringify(settings)])
  await child.line()
  return child
}

async function askForWork(): Promise<string> {
  const { store } = shop.deps
  const { accountId } = shop.demo.operator
  const id = randomUUID()
  const job = { accountId, id, kind: 'steps', args: { total: TOTAL }, at: new Date() }
  await store.prisma.$transaction((tx) => insertJob(tx, { ...job, askedBy: accountId }))
  return id
}

describe.skipIf(isLeftOut)('the page of long work', () => {
  it('says that its process is gone, that another one went on, and how it ended', {
    timeout: 90_000,
  }, async () => {
    const first = await startWorker()
    const { page, faults, context } = await visitWith({ browser, url: shop.url })
    await logInAt(`${shop.url}/portal/jobs`, page, shop.dealer)
    const id = await askForWork()
    await goTo(page, `/jobs/${id}`)
    const said = page.getByRole('main').getByRole('status')
    await said.filter({ hasText: /^runs/ }).waitFor()
    // nobody is there who could go on
    await first.kill('SIGKILL')
    await said.filter({ hasText: /^interrupted/ }).waitFor({ timeout: SAID_MS })
    expect(await said.innerText()).toMatch(/interrupted at \d/)
    const [second, third] = [await startWorker(), await startWorker()]
    await said.filter({ hasText: /^runs.*interrupted at .* resumed at/s }).waitFor()
    // somebody is, and goes on at once
    const { store } = shop.deps
    const { accountId } = shop.demo.operator
    const before = await findJob(store, { accountId, id })
    const { rows } = await store.pool.query<{ pid: number }>(
      'select pid from step where job_id = $1 order by n desc limit 1',
      [id],
    )
    const [working, other] = second.process.pid === rows[0]?.pid ? [second, third] : [third, second]
    await working.kill('SIGKILL')
    const again = async () => (await findJob(store, { accountId, id }))?.resumedAt?.getTime()
    await expect.poll(again).toBeGreaterThan(before?.resumedAt?.getTime() ?? 0)
    await said.filter({ hasText: /^done.*resumed at/s }).waitFor({ timeout: 60_000 })
    expect(faults).toEqual([])
    await context.close()
    await other.kill('SIGKILL')
  })
})
