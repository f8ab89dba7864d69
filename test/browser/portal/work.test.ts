// Work in the portal in a real browser: the lab, the look of receipts, bundles; API keys and the
// history: made by an administrator who has confirmed who he is, shown once, ended, and told who
// has done what.
import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { PortalShop } from '../../support/portal.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { logInAt, tooWide, violations, visitWith } from '../../support/portal-visit.js'

let shop: PortalShop
let browser: Browser

const status = async (token: string) => {
  const headers = { accountid: shop.demo.dealer.accountId, accesstoken: token }
  return (await fetch(`${shop.url}/platform/v1/problem-counts`, { headers })).status
}

export function workTests(stand: () => PortalStand): void {
  beforeAll(() => {
    ;({ shop, browser } = stand())
  })

  it('a key is made, shown once, used, changed and ended', async () => {
    const { page, faults, context } = await visitWith({ browser, url: shop.url })
    await logInAt(`${shop.url}/portal/company`, page, shop.dealer)
    await page.getByText('No key yet.').waitFor()
    await shop.deps.store.pool.query(`update session set confirmed_at = now() - interval '1 hour'`)
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByLabel('Which program is it for?').fill('Import <b>')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByRole('textbox', { name: 'Password' }).fill(shop.dealer.password)
    await page.getByRole('button', { name: 'Go on' }).click()
    const secret = page.locator('code.secret')
    const token = (await secret.textContent()) ?? ''
    expect(token).toMatch(/^fwk_[\w-]{43}$/)
    expect(await status(token)).toBe(200)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('dealer:read, platform:read').waitFor()
    expect(await page.content()).not.toContain(token)
    await page.getByRole('button', { name: 'New token' }).last().click()
    expect(await status((await secret.textContent()) ?? '')).toBe(200)
    expect(await status(token)).toBe(200)
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    const ask = page.getByRole('dialog')
    await ask.getByRole('textbox').fill('Import <b>')
    await ask.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('No key yet.').waitFor()
    expect(await status(token)).toBe(401)
    // what the server wanted confirmed is a refusal, which browsers note
    expect(faults.filter((fault) => !fault.includes('403'))).toEqual([])
    await context.close()
  })

  it('who only reads sees no keys, and why', async () => {
    const { page, faults, context } = await visitWith({ browser, url: shop.url })
    const reader = await shop.person(shop.demo.dealer.accountId, 'Reader')
    await logInAt(`${shop.url}/portal/company`, page, reader)
    const add = page.getByRole('button', { name: 'Make a key' })
    await add.waitFor()
    expect(await add.getAttribute('aria-disabled')).toBe('true')
    expect(faults).toEqual([])
    await context.close()
  })

  it('the history fits on every screen, and has its table', async () => {
    const { page, faults, context } = await stand().visitAs(shop.dealer, '/history')
    await page.getByText('deleteApiKey').first().waitFor()
    await page.getByText('Before and after').first().click()
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 760 })
      expect(await violations(page)).toEqual([])
      expect(await tooWide(page)).toBe('')
    }
    expect(faults).toEqual([])
    await context.close()
  })

  it('signs in the lab, shows the receipt with its checks, and lets a unit fail', async () => {
    const at = `/lab?cashBoxId=${shop.box.cashBoxId}&operatorId=${shop.demo.operator.accountId}`
    const { page, faults, context } = await stand().visitAs(shop.dealer, at)
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText('"Accepted":true').waitFor()
    await page.getByLabel('What happens').selectOption('it cannot be reached')
    await page.getByLabel('For so many calls').fill('1')
    await page.getByRole('button', { name: 'Let it fail' }).click()
    await page.getByRole('listitem').filter({ hasText: 'it cannot be reached' }).waitFor()
    await page.getByRole('button', { name: 'Let it work again' }).click()
    await page.getByText('It works.').waitFor()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('link', { name: 'Open this receipt' }).click()
    await page.getByRole('heading', { name: 'Checked just now' }).waitFor()
    expect(await page.locator('.checks .good').count()).toBe(4)
    const width = 'document.querySelector(".paper img").naturalWidth'
    await expect.poll(() => page.evaluate<number>(width)).toBeGreaterThan(200)
    await page.getByRole('link', { name: 'Receipt before' }).click()
    await page.getByRole('link', { name: 'Next receipt' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('keeps a look that was seen first, and asks for a bundle', async () => {
    const at = `/operators/${shop.demo.operator.accountId}/look`
    const { page, faults, context } = await stand().visitAs(shop.dealer, at)
    await page.getByLabel('Name on the receipt').fill('Kaffeehaus Ring')
    await page.getByRole('button', { name: '58 mm' }).click()
    await page.getByAltText(/as it is printed/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('From now on receipts look like this.').waitFor()
    await page.goto(`${shop.url}/portal/exports`)
    await page.getByRole('button', { name: 'Ask for a bundle' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Merchant').selectOption('Café Demo')
    await dialog.getByRole('button', { name: 'last year' }).click()
    await dialog.getByRole('button', { name: 'Ask for a bundle' }).click()
    await page
      .getByRole('cell', { name: /waits|runs|done/ })
      .first()
      .waitFor()
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
}
