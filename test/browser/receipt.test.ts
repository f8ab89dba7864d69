// The page of a receipt in a real browser: it loads without a fault, asks nobody else, fits a
// narrow screen, and its code can be seen on a dark one.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsMissing, launchBrowser, watchedPage } from '../support/browser.js'
import { type Desk, openDesk } from '../support/issue-desk.js'
import { openShop, type Shop } from '../support/shop.js'
import { signedPair } from '../support/signed-pair.js'

const ITEMS =
  '[{"Quantity":2,"Description":"Verlängerter mit Schlagobers","Amount":7.60,"VATRate":20,' +
  '"ftChargeItemCase":4707387510509010947},{"Quantity":1,"Description":"Krapfen mit ' +
  'Marillenmarmelade","Amount":1.20,"VATRate":10,"ftChargeItemCase":4707387510509010945}]'
const PAYMENT =
  '[{"Quantity":1,"Description":"Bar","Amount":8.8,"ftPayItemCase":4707387510509010945}]'

describe.skipIf(browserIsMissing())('in a browser', { timeout: 60_000 }, () => {
  let shop: Shop
  let desk: Desk
  let browser: Browser
  beforeAll(async () => {
    shop = await openShop({}, undefined, { countries: ['AT'] })
    desk = await openDesk(shop)
    browser = await launchBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await desk?.close()
    await shop?.close()
  })

  it('a receipt is read without a fault, from this server alone, and delivered', async () => {
    const pair = await signedPair(shop, { cbChargeItems: ITEMS, cbPayItems: PAYMENT })
    expect((await desk.post('/issue', pair.body)).status).toBe(201)
    const { page, faults } = await watchedPage(browser)
    const foreign: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== shop.url) foreign.push(request.url())
    })
    await page.goto(`${shop.url}/${pair.queueId}/${pair.queueItemId}`)
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.locator('#items').innerText()).toContain('Krapfen mit Marillenmarmelade')
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const wider = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(wider, `${width} px`).toBeLessThanOrEqual(0)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    const quiet = page.locator('svg.qr path').first()
    expect(await quiet.getAttribute('fill')).toBe('#fff')
    expect(faults).toEqual([])
    expect(foreign).toEqual([])
    const delivered = await desk.get(`/issue/${pair.queueId}/${pair.queueItemId}/delivered`)
    expect(delivered.json()).toMatchObject({ state: 'Printed', DeliveryMethod: 'viewed' })
  })
})
