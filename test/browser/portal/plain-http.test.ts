// The portal of a server in a shop, by its name and without TLS: there browsers give a page neither
// ids nor the clipboard, and no passkeys. And a browser that lets no page keep anything.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { PortalStand } from '../../support/portal-stand.js'
import { logInAt, visitWith } from '../../support/portal-visit.js'
import { COMPANY } from './keys.test.js'

const HOST = 'till-server.example'
/** Chromium asks nobody for it. */
export const AT_HOST = `--host-resolver-rules=MAP ${HOST} 127.0.0.1`

export function plainHttpTests(stand: () => PortalStand): void {
  const visitPlain = async (path: string) => {
    const { shop, browser } = stand()
    const { port } = new URL(shop.url)
    const url = `http://${HOST}:${port}`
    const visit = await visitWith({ browser, url })
    const person = await shop.person(shop.demo.dealer.accountId, 'Administrator')
    await logInAt(`${url}/portal${path}`, visit.page, person)
    expect(await visit.page.evaluate('isSecureContext')).toBe(false)
    return visit
  }
  /** What a key would put into a field. */
  const pasted = async (page: Page): Promise<string> => {
    await page.getByRole('searchbox').first().click()
    await page.keyboard.press('Control+v')
    return page.getByRole('searchbox').first().inputValue()
  }

  it.concurrent('without TLS the wizard does all of its steps', async () => {
    const { page, faults, context } = await visitPlain('/onboard/all')
    for (const [name, value] of Object.entries(COMPANY)) {
      await page.locator(`[name="${name}"]`).fill(value)
    }
    const next = page.getByRole('button', { name: 'Next', exact: true })
    await next.click()
    await page.locator('[name=outlets]').fill('Prater; Praterstr. 1; 1020; Wien')
    for (let step = 0; step < 3; step += 1) await next.click()
    await page.getByRole('button', { name: 'Do all of it' }).click()
    await page.locator('.actions').getByRole('link', { name: 'Merchant', exact: true }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it.concurrent('without TLS a till of the lab signs', async () => {
    const { box, demo } = stand().shop
    const at = `/lab?cashBoxId=${box.cashBoxId}&operatorId=${demo.operator.accountId}`
    const { page, faults, context } = await visitPlain(at)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('link', { name: 'Open this receipt' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it.concurrent('without TLS an id is copied, or stands there to be copied', async () => {
    const { page, faults, context } = await visitPlain('/company')
    const copy = page.getByRole('button', { name: 'Copy', exact: true }).first()
    const id = await page.locator('main code').first().innerText()
    await copy.click()
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await page.reload()
    await copy.waitFor()
    await page.evaluate('document.execCommand = () => false')
    await copy.click()
    const field = page.getByLabel('copy it from here')
    await field.waitFor()
    expect(await field.inputValue()).toBe(id)
    const chosen = await page.evaluate('getSelection().toString()')
    expect(chosen).toBe(id)
    await page.goto(page.url().replace('/company', '/queues'))
    expect(await pasted(page)).toBe(id)
    expect(faults).toEqual([])
    await context.close()
  })

  it.concurrent.each([
    ['has no place', 'undefined'],
    ['gives no page its place', "(() => { throw new DOMException('no', 'SecurityError') })()"],
  ])('where a browser %s to keep things, rows are high as long as the page', async (_, place) => {
    const { shop, visitAs } = stand()
    const { page, faults, context } = await visitAs(shop.dealer, '/queues')
    await page.addInitScript(
      `Object.defineProperty(window, 'localStorage', { get: () => ${place} })`,
    )
    await page.goto(page.url().replace('/queues', '/me'))
    const choice = page.getByLabel('higher rows')
    await choice.check()
    expect(await page.evaluate('document.documentElement.dataset.rows')).toBe('high')
    await choice.uncheck()
    expect(await page.evaluate('document.documentElement.dataset.rows')).toBe('')
    expect(faults).toEqual([])
    await context.close()
  })
}
