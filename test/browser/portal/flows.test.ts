// What people do in the portal: logging in, working, and two tabs of two accounts.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { URI } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { examplePeople } from '../../../src/api/dealer/operations/invitation-schemas.js'
import { codeIn, pixelsOf } from '../../support/pictures.js'
import { accountHeaders } from '../../support/platform.js'
import type { Person, PortalShop } from '../../support/portal.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { logInAt, violations, visitWith } from '../../support/portal-visit.js'

const run = promisify(execFile)
let shop: PortalShop
let browser: Browser
let visitAs: PortalStand['visitAs']

const visit = (options: Parameters<Browser['newContext']>[0] = {}) =>
  visitWith({ browser, url: shop.url }, options)
const logIn = (page: Page, person: Person, at = '/') =>
  logInAt(`${shop.url}/portal${at}`, page, person)

const SOURCE = join(import.meta.dirname, '../../../src')

interface Named {
  to: string
  /** Left out: another test opens it. */
  heading?: string
}

/** Whatever stands in a letter, a page or an answer. */
const NAMED: Readonly<Record<string, Named>> = {
  '/portal': { to: '/portal', heading: 'Problems' },
  '/portal/login': { to: '/portal', heading: 'Problems' },
  '/portal/events': { to: '/portal/events', heading: 'Events' },
  // of one that was sent, and of a person
  '/portal/invitations?view=history&search=': { to: '/portal/invitations' },
  '/portal/password#': { to: '/portal/password' },
}

/** Addresses of pages in the program, but those of the portal's own interface. */
function addressesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith(join('api', 'portal')))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/["'`}](\/portal[^"'`$\s\\]*)/g),
    ])
    .map(([, address = '']) => address)
  return [...new Set(found)].filter((one) => !/^\/portal\/(session|api|platform)/.test(one))
}

