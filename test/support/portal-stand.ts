// One server, one browser and one login per person for all tests of the portal in a browser.
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.js'
import { openPortal, type Person, type PortalShop, visitOf } from './portal.js'
import { type Visit, visitWith } from './portal-visit.js'

type Options = Parameters<Browser['newContext']>[0]

export interface PortalStand {
  shop: PortalShop
  browser: Browser
  /** Somebody who is logged in already looks at a page. */
  visitAs(person: Person, path: string, options?: Options): Promise<Visit>
  close(): Promise<void>
}

export async function openStand(): Promise<PortalStand> {
  const shop = await openPortal()
  const browser = await launchBrowser()
  const cookies = new Map<string, string>()
  const cookieOf = async (person: Person): Promise<string> => {
    const known = cookies.get(person.email) ?? (await visitOf(shop.url, person)).cookie
    cookies.set(person.email, known)
    return known
  }
  return {
    ...{ shop, browser },
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
