// What merchants, tills and other sites may try on whoever looks at the portal, in a real browser.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type PortalShop, Visit } from '../../support/portal.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { goTo, logInAt, visitWith } from '../../support/portal-visit.js'
import { austrianCase, saleText } from '../../support/receipts.js'

/** Runs where a text becomes part of a page. */
const EVIL = `"><img src=x onerror=document.title='evil'><svg onload=document.title='evil'>'\${7*7}`

let shop: PortalShop
let browser: Browser

/** Every name that somebody else than the reader sets. */
const NAMES = [
  ['account', 'name'],
  ['outlet', 'name'],
  ['cash_box', 'description'],
  ['queue', 'description'],
  ['scu', 'description'],
  ['person', 'name'],
  ['session', 'agent'],
] as const

/** What a register may write into a receipt. */
const IN_RECEIPT = ['cbTerminalID', 'cbUser', 'cbArea', 'cbReceiptReference', 'cbSettlement']

async function evilSale(): Promise<void> {
  const { cashBoxId, accessToken } = shop.box
  const evil = JSON.stringify(EVIL)
  const line = { Quantity: 1, Description: EVIL, Amount: 4.9, Unit: EVIL, ProductNumber: EVIL }
  const body = saleText({
    ...Object.fromEntries(IN_RECEIPT.map((name) => [name, evil])),
    cbReceiptMoment: `"${new Date().toISOString()}"`,
    ftCashBoxID: `"${cashBoxId}"`,
    cbChargeItems: `[${JSON.stringify({ ...line, VATRate: 20 })}]`,
    ftReceiptCase: austrianCase(1n),
  })
  const headers = { cashboxid: cashBoxId, accesstoken: accessToken }
  const answer = await fetch(`${shop.url}/json/v1/sign`, {
    ...{ method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } },
  })
  expect(answer.status).toBe(200)
}

export function securityTests(stand: () => PortalStand): void {
  beforeAll(() => {
    ;({ shop, browser } = stand())
  })

  describe('the portal', () => {
    it('shows names of merchants, people and tills as text on every page', {
      timeout: 120_000,
    }, async () => {
      const { operator } = shop.demo
      const { pool } = shop.deps.store
      for (const [table, column] of NAMES) {
        const changed = await pool.query(`update ${table} set ${column} = $1`, [EVIL])
        if (table !== 'session') expect(changed.rowCount, `${table}.${column}`).toBeGreaterThan(0)
      }
      await evilSale()
      const receipt = await pool.query(
        'select id from queue_item where queue_id = $1 order by row desc limit 1',
        [shop.box.queueId],
      )
      const other = await new Visit(shop.url).call('POST', '/session', {
        body: shop.dealer,
        headers: { 'user-agent': EVIL },
      })
      expect(other.status).toBe(200)

      const { page, faults, context, settled } = await stand().visitAs(shop.dealer, '/')
      const own = `/operators/${operator.accountId}`
      const pages = [
        '/',
        '/operators',
        own,
        `${own}/cashboxes/${shop.box.cashBoxId}`,
        '/queues',
        '/events',
        ...[`${own}/parts`, `${own}/possystems`, `${own}/look`, '/scus', '/cashboxes'],
        ...[`/queues/${shop.box.queueId}`, `/queues/${shop.box.queueId}/registration`],
        ...[`/receipts/${shop.box.queueId}/${receipt.rows[0]?.id}`, '/api-log', '/exports'],
        `/lab?cashBoxId=${shop.box.cashBoxId}&operatorId=${operator.accountId}`,
      ]
      for (const path of [...pages, '/outages', '/history', '/company', '/me', '/jobs']) {
        await goTo(page, path)
        await page.locator('main h1').first().waitFor()
        await settled()
        const seen = await page.evaluate<[string, number]>(
          `[document.title, document.querySelectorAll('img[src=x], svg[onload]').length]`,
        )
        expect(seen, path).toEqual([expect.not.stringContaining('evil'), 0])
      }
      await page.goto(`${shop.url}/portal/me`)
      await page.getByText(EVIL).first().waitFor()
      await page.keyboard.press('/')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await page.keyboard.type('img')
      await page.waitForTimeout(300)
      expect(await page.title()).not.toContain('evil')
      expect(faults).toEqual([])
      await context.close()
    })

    it('is in no frame of another site, whose pages send no cookie along', async () => {
      const html = () => `<iframe src="${shop.url}/portal/company"></iframe>`
      const site = createServer((_request, response) => {
        response.setHeader('content-type', 'text/html').end(html())
      })
      site.listen(0, '127.0.0.1')
      await once(site, 'listening')
      const { page, context } = await visitWith({ browser, url: shop.url })
      await logInAt(`${shop.url}/portal/`, page, shop.dealer)
      const { port } = site.address() as AddressInfo
      // another site: the name differs
      await page.goto(`http://localhost:${port}/`)
      await page.waitForLoadState('load')
      const [, frame] = page.frames()
      expect(await frame?.locator('#root').count()).toBe(0)
      const sent = page.waitForRequest((request) => request.url().includes('/session/session'))
      const options = `{ credentials: 'include', mode: 'no-cors', method: 'POST' }`
      await page.evaluate(`void fetch('${shop.url}/portal/session/session', ${options})`)
      const headers = await (await sent).allHeaders()
      expect(headers.cookie).toBeUndefined()
      await page.goto(`${shop.url}/portal/queues`)
      await page.getByRole('heading', { name: 'Registers' }).waitFor()
      site.close()
      await context.close()
    })

    it('keeps nothing of what it has shown when somebody has logged out', async () => {
      const { page, context } = await visitWith({ browser, url: shop.url })
      await logInAt(`${shop.url}/portal/queues`, page, shop.merchant)
      await page.getByRole('heading', { name: 'Registers' }).waitFor()
      await page.locator('.who button').first().click()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
      expect(await page.getByRole('heading', { name: 'Registers' }).count()).toBe(0)
      await context.close()
    })
  })
}
