// One server, one browser and one login per person for all tests of the portal in a browser.
import type { Browser } from 'playwright-core'
import { connectAccounts, createAccount } from '../../src/core/accounts/accounts.js'
import { launchBrowser } from './browser.js'
import { openPortal, type Person, type PortalShop, visitOf } from './portal.js'
import { type Visit, visitWith } from './portal-visit.js'

type Options = Parameters<Browser['newContext']>[0]

export interface PortalStand {
  shop: PortalShop
  browser: Browser
  /** A merchant of the dealer that is told of to a German tax office. */
  german: string
  /** Somebody who is logged in already looks at a page. */
  visitAs(person: Person, path: string, options?: Options): Promise<Visit>
  close(): Promise<void>
}

/** `countries`: as of `openPortal`; `more`: further arguments of the browser. */
export async function openStand(
  countries?: readonly string[],
  ...more: string[]
): Promise<PortalStand> {
  const shop = await openPortal({}, countries)
  const browser = await launchBrowser(...more)
  const cookies = new Map<string, string>()
  const cookieOf = async (person: Person): Promise<string> => {
    const known = cookies.get(person.email) ?? (await visitOf(shop.url, person)).cookie
    cookies.set(person.email, known)
    return known
  }
  return {
    ...{ shop, browser, german: await germanMerchant(shop) },
    visitAs: async (person, path, options = {}) => {
      const visit = await visitWith({ browser, url: shop.url }, options)
      const pairs = (await cookieOf(person)).split('; ').map((pair) => pair.split('='))
      await visit.context.addCookies(
        pairs.map(([name = '', ...value]) => ({ name, value: value.join('='), url: shop.url })),
      )
      await visit.page.goto(`${shop.url}/portal${path}`)
      await visit.page.locator('.top').waitFor()
      return visit
    },
    close: async () => {
      await browser.close()
      await shop.close()
    },
  }
}

async function germanMerchant({ deps, demo }: PortalShop): Promise<string> {
  const making = { store: deps.store, now: () => new Date() }
  const made = await createAccount(making, {
    ...{ kind: 'PosOperator', name: 'Kiosk am Dom', market: 'DE', country: 'DE', roles: [] },
    ...{ email: 'kiosk@portal.example', autoInvite: true },
    company: { line1: 'Domplatz 1', postalCode: '50667', city: 'Köln' },
  })
  const { accountId } = demo.dealer
  await connectAccounts(making, { accountId, toAccountId: made.accountId, rights: 'Full' })
  return made.accountId
}
