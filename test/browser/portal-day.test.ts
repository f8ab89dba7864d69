// Days in the portal: one without a mouse, a merchant by the wizard, every page by links alone,
// what stands in an address, and problems with the page that ends each.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTemplates } from '../../src/core/rollout/template/records.js'
import type { ProblemKind } from '../../src/model/problem.js'
import { browserIsMissing } from '../support/browser.js'
import type { PlatformShop } from '../support/platform.js'
import { visitOf } from '../support/portal.js'
import { openStand, type PortalStand } from '../support/portal-stand.js'
import { addWebhook, workPages } from '../support/portal-things.js'
import { goTo, tooWide, violations, visitWith } from '../support/portal-visit.js'
import { PROBLEM_CASES } from '../support/problem-cases.js'
import { rawWords } from '../support/raw-words.js'
import { figureTests } from './portal/figures.test.js'
import { COMPANY, heading, keyTests } from './portal/keys.test.js'

let stand: PortalStand
const isLeftOut = browserIsMissing()
const TILL = {
  ftCashBoxId: '|[cashbox_id]|',
  ftSignaturCreationDevices: [
    { Id: '|[scu0_id]|', Package: 'fiskalwerk.SCU.AT.Software', Url: ['|[scu0_url]|'] },
  ],
  ftQueues: [{ Id: '|[queue0_id]|', Package: 'fiskalwerk.Queue' }],
}

beforeAll(async () => {
  if (isLeftOut) return
  stand = await openStand()
  const { deps, demo } = stand.shop
  await importTemplates(
    { store: deps.store, now: () => new Date() },
    {
      text: JSON.stringify([{ name: 'A till', content: JSON.stringify(TILL) }]),
      accountId: demo.dealer.accountId,
    },
  )
})
afterAll(async () => {
  if (!isLeftOut) await stand.close()
})

const sql = async (text: string, ...values: unknown[]) =>
  (await stand.shop.deps.store.pool.query(text, values)).rows as Record<string, unknown>[]

/** Ages go on while a page is looked at. */
const ageless = (text: string) => text.replace(/\d+ (second|minute)s? ago/g, '…')

/** Nine kinds of things that can have one. */
const KINDS: readonly ProblemKind[] = [
  ...(['outage', 'report', 'no_receipts', 'configuration', 'invitation'] as const),
  ...(['order', 'webhook', 'message', 'job'] as const),
]

/** Makes them, and has the detectors look. */
async function problems(kinds: readonly ProblemKind[]): Promise<() => Promise<void>> {
  const { shop } = stand
  const after: (() => Promise<unknown>)[] = []
  const { dealer, operator } = shop.demo
  const like = { ...shop, dealer, operatorId: operator.accountId } as unknown as PlatformShop
  for (const kind of kinds) {
    const { end } = await PROBLEM_CASES[kind]({ shop: like, sql, after })
    after.unshift(end)
  }
  await shop.deps.watch.look(kinds)
  return async () => {
    for (const end of after) await end()
    await shop.deps.watch.look(kinds)
  }
}

/** For people to look at, into the folder PICTURES. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (folder !== undefined)
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

const ids = /[0-9a-f]{8}-[0-9a-f-]{27}/g
const GENERAL = readFileSync(join(import.meta.dirname, '../../portal/src/main.tsx'), 'utf8')
/** `/queues/:id`, of the table of pages. */
const PATTERNS = [...GENERAL.matchAll(/path: '([^']+)'/g)]
  .map(([, path = '']) => `/${path.replaceAll(/:\w+/g, ':id')}`)
  .filter((path) => !['/*', '/login', '/password'].includes(path))

const patternOf = (path: string): string =>
  path
    .replace(/\?.*$/, '')
    .replaceAll(ids, ':id')
    .replace(/^\/run\/\w+$/, '/run/:id')
    .replace(/^\/events\/\d+$/, '/events/:id')

const LINKS = `[...document.querySelectorAll('a[href^="/portal/"]')]
  .map((one) => one.getAttribute('href').slice('/portal'.length))
  .filter((to) => !/^\\/(api|platform|session)\\//.test(to))`

describe.skipIf(isLeftOut)('without a mouse', () => keyTests(() => stand, problems))

