// The first day of a dealer and its merchant, by clicks alone, which are counted.
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsMissing, launchBrowser } from '../support/browser.js'
import { type MailServer, startMailServer } from '../support/mail-server.js'
import { openPortal, type PortalShop } from '../support/portal.js'
import { violations, visitWith } from '../support/portal-visit.js'

let mails: MailServer
let shop: PortalShop
let browser: Browser

const isLeftOut = browserIsMissing()

beforeAll(async () => {
  if (isLeftOut) return
  mails = await startMailServer()
  shop = await openPortal({
    ...{ SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'robot@fiskalwerk.example' },
    PUBLIC_URL: 'https://fiskalwerk.example',
  })
  await shop.deps.jobs.start()
  browser = await launchBrowser()
})
afterAll(async () => {
  if (isLeftOut) return
  await browser.close()
  await shop.deps.jobs.stop()
  await shop.close()
  await mails.stop()
})

/** The link that the newest letter to somebody has, on the server of this test. */
async function linkTo(address: string, path: string): Promise<string> {
  const found = () =>
    mails.mails
      .filter(({ to }) => to.includes(address))
      .flatMap(({ email }) =>
        [...(email.text ?? '').matchAll(/https:\/\/fiskalwerk\.example(\/\S+)/g)].map(
          ([, at]) => at,
        ),
      )
      .filter((at) => at?.startsWith(path))
      .at(-1)
  await expect.poll(found, { timeout: 15_000 }).toBeDefined()
  return shop.url + found()
}

const COMPANY = {
  Company: 'Bäckerei Korn',
  'E-mail address of the company': 'office@korn.example',
  'Street and number': 'Hauptstr. 1',
  Postcode: '1010',
  City: 'Wien',
}
const EMAIL = 'eva@korn.example'

describe.skipIf(isLeftOut)('the first day', () => {
  it('a merchant is invited, accepts, logs in, sees and ends the connection', {
    timeout: 90_000,
  }, async () => {
    let clicks = 0
    const click = async (what: Locator) => {
      clicks += 1
      await what.click()
    }
    const dealer = await visitWith({ browser, url: shop.url })
    const { page } = dealer
    const button = (on: Page, name: string | RegExp) =>
      on.getByRole('button', { name, exact: true })
    await page.goto(`${shop.url}/portal/onboard`)
    await page.getByLabel('E-mail address').fill(shop.dealer.email)
    await page.getByLabel('Password').fill(shop.dealer.password)
    await click(button(page, 'Log in'))
    await page.locator('main h1').waitFor()
    for (const [name, value] of Object.entries(COMPANY)) {
      await page.locator(`[name="${FIELDS[name] ?? name}"]`).fill(value)
    }
    await page.locator('[name="vatId"]').fill('ATU12345675')
    await page.locator('[name="firstName"]').fill('Eva')
    await page.locator('[name="lastName"]').fill('Korn')
    await page.locator('[name="contactEmail"]').fill(EMAIL)
    await click(page.locator('form button[type=submit]'))
    await page.waitForURL('**/invitations?view=history')

    const merchant = await visitWith({ browser, url: shop.url })
    const { page: own } = merchant
    await own.goto(await linkTo(EMAIL, '/activate/'))
    await own.getByLabel('Your name').fill('Eva Korn')
    await click(own.getByLabel('I have read the agreement and accept it.'))
    await click(button(own, 'Accept'))
    const choose = own.getByRole('link', { name: 'Choose a password' })
    await choose.waitFor()
    expect(await violations(own)).toEqual([])
    // the same link comes by mail, for later
    const link = await linkTo(EMAIL, '/portal/password#')
    expect(new URL((await choose.getAttribute('href')) ?? '').hash).toBe(new URL(link).hash)
    clicks += 1
    await own.goto(link)
    await own.getByLabel('New password').fill('Fresh-Bread-77')
    await click(button(own, 'Save and log in'))
    await own.locator('.company', { hasText: COMPANY.Company }).waitFor()

    await click(own.getByRole('link', { name: 'My company' }))
    await own.getByRole('heading', { name: 'Who works for me' }).waitFor()
    expect(await violations(own)).toEqual([])
    expect(await own.getByRole('link', { name: 'Invitations' }).count()).toBe(0)
    await click(own.getByRole('link', { name: 'My shops and registers' }))
    await own.getByRole('heading', { name: COMPANY.Company }).waitFor()
    await click(button(own, 'Add an outlet'))
    const dialog = own.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Stand am Markt')
    await dialog.getByLabel('Address').fill('Ring 2')
    await dialog.getByLabel('Postcode').fill('1010')
    await dialog.getByLabel('City').fill('Wien')
    await click(dialog.getByRole('button', { name: 'Add' }))
    await own.getByRole('cell', { name: 'Stand am Markt' }).waitFor()
    expect(clicks).toBeLessThanOrEqual(12)

    // the dealer sees it until the merchant ends the connection
    const { id } = await operatorNamed(COMPANY.Company)
    await page.goto(`${shop.url}/portal/operators/${id}`)
    await page.getByRole('cell', { name: 'Stand am Markt' }).waitFor()
    await own.getByRole('link', { name: 'My company' }).click()
    await button(own, 'End the connection').click()
    await dialog.getByRole('button', { name: 'End the connection' }).click()
    await dialog.locator('.wrong').waitFor()
    expect(await violations(own)).toEqual([])
    const name = await dealerName()
    await dialog.getByLabel(/^Type/).fill(name)
    await dialog.getByRole('button', { name: 'End the connection' }).click()
    await own.getByRole('cell', { name: 'ended' }).waitFor()
    await page.reload()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('cell', { name: 'Stand am Markt' }).count()).toBe(0)
    expect(merchant.faults.filter((one) => !one.startsWith('foreign'))).toEqual([])
    await dealer.context.close()
    await merchant.context.close()
  })
})

const FIELDS: Record<string, string> = {
  ...{ Company: 'name', 'E-mail address of the company': 'email', City: 'city' },
  ...{ 'Street and number': 'addressLine1', Postcode: 'postalCode' },
}

async function operatorNamed(name: string): Promise<{ id: string }> {
  const { rows } = await shop.deps.store.pool.query<{ id: string }>(
    'select id from account where name = $1',
    [name],
  )
  return rows[0] ?? { id: '' }
}

async function dealerName(): Promise<string> {
  const { rows } = await shop.deps.store.pool.query<{ name: string }>(
    'select name from account where id = $1',
    [shop.demo.dealer.accountId],
  )
  return rows[0]?.name ?? ''
}
