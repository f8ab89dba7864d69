// A slow way to the server, and none at all.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { PortalStand } from '../../support/portal-stand.js'

const SLOW_MS = 800

export function slowTests(stand: () => PortalStand): void {
  it.concurrent('on a slow way a press shows work at once, and is sent once', async () => {
    const { shop, visitAs } = stand()
    const at = `/operators/${shop.demo.operator.accountId}`
    const { page, faults, context } = await visitAs(shop.dealer, at)
    let sent = 0
    await page.route('**/outlets', async (route) => {
      if (route.request().method() === 'POST') sent += 1
      await sleep(SLOW_MS)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Add an outlet' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Once')
    await dialog.getByLabel('Address').fill('Ring 2')
    await dialog.getByLabel('Postcode').fill('1010')
    await dialog.getByLabel('City').fill('Wien')
    const submit = dialog.locator('button[type=submit]')
    await submit.click()
    expect(await submit.getAttribute('aria-busy')).toBe('true')
    await submit.click()
    await dialog.getByLabel('City').press('Enter')
    await page.getByRole('cell', { name: 'Once', exact: true }).waitFor()
    expect(sent).toBe(1)
    expect(faults).toEqual([])
    await context.close()
  })

  it.concurrent('the wizard begun anew on a slow way keeps nothing of before', async () => {
    const { shop, visitAs } = stand()
    const person = await shop.person(shop.demo.dealer.accountId, 'Administrator')
    const { page, context, settled } = await visitAs(person, '/onboard/all')
    const name = page.locator('[name=name]')
    await name.waitFor()
    const sent: string[] = []
    await page.route('**/drafts/**', async (route) => {
      sent.push(route.request().method())
      if (route.request().method() === 'DELETE') await sleep(SLOW_MS)
      await route.continue()
    })
    await name.fill('Too late')
    await page.getByRole('button', { name: 'Begin anew' }).click()
    await expect.poll(() => name.inputValue()).toBe('')
    // longer than a page waits until it keeps what was typed
    await sleep(SLOW_MS)
    await settled()
    // what a slow machine had kept before the press is behind no DELETE
    expect(sent.filter((method) => method === 'DELETE')).toHaveLength(1)
    expect(sent.at(-1)).toBe('DELETE')
    await context.close()
  })

  it.concurrent('without a server a page says so, and is there when the server is', async () => {
    const { shop, visitAs } = stand()
    const { page, context } = await visitAs(shop.dealer, '/queues')
    await page.getByRole('heading', { name: 'Registers' }).waitFor()
    await page.route('**/portal/platform/outages*', (route) => route.abort())
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await page.getByText('The server does not answer.').first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No outage.').waitFor()
    await context.close()
  })

  it.concurrent('a stream that a proxy refused is opened again, and loses nothing', async () => {
    const { shop, visitAs } = stand()
    let refused = 0
    const { page, context } = await visitAs(shop.dealer, '/queues')
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    await page.route('**/events/stream*', async (route) => {
      refused += 1
      await (refused === 1 ? route.fulfill({ status: 502 }) : route.continue())
    })
    await page.reload()
    await page.getByText('offline').waitFor()
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    expect(refused).toBe(2)
    await context.close()
  })
}
