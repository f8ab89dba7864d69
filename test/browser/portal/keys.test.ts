// Days without a mouse: what people do all day, merchants from a file, and the wizard.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { ProblemKind } from '../../../src/model/problem.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { goTo, pressAt, tabTo, violations, visitWith } from '../../support/portal-visit.js'

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor()

async function keys(page: Page, text: string): Promise<void> {
  for (const key of text.split(' ')) await page.keyboard.press(key)
}

/** The first row, opened. */
async function firstRow(page: Page): Promise<void> {
  await page.getByRole('main').locator('tbody tr').first().waitFor()
  await keys(page, 'j Enter')
}

const OUTLET = { Name: 'By keys', Address: 'Ring 2', Postcode: '1010', City: 'Wien' }
export const COMPANY = {
  ...{ name: 'Blumen Lenz', email: 'office@lenz.example', addressLine1: 'Ring 2' },
  ...{ postalCode: '1010', city: 'Wien', firstName: 'Ida', lastName: 'Lenz' },
}
const FILE_HEAD =
  'AccountName;AccountEMail;AccountAddressLine1;AccountPostalCode;AccountCity;AccountCountry;' +
  'ContactFirstName;ContactLastName;ContactEMail'
const PLAIN_HEAD =
  'CompanyName;CompanyEmail;CompanyAddressLine1;CompanyAddressLine2;CompanyPostalCode;' +
  'CompanyCity;CompanyCountry;CompanyWebsite;CompanyPhone;VatId;TaxId;FibuNr;Gln;Siren;' +
  'ContactFirstName;ContactLastName;ContactEmail;ContactTitle;ContactSuffix;ContactPhone;' +
  'AccessRights'
const PLAIN_LINE =
  'Kiosk;office@keys.example;Ring 3;;1010;Wien;AT;;;;;;;;Ida;Lenz;ida@keys.example;;;;Read'
const FILE_LINE = 'Café Keys;office@keys.example;Ring 2;1010;Wien;AT;Ida;Lenz;ida@keys.example'

type Problems = (kinds: readonly ProblemKind[]) => Promise<() => Promise<void>>

