// A working day in the portal without a mouse: what a call was, a unit that is proved, outlets from
// a file, a merchant with tills in five steps, another unit for a register; and the structure of
// those pages as readers hear it.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { importTemplates } from '../../../src/core/rollout/template/records.js'
import type { PortalShop } from '../../support/portal.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { violations } from '../../support/portal-visit.js'

let shop: PortalShop

const TILL = {
  ftCashBoxId: '|[cashbox_id]|',
  ftSignaturCreationDevices: [
    { Id: '|[scu0_id]|', Package: 'fiskalwerk.SCU.AT.Software', Url: ['|[scu0_url]|'] },
  ],
  ftQueues: [{ Id: '|[queue0_id]|', Package: 'fiskalwerk.Queue' }],
}

/** Goes to it with the tab key, as often as it takes. */
async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'link' | 'textbox') {
  const wanted = page.getByRole(role, { name, exact: true }).first()
  await wanted.waitFor()
  for (let count = 0; count < 120; count += 1) {
    if (await wanted.evaluate((one) => one === one.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the tab key does not lead to ${name}`)
}

const press = async (page: Page, name: string | RegExp, role: 'button' | 'link' = 'button') => {
  await tabTo(page, name, role)
  await page.keyboard.press('Enter')
}

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** What a reader hears of the page, without what differs from day to day. */
async function heard(page: Page): Promise<string> {
  const text = await page.getByRole('main').ariaSnapshot()
  return `${text
    .replace(IDS, 'ID')
    .replace(/\d{1,2} \w{3,9} \d{4}(, \d\d:\d\d(:\d\d)?)?/g, 'DAY')
    .replace(/\b\d+(\.\d+)? ms\b/g, 'N ms')
    .replace(/\b(0x)?[0-9a-f]{8,}\b/gi, 'HEX')}\n`
}

export function dayTests(stand: () => PortalStand): void {
  beforeAll(async () => {
    ;({ shop } = stand())
    const text = JSON.stringify([{ name: 'A till', content: JSON.stringify(TILL) }])
    await importTemplates(
      { store: shop.deps.store, now: () => new Date() },
      { text, accountId: shop.demo.dealer.accountId },
    )
  })

  it('finds the refusal of a register in the log, and what to do about it', async () => {
    const { cashBoxId, accessToken } = shop.box
    const type = { 'content-type': 'application/json' }
    const headers = { cashboxid: cashBoxId, accesstoken: accessToken, ...type }
    const body = '{"ftReceiptCase":4707387510509010945}'
    await fetch(`${shop.url}/json/v1/sign`, { method: 'POST', headers, body })
    await shop.deps.callLog?.settled()
    const { page, faults, context } = await stand().visitAs(shop.dealer, '/')
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    await page.getByRole('heading', { name: 'API log' }).waitFor()
    await press(page, 'POST /json/v1/sign', 'link')
    await page.getByRole('heading', { name: 'Look at this' }).waitFor()
    // digits stay as they came
    await page.getByText('4707387510509010945').first().waitFor()
    await expect(await heard(page)).toMatchFileSnapshot('snapshots/api-call.yml')
    expect(await page.content()).not.toContain(accessToken)
    expect(faults).toEqual([])
    await context.close()
  })

  it('proves a signing unit, and says why a key in this server is not set', async () => {
    const { page, faults, context } = await stand().visitAs(shop.dealer, '/')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    const first = page.getByRole('main').locator('tbody a[href*="/scus/"]').first()
    await first.focus()
    await page.keyboard.press('Enter')
    await press(page, 'Prove it now')
    await page.getByText('its key lies in this server: for tests only').waitFor()
    await tabTo(page, 'Other settings', 'button')
    await page.getByText('A unit in this server has nothing to be set.').first().waitFor()
    expect(await violations(page)).toEqual([])
    await expect(await heard(page)).toMatchFileSnapshot('snapshots/unit.yml')
    expect(faults).toEqual([])
    await context.close()
  })

  it('outlets from a file: what is wrong stands at its line, what is right is stored', async () => {
    const at = `/operators/${shop.demo.operator.accountId}/outlets/import`
    const { page, faults, context } = await stand().visitAs(shop.dealer, at)
    const choose = async (text: string) => {
      const input = page.getByLabel('File (CSV, UTF-8)')
      await input.setInputFiles({
        ...{ name: 'outlets.csv', mimeType: 'text/csv', buffer: Buffer.from(text) },
      })
    }
    const head = 'name;address;postalCode;city;country'
    await choose(`${head}\nPrater;;1020;Wien;AT\nRing;Ring 2;1010;Wien;Austria\n`)
    await page.getByText('is no country of two letters').waitFor()
    await expect(await heard(page)).toMatchFileSnapshot('snapshots/outlet-import.yml')
    expect(await violations(page)).toEqual([])
    await choose(`${head}\nPrater;Hauptallee 1;1020;Wien;AT\nRing;Ring 2;1010;Wien;AT\n`)
    await page.getByText('2 new, 0 overwritten').waitFor()
    await press(page, 'Store all of it')
    await page.getByText('2 outlets were stored.').waitFor()
    await page.getByRole('cell', { name: 'Hauptallee 1, 1020 Wien' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('makes a merchant with tills in five steps, and goes on where it failed', async () => {
    const { page, faults, context } = await stand().visitAs(shop.dealer, '/onboard/all')
    const fill = async (values: Record<string, string>) => {
      for (const [name, value] of Object.entries(values)) {
        await page.locator(`[name="${name}"]`).focus()
        await page.keyboard.insertText(value)
      }
    }
    await fill({ name: 'Blumen Lenz', email: 'no address', addressLine1: 'Ring 2' })
    await fill({ postalCode: '1010', city: 'Wien', vatId: 'ATU12345675' })
    await fill({ firstName: 'Ida', lastName: 'Lenz' })
    await page.keyboard.press('Enter')
    await fill({ outlets: 'Prater; Hauptallee 1; 1020; Wien' })
    await press(page, 'Next')
    await page.getByLabel('Template of a till').selectOption('A till')
    await page.locator('[name=count]').focus()
    await page.keyboard.press('Enter')
    await press(page, 'Next')
    await page.getByText('2 CashBoxes, each with a pairing PIN').waitFor()
    await press(page, 'Do all of it')
    await page.getByText('failed', { exact: true }).waitFor()
    for (let count = 0; count < 4; count += 1) await press(page, 'Back')
    await page.locator('[name=email]').fill('office@lenz.example')
    await page.locator('[name=email]').press('Enter')
    for (let count = 0; count < 3; count += 1) await press(page, 'Next')
    await press(page, 'Do all of it')
    await page
      .getByText(/pairing PIN \d{4}/)
      .nth(1)
      .waitFor()
    expect(await violations(page)).toEqual([])
    await press(page, 'Merchant', 'link')
    await page.getByRole('heading', { name: 'Blumen Lenz' }).waitFor()
    expect(faults.filter((one) => !one.includes('400'))).toEqual([])
    await context.close()
  })

  it('the assistant for another unit names its five steps', async () => {
    const at = `/queues/${shop.box.queueId}/switch`
    const { page, faults, context } = await stand().visitAs(shop.dealer, at)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('main').getByRole('combobox').first().waitFor()
    await expect(await heard(page)).toMatchFileSnapshot('snapshots/switch.yml')
    expect(faults).toEqual([])
    await context.close()
  })

  it('a receipt is printed as paper: no bar, no buttons', async () => {
    const { rows } = await shop.deps.store.pool.query<{ id: string }>(
      'select id from queue_item where queue_id = $1 limit 1',
      [shop.box.queueId],
    )
    const at = `/receipts/${shop.box.queueId}/${rows[0]?.id}`
    const { page, context } = await stand().visitAs(shop.dealer, at)
    await page.getByAltText(/as it is printed/).waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.top').isVisible()).toBe(false)
    expect(await page.getByRole('main').getByRole('button').first().isVisible()).toBe(false)
    expect(await page.getByAltText(/as it is printed/).isVisible()).toBe(true)
    await context.close()
  })
}
