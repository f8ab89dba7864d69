// The portal in a real browser: logging in, every page in light, dark and on a phone, what the
// drawer tells, and two tabs of two accounts.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsMissing, launchBrowser } from '../support/browser.js'
import { openPortal, type Person, type PortalShop } from '../support/portal.js'

const run = promisify(execFile)
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PAGES = [
  ...['/', '/operators', '/queues', '/outages', '/invitations', '/onboard', '/events'],
  ...['/company', '/me', '/operations', '/run/createOutlet', '/nothing-here'],
]

let shop: PortalShop
let browser: Browser

const isLeftOut = browserIsMissing()

beforeAll(async () => {
  if (isLeftOut) return
  shop = await openPortal()
  browser = await launchBrowser()
})
afterAll(async () => {
  if (isLeftOut) return
  await browser.close()
  await shop.close()
})

interface Visit {
  page: Page
  /** Console, refused policy, foreign or failed requests. */
  faults: string[]
  context: BrowserContext
}

async function visit(options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  context.setDefaultTimeout(8_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== shop.url) {
      faults.push(`foreign: ${request.url()}`)
    }
  })
  return { page, faults, context }
}

async function logIn(page: Page, person: Person, at = '/'): Promise<void> {
  await page.goto(`${shop.url}/portal${at}`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('main').waitFor()
  await page.locator('.top').waitFor()
}

const settled = (page: Page) => page.waitForLoadState('load').then(() => page.waitForTimeout(300))

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

describe.skipIf(isLeftOut)('the portal', () => {
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

  it.each([
    ['light', 1280, 'en-GB'],
    ['dark', 1280, 'de-AT'],
    ['light', 360, 'fr-FR'],
  ] as const)(
    'every page in %s at %i pixels: axe finds nothing, nothing is refused',
    {
      timeout: 120_000,
    },
    async (colorScheme, width, locale) => {
      const { page, faults, context } = await visit({
        ...{ colorScheme, locale: 'en-GB', viewport: { width, height: 800 } },
      })
      await logIn(page, await shop.person(shop.demo.dealer.accountId, 'Administrator'))
      if (locale !== 'en-GB') {
        await page.goto(`${shop.url}/portal/me`)
        await page.getByLabel('Language').selectOption(locale.slice(0, 2))
        await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2))
      }
      for (const path of PAGES) {
        await page.goto(`${shop.url}/portal${path}`)
        await page.locator('main h1').first().waitFor()
        await settled(page)
        expect(await violations(page), path).toEqual([])
        const wide = await page.evaluate<number>(
          'document.documentElement.scrollWidth - innerWidth',
        )
        expect(wide, `${path} is wider than the screen`).toBeLessThanOrEqual(0)
      }
      expect(faults).toEqual([])
      await context.close()
    },
  )

  it('the drawer shows a call that curl makes, with the same answer', async () => {
    const { page, faults, context } = await visit()
    await logIn(page, shop.dealer)
    await page.goto(`${shop.url}/portal/queues`)
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
    const { page, context } = await visit()
    await logIn(page, shop.dealer)
    await page.goto(`${shop.url}/portal/events`)
    const isStored = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.getByLabel('Tell signed receipts too').check()
    await isStored
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    await shop.sale()
    await page.getByRole('cell', { name: 'receipt.signed' }).first().waitFor()
    await context.close()
  })

  it('goes everywhere by the keyboard: search, jump, help', async () => {
    const { page, faults, context } = await visit()
    await logIn(page, shop.dealer)
    await page.keyboard.press('g')
    await page.keyboard.press('c')
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
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('adds an outlet, and says at the field what is wrong', async () => {
    const { page, context } = await visit()
    await logIn(page, shop.dealer, `/operators/${shop.demo.operator.accountId}`)
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
    const { page, faults, context } = await visit()
    await logIn(page, reader, `/operators/${shop.demo.operator.accountId}`)
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
    await logIn(page, shop.dealer, `/operators/${accountId}`)
    await shop.also(shop.dealer, accountId)
    await page.getByRole('button', { name: 'Add an outlet' }).click()
    const other = await context.newPage()
    await other.goto(`${shop.url}/portal`)
    await other.getByRole('button', { name: /Dora Dealer/ }).click()
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
})