export function keyTests(stand: () => PortalStand, problems: Problems): void {
  it('a dealer works without a mouse', { timeout: 120_000 }, async () => {
    const { shop, browser } = stand()
    const over = await problems(['no_receipts'])
    const { page, faults, context } = await visitWith({ browser, url: shop.url })
    await page.addInitScript(`addEventListener('pointerdown', () => { window.mouse = true })`)
    await page.goto(`${shop.url}/portal`)
    await tabTo(page, page.getByLabel('E-mail address'))
    await page.keyboard.type(shop.dealer.email)
    await tabTo(page, page.getByLabel('Password'))
    await page.keyboard.type(shop.dealer.password)
    await page.keyboard.press('Enter')
    await heading(page, 'Problems')
    // puts a problem off, and takes that back
    await page.getByRole('button', { name: 'Put off' }).waitFor()
    await keys(page, 'j s')
    const dialog = page.getByRole('dialog')
    await pressAt(page, dialog.getByRole('button', { name: 'Put off' }))
    await page.getByText('Nothing needs you.').waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Undo' }))
    await page.getByRole('button', { name: 'Put off' }).waitFor()
    // those that are chosen are put off together
    const chosen = page.getByRole('button', { name: 'Put off 1', exact: true })
    await keys(page, 'j x')
    await chosen.waitFor()
    await keys(page, 'x')
    await chosen.waitFor({ state: 'detached' })
    await keys(page, 'x')
    await pressAt(page, chosen)
    await pressAt(page, dialog.getByRole('button', { name: 'Put off' }))
    await page.getByText('Nothing needs you.').waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Undo' }).last())
    await page.getByRole('button', { name: 'Put off' }).waitFor()
    // a merchant gets an outlet
    await keys(page, 'g o')
    await heading(page, 'Merchants')
    await page.getByRole('link', { name: 'Café Demo' }).waitFor()
    await keys(page, 'j Enter')
    await heading(page, 'Café Demo')
    await pressAt(page, page.getByRole('button', { name: 'Add an outlet' }))
    for (const [name, value] of Object.entries(OUTLET)) {
      await tabTo(page, dialog.getByLabel(name))
      await page.keyboard.type(value)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'By keys' }).waitFor()
    // a filter, and its end
    await keys(page, 'g k')
    await heading(page, 'Registers')
    await tabTo(page, page.getByRole('searchbox'))
    await page.keyboard.type('nothing like this')
    await page.getByText('Nothing fits these filters.').waitFor()
    await pressAt(page, page.getByRole('main').getByRole('button', { name: 'Clear' }).first())
    await firstRow(page)
    await page.waitForURL('**/queues/*')
    // the rows of the page before may be there a little longer
    await page.getByRole('main').getByRole('heading', { name: 'Receipts' }).waitFor()
    await firstRow(page)
    await page.waitForURL('**/receipts/**')
    await page.getByRole('heading', { name: 'Checked just now' }).waitFor()
    // what it has called, and what is live
    await keys(page, 'c')
    await dialog.waitFor()
    await keys(page, 'Escape g v')
    await heading(page, 'Events')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await keys(page, 'p')
    await page.getByRole('button', { name: 'Go on' }).waitFor()
    await keys(page, 'g e')
    await pressAt(page, page.getByRole('button', { name: 'Ask for a bundle' }))
    await dialog.waitFor()
    await keys(page, 'Escape')
    await pressAt(page, page.locator('.who button').first())
    await pressAt(page, page.getByRole('button', { name: 'Log out' }))
    await heading(page, 'Log in')
    expect(await page.evaluate('window.mouse')).toBeUndefined()
    expect(faults).toEqual([])
    await over()
    await context.close()
  })

  it('merchants come from a file, and one by the wizard, without a mouse', async () => {
    const { page, faults, context } = await stand().visitAs(stand().shop.dealer, '/')
    await page.addInitScript(`addEventListener('pointerdown', () => { window.mouse = true })`)
    await page.goto(`${stand().shop.url}/portal/import/invitations`)
    const choosing = page.waitForEvent('filechooser')
    await pressAt(page, page.getByLabel('CSV file'))
    const buffer = Buffer.from([FILE_HEAD, FILE_LINE, FILE_LINE.replaceAll('@', '#')].join('\n'))
    const file = { name: 'shops.csv', mimeType: 'text/csv', buffer }
    await (await choosing).setFiles(file)
    await page.getByText('is no e-mail address').first().waitFor()
    expect(await violations(page)).toEqual([])
    await pressAt(page, page.getByRole('button', { name: 'Leave wrong lines out (1)' }))
    await page.getByText('1 can be stored.').waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Store the invitations' }))
    await heading(page, 'Invitations')
    await page.getByText('Café Keys').waitFor()
    // a plain file as well is told line by line, and its wrong ones stay out
    await goTo(page, '/import/invitations')
    const right = PLAIN_LINE.replaceAll('@', '@plain.')
    const text = [PLAIN_HEAD, right, PLAIN_LINE.replaceAll('@', '#')].join('\n')
    const plain = { name: 'plain.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await page.getByLabel('CSV file').setInputFiles(plain)
    await page.getByText('is no e-mail address').first().waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Leave wrong lines out (1)' }))
    await page.getByText('1 can be stored.').waitFor()
    // the five steps of the wizard
    await goTo(page, '/onboard/all')
    // what is typed is looked at by the call that it is for
    await page.locator('[name=vatId]').fill('ATU1')
    await page.locator('.field .wrong').waitFor()
    await page.locator('[name=vatId]').fill('ATU12345678')
    await page.getByText('The form is right.').first().waitFor()
    expect(await page.locator('.field .wrong').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.locator('[name=vatId]').fill('')
    for (const [name, value] of Object.entries(COMPANY)) {
      await tabTo(page, page.locator(`[name="${name}"]`))
      await page.keyboard.type(value)
    }
    await page.keyboard.press('Enter')
    await tabTo(page, page.locator('[name=outlets]'))
    await page.keyboard.type('Prater; Praterstr. 1; 1020; Wien')
    const next = page.getByRole('button', { name: 'Next', exact: true })
    await pressAt(page, next)
    await tabTo(page, page.locator('[name=template]'))
    await page.keyboard.type('A till')
    await pressAt(page, next)
    await pressAt(page, next)
    await page.getByRole('button', { name: 'Do all of it' }).waitFor()
    await page.getByText('2 CashBoxes, each with a pairing PIN').waitFor()
    await pressAt(page, page.getByRole('button', { name: 'See the mail' }))
    const mail = page.getByRole('dialog', { name: 'The mail' })
    await mail.getByText(COMPANY.name).first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await mail.waitFor({ state: 'detached' })
    await pressAt(page, page.getByRole('button', { name: 'Back' }))
    await pressAt(page, page.getByRole('button', { name: 'Begin anew' }))
    await expect.poll(() => page.locator('[name=name]').inputValue()).toBe('')
    expect(await page.evaluate('window.mouse')).toBeUndefined()
    // what the server has refused is a 400, which browsers note
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    await context.close()
  })
}