export function flowTests(stand: () => PortalStand): void {
  beforeAll(() => {
    ;({ shop, browser, visitAs } = stand())
  })

  it('opens the page that was asked for behind the login, and nothing of elsewhere', async () => {
    const { page, faults, context } = await visit()
    await logIn(page, shop.dealer, '/queues?state=active')
    await expect.poll(() => page.url()).toBe(`${shop.url}/portal/queues?state=active`)
    await page.getByRole('heading', { name: 'Registers' }).waitFor()
    expect(faults).toEqual([])
    await context.close()

    const other = await visit()
    const next = encodeURIComponent('//evil.example/')
    await logIn(other.page, shop.dealer, `/login?next=${next}`)
    expect(new URL(other.page.url()).origin).toBe(shop.url)
    await other.context.close()
  })

  it('shows the code for an authenticator app on a dark phone, and takes its code', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, faults, context } = await visit({ colorScheme: 'dark', viewport })
    await logIn(page, await shop.person(shop.demo.dealer.accountId, 'Member'), '/me')
    await page.getByRole('button', { name: 'Turn on' }).click()
    const picture = page.getByAltText('QR code for the authenticator app')
    await picture.waitFor()
    expect(await violations(page)).toEqual([])
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(wide).toBeLessThanOrEqual(0)
    const address = codeIn(await pixelsOf(await picture.screenshot())) ?? ''
    await page.getByLabel('Code of the app').fill(URI.parse(address).generate())
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('shows long work while it goes on, and hands over the bundle that came of it', {
    timeout: 120_000,
  }, async () => {
    const { page, faults, context } = await visitAs(shop.dealer, '/jobs')
    await page.getByText('No long work.').waitFor()
    const asked = await fetch(`${shop.url}/platform/v1/inspections`, {
      method: 'POST',
      headers: { ...accountHeaders(shop.demo.dealer), 'content-type': 'application/json' },
      body: JSON.stringify({
        posOperatorId: shop.demo.operator.accountId,
        ...{ from: '2026-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z', language: 'en' },
        // the page waits for a job, whatever is in its file
        include: ['masterData'],
      }),
    })
    expect(asked.status).toBe(202)
    await page.reload()
    await page.getByRole('button', { name: 'Call off' }).waitFor()
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    // from here on by events alone
    await shop.deps.jobs.start()
    const link = page.getByRole('link', { name: 'Download' })
    await link.waitFor({ timeout: 90_000 })
    const coming = page.waitForEvent('download')
    await link.click()
    const file = await (await coming).createReadStream()
    const pieces: Buffer[] = []
    for await (const piece of file) pieces.push(piece)
    await shop.deps.jobs.stop()
    expect(Buffer.concat(pieces).subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
    expect(faults).toEqual([])
    await context.close()
  })

  it('opens the address in the answer of an invitation that was sent', async () => {
    const send = async (line: string, body: unknown) => {
      const headers = {
        ...accountHeaders(shop.demo.dealer),
        'content-type': 'application/json',
      }
      const answer = await fetch(`${shop.url}/api/pos-operators-invitation${line}`, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
      })
      return (await answer.json()) as Record<string, string>
    }
    const word = 'portal-address'
    const { id = '' } = await send('', examplePeople(word))
    const { url = '' } = await send(`/${id}/execute`, {})
    const to = new URL(url).href.slice(`${shop.url}/portal`.length)
    const { page, faults, context } = await visitAs(shop.dealer, to)
    const rows = page.getByRole('main').locator('tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(1)
    expect(await rows.first().innerText()).toContain(word)
    expect(faults).toEqual([])
    await context.close()
  })

  it('addresses that mails and answers name are known, and open behind the login', async () => {
    expect(addressesIn(SOURCE).toSorted()).toEqual(Object.keys(NAMED).toSorted())
    for (const [address, { to, heading }] of Object.entries(NAMED)) {
      if (heading === undefined) continue
      const { page, faults, context } = await visit()
      await logInAt(shop.url + address, page, shop.dealer)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      expect(new URL(page.url()).pathname.replace(/\/$/, '')).toBe(to)
      expect(faults).toEqual([])
      await context.close()
    }
  })

  it('the drawer shows a call that curl makes, with the same answer', async () => {
    const { page, faults, context } = await visitAs(shop.dealer, '/queues')
    await page.getByRole('link', { name: 'Café Demo' }).first().waitFor()
    await page.keyboard.press('c')
    const drawer = page.getByRole('dialog')
    const command = await drawer.locator('pre').first().innerText()
    const shown = await drawer.locator('pre.answer').innerText()
    const { accountId, accessToken } = shop.demo.dealer
    const { stdout } = await run('bash', ['-c', command], {
      env: {
        ...process.env,
        ...{ FISKALWERK_URL: shop.url, ACCOUNT_ID: accountId, ACCOUNT_TOKEN: accessToken },
      },
    })
    expect(JSON.parse(stdout)).toEqual(JSON.parse(shown))
    expect(JSON.parse(stdout).items).toHaveLength(1)
    expect(command).not.toContain(accessToken)
    expect(faults).toEqual([])
    await context.close()
  })

  it('a signed receipt is on the page of events without a reload', async () => {
    const { page, context } = await visitAs(shop.dealer, '/events')
    // a slow way to the server: the switch follows the hand, and the last wish holds
    await page.route('**/event-settings', async (route) => {
      await sleep(400)
      await route.continue()
    })
    const stored = (wish: boolean) =>
      page.waitForResponse((answer) => answer.request().postData()?.includes(`${wish}`) === true)
    const [first, second] = [stored(true), stored(false)]
    const wish = page.getByLabel('Tell signed receipts too')
    await wish.check()
    await wish.uncheck()
    await wish.check()
    await first
    await second
    await stored(true)
    expect(await wish.isChecked()).toBe(true)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    await shop.sale()
    await page.getByRole('cell', { name: 'receipt.signed' }).first().waitFor()
    await context.close()
  })

  it('goes everywhere by the keyboard: search, jump, help', async () => {
    const { page, faults, context } = await visitAs(shop.dealer, '/')
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'Registers' }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('Café')
    await page
      .getByRole('option', { name: /Café Demo/ })
      .first()
      .waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Café Demo' }).waitFor()
    // a whole id leads to the thing itself
    await page.keyboard.press('/')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.insertText(shop.box.cashBoxId)
    await page
      .getByRole('option', { name: /CashBox/ })
      .first()
      .click()
    await page.waitForURL(`**/cashboxes/${shop.box.cashBoxId}`)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('rows of tables are dense, or as high as somebody likes them', async () => {
    const { page, context } = await visitAs(shop.dealer, '/me')
    const row = page.getByRole('main').locator('tbody tr').first()
    const height = async () => (await row.boundingBox())?.height ?? Number.NaN
    await row.waitFor()
    const dense = await height()
    await page.getByLabel('higher rows').check()
    expect(await height()).toBeGreaterThan(dense + 8)
    await page.reload()
    await row.waitFor()
    expect(await height()).toBeGreaterThan(dense + 8)
    await page.getByLabel('higher rows').uncheck()
    expect(await height()).toBe(dense)
    await context.close()
  })

  it('adds an outlet, and says at the field what is wrong', async () => {
    const at = `/operators/${shop.demo.operator.accountId}`
    const { page, context } = await visitAs(shop.dealer, at)
    await page.getByRole('button', { name: 'Add an outlet' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.locator('.wrong').first().waitFor()
    const script = '<img src=x onerror=alert(1)>'
    await dialog.getByLabel('Name').fill(script)
    await dialog.getByLabel('Address').fill('Ring 2')
    await dialog.getByLabel('Postcode').fill('1010')
    await dialog.getByLabel('City').fill('Wien')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('cell', { name: script }).waitFor()
    await context.close()
  })

  it('a reader sees why he may not, and may not', async () => {
    const reader = await shop.person(shop.demo.dealer.accountId, 'Reader')
    const at = `/operators/${shop.demo.operator.accountId}`
    const { page, faults, context } = await visitAs(reader, at)
    const button = page.getByRole('button', { name: 'Add an outlet' })
    await button.waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.focus()
    const why = page.getByRole('tooltip').filter({ hasText: 'Your role does not allow this' })
    await expect.poll(() => why.first().isVisible()).toBe(true)
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  it('two tabs: after a switch in one, nothing is saved from the other', async () => {
    const { page, context } = await visit()
    const { accountId } = shop.demo.operator
    const person = await shop.person(shop.demo.dealer.accountId, 'Administrator')
    await logIn(page, person, `/operators/${accountId}`)
    await shop.also(person, accountId)
    await page.getByRole('button', { name: 'Add an outlet' }).click()
    const other = await context.newPage()
    await other.goto(`${shop.url}/portal`)
    await other.getByRole('button', { name: /^Person/ }).click()
    await other.getByRole('button', { name: 'Work for Café Demo' }).click()
    await other.locator('.company', { hasText: 'Café Demo' }).waitFor()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('In the wrong account')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('dialog', { name: 'Another account in another tab' }).waitFor()
    const { rows } = await shop.deps.store.pool.query(
      `select from outlet where name = 'In the wrong account'`,
    )
    expect(rows).toHaveLength(0)
    await context.close()
  })

  it('the token is shown after the password, and the link of a mail makes one', async () => {
    const { page, context } = await visit()
    const someone = await shop.invited(shop.demo.dealer.accountId)
    await page.goto(someone.link)
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Save and log in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('New password').fill('Long-Enough-77')
    await page.getByRole('button', { name: 'Save and log in' }).click()
    await page.locator('.top').waitFor()
    await shop.deps.store.pool.query(`update session set confirmed_at = now() - interval '1 hour'`)
    await page.goto(`${shop.url}/portal/company`)
    await page.getByRole('button', { name: 'Show the token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill('Long-Enough-77')
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await page.getByText(shop.demo.dealer.accessToken).waitFor()
    await context.close()
  })

  it('names in its document all that the first view of an address needs', async () => {
    const { accountId } = shop.demo.operator
    const box = `/operators/${accountId}/cashboxes/${shop.box.cashBoxId}`
    for (const [path, locale] of [
      ['/', 'de-AT'],
      ['/queues', 'fr-FR'],
      [`/operators/${accountId}`, 'it-IT'],
      [box, 'en-GB'],
    ] as const) {
      const { page, faults, context } = await visitAs(shop.dealer, path, { locale })
      await page.locator('main h1').waitFor()
      // what is found by a script comes later by a whole call
      const named = await page.evaluate<string[]>(
        `[...document.head.querySelectorAll('script, link')].map((one) => one.src || one.href)`,
      )
      const loaded = await page.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name)`,
      )
      const late = loaded.filter((one) => /\.js$/.test(one) && !named.includes(one))
      expect(
        late.filter((one) => !one.includes('/palette-')),
        path,
      ).toEqual([])
      const sessions = loaded.filter((one) => one.endsWith('/session/session'))
      expect(sessions, path).toEqual(named.filter((one) => one.endsWith('/session/session')))
      expect(faults).toEqual([])
      await context.close()
    }
  })

  it('is in no frame, and its policy lets nothing in', async () => {
    const answer = await fetch(`${shop.url}/portal/queues`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("trusted-types 'none'")
    expect(policy).not.toContain('unsafe')
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    const [, script = ''] = /src="(\/portal\/assets\/[^"]+)"/.exec(await answer.text()) ?? []
    const file = await fetch(shop.url + script)
    expect(file.headers.get('cache-control')).toContain('immutable')
  })
}
