// Passkeys with the virtual device of Chromium: made, used for a login, as second factor and to
// confirm, and what is no answer to a question of this server.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertLoginStep } from '../../../src/store/account/login-steps.js'
import { codeOf, type Person, type PortalShop, Visit } from '../../support/portal.js'
import type { PortalStand } from '../../support/portal-stand.js'
import {
  logInAt,
  type Visit as PageVisit,
  violations,
  visitWith,
} from '../../support/portal-visit.js'

let shop: PortalShop
let browser: Browser
/** Passkeys belong to names, and the address of the shop is a bare one. */
let url: string

interface Device {
  cdp: CDPSession
  id: string
}

/** A device that keeps passkeys and knows its owner. */
async function deviceOf({ context, page }: PageVisit): Promise<Device> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return { cdp, id }
}

async function visitWithKey(person: Person): Promise<PageVisit & { device: Device }> {
  const visit = await visitWith({ browser, url })
  const device = await deviceOf(visit)
  const { page } = visit
  await logInAt(`${url}/portal/me`, page, person)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name, so that you know it again').fill('Telefon <b>')
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('cell', { name: 'Telefon <b>' }).waitFor()
  return { ...visit, device }
}

async function logOut(page: Page): Promise<void> {
  await page.locator('.who button').first().click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
}

const byPasskey = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' })

const member = () => shop.person(shop.demo.dealer.accountId, 'Administrator')

export function passkeyTests(stand: () => PortalStand): void {
  beforeAll(() => {
    ;({ shop, browser } = stand())
    url = shop.url.replace('127.0.0.1', 'localhost')
  })

  describe('a passkey', () => {
    it('logs in without name and password, is renamed, confirms, and is removed', async () => {
      const person = await member()
      const { page, faults, context } = await visitWithKey(person)
      expect(await violations(page)).toEqual([])
      await logOut(page)
      expect(await violations(page)).toEqual([])
      // where one wanted to go, one comes
      await page.goto(`${url}/portal/company`)
      await byPasskey(page).click()
      await page.getByRole('heading', { name: 'People' }).waitFor()
      await shop.deps.store.pool.query(
        `update session set confirmed_at = now() - interval '1 hour'`,
      )
      await page.getByRole('button', { name: 'Show the token' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Confirm with a passkey' }).waitFor()
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Confirm with a passkey' }).click()
      await page.getByText(shop.demo.dealer.accessToken).waitFor()

      await page.goto(`${url}/portal/me`)
      await page.getByRole('button', { name: 'Rename' }).click()
      await dialog.getByLabel('Name, so that you know it again').fill('Laptop')
      await dialog.getByRole('button', { name: 'Rename' }).click()
      await page
        .getByRole('row', { name: /Laptop/ })
        .getByRole('button', { name: 'Remove' })
        .click()
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No passkey yet.').waitFor()
      // the browser notes the question for the confirmation, too
      expect(faults.filter((one) => !one.includes('status of 403'))).toEqual([])
      await context.close()
    })

    it('that was removed opens nothing, and the page says so', async () => {
      const { page, context } = await visitWithKey(await member())
      await shop.deps.store.pool.query('delete from passkey')
      await logOut(page)
      await byPasskey(page).click()
      await page.getByRole('alert').filter({ hasText: 'This passkey is not known here' }).waitFor()
      await context.close()
    })

    it('is asked for after the password where its owner wants it so', async () => {
      const person = await member()
      const { page, context } = await visitWithKey(person)
      await page.locator('.note').getByRole('button', { name: 'Turn on' }).click()
      await page.locator('.note').getByRole('button', { name: 'Turn off' }).waitFor()
      expect(await codeOf(await new Visit(shop.url).logIn(person))).toBe('401 CodeRequired')
      expect(await codeOf(await new Visit(shop.url).logIn(person, '123456'))).toBe('401 CodeWrong')
      await logOut(page)
      await page.getByLabel('E-mail address').fill(person.email)
      await page.getByLabel('Password').fill(person.password)
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await page.getByLabel('Code of your authenticator app').waitFor()
      await byPasskey(page).click()
      await page.locator('.top').waitFor()
      await context.close()
    })

    it('answers a question once, in the browser that was asked', async () => {
      const { page, context } = await visitWithKey(await member())
      await logOut(page)
      const sent = page.waitForRequest('**/session/passkey')
      await byPasskey(page).click()
      const request = await sent
      await page.locator('.top').waitFor()
      const body: unknown = request.postDataJSON()
      const cookie = (await request.allHeaders()).cookie ?? ''
      expect(cookie).toMatch(/fw-step=[\w-]{43}/)
      const again = await new Visit(url).call('POST', '/session/passkey', {
        body,
        headers: { cookie },
      })
      expect(await codeOf(again)).toBe('401 PasskeyWrong')
      // a fresh question, and the answer to another one
      const other = new Visit(url)
      const asked = await other.call('POST', '/session/passkey/begin')
      expect(asked.status).toBe(200)
      const foreign = await other.call('POST', '/session/passkey', { body })
      expect(await codeOf(foreign)).toBe('401 PasskeyWrong')
      await context.close()
    })

    it('belongs to a name: a page under a bare address is told so', async () => {
      const asked = await new Visit(shop.url).call('POST', '/session/passkey/begin')
      expect(await codeOf(asked)).toBe('400 PasskeyNeedsName')
    })

    it('questions that nobody answers make room for others of their network', async () => {
      const step = (at: number, network: string) => ({
        ...{ hash: Buffer.from(`${network} ${at}`), kind: 'passkey' as const, network },
        ...{ sessionId: null, document: '{}' },
      })
      for (let at = 0; at < 103; at++) await insertLoginStep(shop.deps.store, step(at, 'one'))
      await insertLoginStep(shop.deps.store, step(1, 'two'))
      const { rows } = await shop.deps.store.pool.query(
        `select network, count(*)::int as count from login_step where network in ('one', 'two')
       group by network order by network`,
      )
      expect(rows).toEqual([
        { network: 'one', count: 100 },
        { network: 'two', count: 1 },
      ])
    })
  })
}