describe.skipIf(isLeftOut)('a day', () => {
  it('of a new merchant: by the wizard to the first signed receipt in 12 clicks', {
    timeout: 90_000,
  }, async () => {
    const { shop, browser } = stand
    const { page, faults, context } = await visitWith({ browser, url: shop.url })
    let clicks = 0
    const click = async (what: Locator) => {
      clicks += 1
      await what.click()
    }
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(`${shop.url}/portal`)
    await page.getByLabel('E-mail address').fill(shop.dealer.email)
    await page.getByLabel('Password').fill(shop.dealer.password)
    await click(button('Log in'))
    await click(page.getByRole('link', { name: 'Merchants', exact: true }))
    await click(page.getByRole('link', { name: 'Invite a merchant' }))
    await click(page.getByRole('link', { name: 'With outlets and tills at once' }))
    // the page before has fields of the same names, and stands until this one is loaded
    await button('Begin anew').waitFor()
    for (const [name, value] of Object.entries(COMPANY)) {
      await page.locator(`[name="${name}"]`).fill(value)
    }
    await click(button('Next'))
    await page.locator('[name=outlets]').fill('Prater; Praterstr. 1; 1020; Wien')
    await click(button('Next'))
    await page.locator('[name=template]').selectOption('A till')
    await click(button('Next'))
    await click(button('Next'))
    expect(await violations(page)).toEqual([])
    // the second till fails once: what is done is not done again
    let pins = 0
    await page.route('**/pairing-pin', async (route) => {
      pins += 1
      await (pins === 2 ? route.abort() : route.continue())
    })
    await click(button('Do all of it'))
    await page.getByRole('alert').waitFor()
    expect(await violations(page)).toEqual([])
    const made = await sql('select id from account where name = $1', COMPANY.name)
    expect(made, await page.getByRole('alert').innerText()).toHaveLength(1)
    // what was done so far is known to the page that comes after a reload
    await page.reload()
    await button('Retry from here').waitFor()
    // and on another computer
    const elsewhere = await stand.visitAs(shop.dealer, '/onboard/all')
    await elsewhere.page.getByRole('button', { name: 'Retry from here' }).waitFor()
    await elsewhere.context.close()
    // a click that only a fault costs
    await button('Retry from here').click()
    await page.getByRole('link', { name: 'Try in the lab' }).waitFor()
    const outlets = await sql('select number from outlet where account_id = $1', made[0]?.id)
    expect(outlets).toHaveLength(2)
    // the till whose PIN was cut off was there already
    const tills = await sql('select id from cash_box where account_id = $1', made[0]?.id)
    expect(tills).toHaveLength(2)
    await click(page.getByRole('link', { name: 'Try in the lab' }))
    await click(button('Sign'))
    const body = page.getByLabel('What the register sends (JSON)')
    await expect.poll(() => body.inputValue()).toContain('Café crème')
    await click(button('Sign'))
    await page.getByRole('link', { name: 'Open this receipt' }).waitFor()
    const counted = () => sql('select id from queue_item where account_id = $1', made[0]?.id)
    await expect.poll(async () => (await counted()).length).toBe(2)
    expect(clicks).toBeLessThanOrEqual(12)
    // the connection that was cut
    expect(faults.filter((one) => !one.includes('ERR_FAILED'))).toEqual([])
    await context.close()
  })

  it('every kind of problem has one page that ends it', { timeout: 60_000 }, async () => {
    const over = await problems(KINDS)
    const german = { locale: 'de-DE' }
    const visit = await stand.visitAs(stand.shop.dealer, '/', german)
    const { page, faults, context, settled } = visit
    const rows = page.getByRole('main').locator('tbody tr')
    await rows.first().waitFor()
    await settled()
    expect(await violations(page)).toEqual([])
    expect(await rawWords(page)).toEqual([])
    await picture(page, 'problems-1280')
    for (const width of [768, 360]) {
      await page.setViewportSize({ width, height: 740 })
      expect(await tooWide(page), String(width)).toBe('')
      await picture(page, `problems-${width}`)
    }
    const ways = await rows.evaluateAll((all) =>
      all.map((one) =>
        [...one.querySelectorAll('.primary')].map((way) => way.getAttribute('href') ?? ''),
      ),
    )
    expect(ways.length).toBeGreaterThanOrEqual(KINDS.length)
    expect(ways.filter(({ length }) => length !== 1)).toEqual([])
    for (const to of new Set(ways.flat())) {
      await goTo(page, to.slice('/portal'.length))
      await page.locator('main h1').first().waitFor()
      await settled()
      expect(PATTERNS).toContain(patternOf(to.slice('/portal'.length)))
      expect(await page.getByRole('alert').count(), to).toBe(0)
    }
    expect(faults).toEqual([])
    await over()
    await context.close()
  })

  it('every page is reached by links, and its address survives a login', {
    timeout: 120_000,
  }, async () => {
    const { shop, browser } = stand
    await addWebhook(stand)
    await workPages(stand)
    const { page, faults, context, settled } = await stand.visitAs(shop.dealer, '/')
    const german = `/operators/${stand.german}`
    const seen = new Map([['/', '/']])
    const waiting = ['/']
    const last = [german]
    // the first of each kind, and at the end the merchant with what other countries have not
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      await goTo(page, at)
      await page.locator('main h1').first().waitFor()
      await settled()
      for (const to of await page.evaluate<string[]>(LINKS)) {
        if (seen.has(patternOf(to))) continue
        seen.set(patternOf(to), to)
        waiting.push(to)
      }
      if (waiting.length === 0 && at !== german) waiting.push(...last.splice(0))
    }
    const reached = [...seen.keys()].toSorted()
    expect(reached).toEqual(expect.arrayContaining(PATTERNS.toSorted()))
    // what stands in no table would be an address that leads nowhere
    expect(reached.filter((one) => one !== '/' && !PATTERNS.includes(one))).toEqual([])
    expect(faults).toEqual([])
    await context.close()

    const stranger = await visitWith({ browser, url: shop.url })
    await stranger.page.goto(`${shop.url}/portal/login`)
    await heading(stranger.page, 'Log in')
    for (const to of seen.values()) {
      await goTo(stranger.page, to)
      const next = `/portal/login?next=${encodeURIComponent(to)}`
      await expect.poll(() => stranger.page.url()).toBe(shop.url + next)
    }
    await stranger.context.close()
  })

  it('filters stand in the address: a reload and the way back show the same', async () => {
    const { page, faults, context, settled } = await stand.visitAs(stand.shop.dealer, '/queues')
    const rows = async () => {
      await settled()
      const shown = await page.getByRole('main').locator('tbody tr, .empty').allInnerTexts()
      return ageless(shown.join())
    }
    const chosen: [string, string][] = []
    for (const state of ['active', 'stopped', '']) {
      for (const outage of [true, false]) {
        await page.getByLabel('State').selectOption(state)
        await page.getByLabel('with an outage').setChecked(outage)
        chosen.push([page.url(), await rows()])
      }
    }
    expect(new Set(chosen.map(([address]) => address)).size).toBe(6)
    for (const [address, text] of chosen) {
      await page.goto(address)
      expect(await rows()).toBe(text)
      expect(page.url()).toBe(address)
    }
    // and how a list is sorted
    await goTo(page, '/history')
    const lines = page.getByRole('main').locator('tbody tr')
    await lines.first().waitFor()
    const first = async () => ageless(await lines.first().innerText())
    const newest = await first()
    await page.getByRole('columnheader').first().getByRole('button').click()
    await expect.poll(first).not.toBe(newest)
    expect(new URL(page.url()).search).toBe('?sort=at')
    const oldest = await first()
    await page.reload()
    await expect.poll(first).toBe(oldest)
    const head = page.getByRole('columnheader').first()
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  it('with the right None a merchant is in no list, and its pages say why', async () => {
    const { shop } = stand
    const own = `/operators/${shop.demo.operator.accountId}`
    const change = 'update connection set rights = $1 where to_account_id = $2'
    await sql(change, 'None', shop.demo.operator.accountId)
    const { page, faults, context, settled } = await stand.visitAs(shop.dealer, '/operators')
    await settled()
    expect(await page.getByRole('main').innerText()).not.toContain('Café Demo')
    for (const at of [own, `${own}/cashboxes/${shop.box.cashBoxId}`, `${own}/look`]) {
      await goTo(page, at)
      await page.getByRole('alert').first().waitFor()
      await settled()
      expect(await page.getByRole('main').innerText(), at).toContain('You may not see this')
      expect(await page.getByRole('main').innerText(), at).not.toContain(shop.box.accessToken)
    }
    expect(await violations(page)).toEqual([])
    // what the server has refused, which browsers note
    expect(faults.filter((one) => !one.includes('403'))).toEqual([])
    await context.close()
    await sql(change, 'Full', shop.demo.operator.accountId)
  })

  it.each(['Read', 'ReadWrite'])(
    'with the right %s: what cannot be done says why',
    async (right) => {
      const { shop } = stand
      const own = `/operators/${shop.demo.operator.accountId}`
      const change = 'update connection set rights = $1 where to_account_id = $2'
      await sql(change, right, shop.demo.operator.accountId)
      const visit = await visitOf(shop.url, shop.dealer)
      const path = `/portal/api/posoperators/${shop.demo.operator.accountId}/outlets`
      const answer = await visit.ask('POST', path, { body: NEW_OUTLET })
      expect(answer.status).toBe(right === 'Read' ? 403 : 200)
      const { page, faults, context, settled } = await stand.visitAs(shop.dealer, own)
      for (const at of [own, `${own}/cashboxes/${shop.box.cashBoxId}`, `${own}/look`]) {
        await goTo(page, at)
        await page.locator('main h1').first().waitFor()
        await settled()
        expect(await page.evaluate(UNEXPLAINED), at).toEqual([])
      }
      await goTo(page, own)
      const add = page.getByRole('button', { name: 'Add an outlet' })
      await add.waitFor()
      await settled()
      expect(await add.getAttribute('aria-disabled')).toBe(right === 'Read' ? 'true' : null)
      expect(faults).toEqual([])
      await context.close()
      await sql(change, 'Full', shop.demo.operator.accountId)
    },
  )
})

describe.skipIf(isLeftOut)('the figures', () => figureTests(() => stand))

const UNEXPLAINED = `[...document.querySelectorAll('[aria-disabled=true], [disabled]')]
  .filter((one) => {
    const why = document.getElementById(one.getAttribute('aria-describedby') ?? '')
    return one.hasAttribute('disabled') || (why?.textContent ?? '') === ''
  })
  .map((one) => one.textContent)`

const NEW_OUTLET = {
  ...{ name: 'By right', address: 'Ring 2', postalCode: '1010', city: 'Wien', country: 'AT' },
}
