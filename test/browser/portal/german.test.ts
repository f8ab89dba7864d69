// What only accounts of a country with TSEs have: a TSE member by member, the dates of a Queue,
// what the tax office is told, and the change of a TSE in its five steps.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createScu } from '../../../src/core/rollout/create.js'
import { marketOf } from '../../../src/market/index.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { type GermanTill, germanTill } from '../../support/portal-things.js'
import { goTo, violations } from '../../support/portal-visit.js'

/** Of the German interface of signing devices, in its order. */
const TSE_INFO = [
  ...['MaxNumberOfClients', 'CurrentNumberOfClients', 'CurrentClientIds'],
  ...['MaxNumberOfStartedTransactions', 'CurrentNumberOfStartedTransactions'],
  ...['CurrentStartedTransactionNumbers', 'MaxNumberOfSignatures', 'CurrentNumberOfSignatures'],
  ...['MaxLogMemorySize', 'CurrentLogMemorySize', 'CurrentState', 'FirmwareIdentification'],
  ...['CertificationIdentification', 'SignatureAlgorithm', 'LogTimeFormat', 'SerialNumberOctet'],
  ...['PublicKeyBase64', 'CertificatesBase64', 'Info'],
]

/** Daily closing, the beginning and the end of the change. */
const CHANGE = [0x07n, 0x17n, 0x18n]

const names = (page: Page): Promise<string[]> => page.locator('dl.facts dt.mono').allInnerTexts()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Where a German register and its merchant are told of. */
export function germanPages({ accountId, scuId, queueId, cashBoxId }: GermanTill): string[] {
  const own = `/operators/${accountId}`
  const more = ['registration', 'outage', 'switch', 'journals'].map(
    (name) => `/queues/${queueId}/${name}`,
  )
  const parts = [`${own}/parts`, `${own}/queues/${queueId}`, `${own}/scus/${scuId}`]
  const pages = [own, `${own}/place`, `${own}/cashboxes/${cashBoxId}`, '/reports', '/']
  return [...pages, ...parts, ...more]
}

export function germanTests(stand: () => PortalStand): void {
  it('a TSE is told of member by member, and takes another description', async () => {
    const till = await germanTill(stand())
    const unit = `/operators/${till.accountId}/scus/${till.scuId}`
    const { page, faults, context } = await stand().visitAs(till.person, unit)
    await page.getByText('tseState').waitFor()
    expect(await names(page)).toEqual(
      expect.arrayContaining(['tseState', 'certificateExpirationDate', 'isCertificateExpired']),
    )
    await button(page, 'Prove it now').click()
    await page.getByText('(TseInfo)').waitFor()
    expect((await names(page)).slice(-TSE_INFO.length)).toEqual(TSE_INFO)
    expect(await violations(page)).toEqual([])
    await button(page, 'Change the description').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Description').fill('TSE at the window')
    await dialog.locator('button[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    await goTo(page, `/operators/${till.accountId}/parts`)
    await page.locator(`a[href$="${till.scuId}"]`, { hasText: 'TSE at the window' }).waitFor()
    await datesOf(page, till)
    await placeOf(page, till)
    await changeOf(page, till)
    expect(faults).toEqual([])
    await context.close()
  })

  /** The days on which a register was bought and put to use, as its tax office asks. */
  async function datesOf(page: Page, { accountId, cashBoxId, queueId }: GermanTill) {
    await goTo(page, `/operators/${accountId}/cashboxes/${cashBoxId}`)
    // the page before, which may still be there, names the queue in rows of its own
    const link = page.locator(`a[href="/portal/queues/${queueId}"]`)
    const row = page.getByRole('row').filter({ has: link })
    await row.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Bought on').fill('2026-01-02')
    await dialog.getByLabel('In operation since').fill('2026-01-05')
    await dialog.locator('button[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    await goTo(page, `/operators/${accountId}/queues/${queueId}`)
    await page.getByText('commissioningDate').waitFor()
    await page.getByText('Jan 5, 2026').first().waitFor()
    expect(await names(page)).toContain('purchaseDate')
  }

  async function placeOf(page: Page, { accountId }: GermanTill) {
    await goTo(page, `/operators/${accountId}`)
    await button(page, 'Master data').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tax number').fill('205/5803/1234')
    await dialog.getByLabel('Street').fill('Domplatz')
    await dialog.getByLabel('House number').fill('1')
    await dialog.locator('button[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    await goTo(page, `/operators/${accountId}/place`)
    await page.getByRole('heading', { level: 1 }).filter({ hasText: '146a' }).waitFor()
    expect(await violations(page)).toEqual([])
  }

  /** Each step is seen by the page, whoever sends the receipts. */
  async function changeOf(page: Page, { accountId, cashBoxId, queueId, sign }: GermanTill) {
    const { store } = stand().shop.deps
    const unit = { accountId, cashBoxId, market: 'DE', description: 'The next TSE' }
    await createScu(
      { store, marketOf, now: () => new Date() },
      { ...unit, package: marketOf('DE').rollout.demo.scuPackage },
    )
    await goTo(page, `/queues/${queueId}/switch`)
    await page.getByLabel('New signing unit').selectOption({ label: 'The next TSE' })
    await button(page, 'Prepare the change').click()
    const now = page.locator('[aria-current=step]')
    await now.filter({ hasText: 'The middleware is started again' }).waitFor()
    expect(await violations(page)).toEqual([])
    for (const code of CHANGE) await sign(code)
    await page.reload()
    const seen = page.getByRole('listitem').filter({ hasText: '✓' })
    await expect.poll(() => seen.count()).toBe(5)
  }
}
