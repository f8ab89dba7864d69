// The interactive documentation in a real browser: it loads without a fault, asks nobody else,
// and its calls work.
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsMissing, launchBrowser, watchedPage } from '../support/browser.js'
import { openShop, type Shop } from '../support/shop.js'

describe.skipIf(browserIsMissing())('in a browser', { timeout: 60_000 }, () => {
  let shop: Shop
  let browser: Browser
  beforeAll(async () => {
    shop = await openShop()
    browser = await launchBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
  })

  it('every page loads without a fault, from this server alone', async () => {
    const { page, faults } = await watchedPage(browser)
    const foreign: string[] = []
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== shop.url && protocol !== 'data:') foreign.push(request.url())
    })
    await page.goto(`${shop.url}/`)
    const links = await page
      .locator('a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(links).toContain('/docs/middleware')
    for (const link of new Set(['/docs', ...links])) {
      const answer = await page.goto(shop.url + link, { waitUntil: 'networkidle' })
      expect(answer?.status(), link ?? '').toBe(200)
      if (link?.startsWith('/docs/') === true && !link.endsWith('.json')) {
        await page.locator('.opblock').first().waitFor()
      }
    }
    expect(faults).toEqual([])
    expect(foreign).toEqual([])
    await page.close()
  })

  it.each(['light', 'dark'] as const)(
    'the first page asks what brings you here: a way for each reader, at 360 pixels, %s',
    async (colorScheme) => {
      // its policy allows no script, and axe is one
      const context = await browser.newContext({ bypassCSP: true, colorScheme })
      const page = await context.newPage()
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(`${shop.url}/`)
      const ways = page.locator('h2:has-text("What brings you here?") + ul > li > a')
      expect(await ways.allInnerTexts()).toEqual([
        'I write a new till',
        'My till already speaks the Middleware interface',
        'I look after shops',
        'I audit a shop',
        'I want to see receipts',
        'I bought something',
      ])
      // the words are explained before an interface is named by its letter
      const text = await page.locator('main').innerText()
      expect(text.indexOf('SCU')).toBeLessThan(text.indexOf('(group'))
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      expect(wide).toBe(360)
      await page.evaluate(axe.source)
      const found = await page.evaluate('axe.run().then((r) => r.violations.map((v) => v.id))')
      expect(found).toEqual([])
      await context.close()
    },
  )

  it('the calls of group B work from their page', async () => {
    const { page, faults } = await watchedPage(browser)
    await page.goto(`${shop.url}/docs/middleware`, { waitUntil: 'networkidle' })
    await page.locator('.btn.authorize').first().click()
    for (const value of [shop.box.cashBoxId, shop.box.accessToken]) {
      await page.locator('.auth-container input').first().fill(value)
      await page.locator('.auth-container button.authorize').first().click()
    }
    await page.locator('.btn-done').first().click()
    const answers: Record<string, string> = {}
    for (const operation of ['echo', 'sign', 'journal']) {
      const block = page.locator(`#operations-Middleware-${operation}`)
      await block.locator('.opblock-summary-control').click()
      await block.locator('input[placeholder="queue"]').fill(shop.box.queueId)
      await block.locator('.btn.execute').click()
      const live = block.locator('.live-responses-table')
      await live.locator('.response-col_description pre').first().waitFor()
      expect(await live.locator('.response-col_status').nth(1).innerText()).toContain('200')
      answers[operation] = await live.locator('pre').first().innerText()
    }
    expect(answers.echo).toContain('"message": "hello"')
    expect(answers.sign).toContain('"cbReceiptReference": "docs-1"')
    expect(answers.sign).toContain('_R1-AT')
    expect(answers.journal).toContain('"ftQueueItemId"')
    expect(faults).toEqual([])
    await page.close()
  })

  it('a sale of group D can be tried again and again: each try is a new operation', async () => {
    const { page, faults } = await watchedPage(browser)
    const sent: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/v2/sign')) sent.push(request.headers()['x-operation-id'])
    })
    await page.goto(`${shop.url}/docs/possystem`, { waitUntil: 'networkidle' })
    await page.locator('.btn.authorize').first().click()
    for (const value of [shop.box.cashBoxId, shop.box.accessToken]) {
      await page.locator('.auth-container input').first().fill(value)
      await page.locator('.auth-container button.authorize').first().click()
    }
    await page.locator('.btn-done').first().click()
    const block = page.locator('#operations-PosSystem-postSign')
    await block.locator('.opblock-summary-control').click()
    const live = block.locator('.live-responses-table')
    for (const time of [1, 2]) {
      await block.locator('.btn.execute').click()
      await expect.poll(() => sent.length).toBe(time)
      await live.locator('.response-col_description pre').first().waitFor()
      await expect
        .poll(() => live.locator('.response-col_status').nth(1).innerText())
        .toContain('201')
    }
    expect(new Set(sent).size).toBe(2)
    expect(faults).toEqual([])
    await page.close()
  })
})
