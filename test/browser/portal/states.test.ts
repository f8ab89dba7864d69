// What pages are beside their usual look, in French texts that are 40 % longer: dialogs, lists
// without a row, calls that failed, the late steps of the wizard.
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Person } from '../../support/portal.js'
import { eachDialog, eachKeyDialog } from '../../support/portal-dialogs.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { addWebhook, forgetWork } from '../../support/portal-things.js'
import { goTo, tooWide, type Visit, violations } from '../../support/portal-visit.js'
import { allPages } from './pages.test.js'

const WIDTHS = [1280, 768, 360]
/** The least that pages of a dealer open; titles that name a thing count once for each. */
const LEAST_DIALOGS = 30
const API = /\/portal\/(api|platform)\//

const COMPANY = {
  ...{ name: 'Blumen Lenz', street: 'Ring 2', postalCode: '1010', city: 'Wien' },
  ...{ firstName: 'Ida', lastName: 'Lenz', email: 'ida@long.example' },
}

/** A server whose lists are empty: what it says is true, but for its rows. */
async function withoutRows(route: Route): Promise<void> {
  if (route.request().method() !== 'GET') return route.continue()
  const answer = await route.fetch()
  const type = answer.headers()['content-type'] ?? ''
  if (!type.includes('json')) return route.fulfill({ response: answer })
  const told: unknown = JSON.parse(await answer.text())
  if (Array.isArray(told)) return route.fulfill({ response: answer, json: [] })
  const isList = Array.isArray(Object(told).items)
  return route.fulfill({ response: answer, json: isList ? { ...Object(told), items: [] } : told })
}

/** A fault of the server, as it tells one. */
const failing = (route: Route): Promise<void> =>
  route.fulfill({
    status: 500,
    json: {
      ...{ type: 'about:blank', title: 'Internal Server Error', status: 500 },
      detail: 'Something went wrong here; the log of the server has it under the trace id.',
      ...{ code: 'INTERNAL', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
    },
  })

export function stateTests(stand: () => PortalStand): void {
  async function inLongFrench(person: Person, path: string): Promise<Visit> {
    return stand().visitAs(person, `${path}?pseudo`, { locale: 'fr-FR' })
  }

  const fresh = () => stand().shop.person(stand().shop.demo.dealer.accountId, 'Administrator')

  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env.PICTURES
    if (folder === undefined) return
    const file = `${name.replaceAll(/[^\w-]+/g, '_').slice(0, 90)}.png`
    await page.screenshot({ path: join(folder, file), fullPage: true })
  }

  /** At each width, from the widest; the page is as wide as before behind it. */
  async function fits(page: Page, name: string): Promise<void> {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      expect(await tooWide(page), `${name}, ${width}`).toBe('')
      if (width !== 768) await picture(page, `${name}-${width}`)
    }
    await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 800 })
  }

  it('dialogs of every page: texts fit, axe finds nothing', { timeout: 300_000 }, async () => {
    await addWebhook(stand())
    const paths = await allPages(stand())
    const visit = await inLongFrench(await fresh(), '/me')
    const { page, settled, context, faults } = visit
    const titles = new Set<string>()
    const look = async (title: string) => {
      // the same dialog of another page is the same
      if (titles.has(title)) return
      titles.add(title)
      expect(await violations(page), title).toEqual([])
      await fits(page, `dialog ${title}`)
    }
    for (const path of paths) {
      await goTo(page, path)
      await page.locator('main h1').first().waitFor()
      await settled()
      await eachDialog(visit, look)
    }
    await eachKeyDialog(visit, look)
    expect(titles.size).toBeGreaterThanOrEqual(LEAST_DIALOGS)
    expect(faults.filter((one) => !one.includes('404'))).toEqual([])
    await context.close()
    await forgetWork(stand())
  })

  it.each([
    ['without a row', withoutRows],
    ['with a fault of the server', failing],
  ] as const)(
    'every page %s: says so, fits, axe finds nothing',
    { timeout: 300_000 },
    async (name, answer) => {
      const paths = await allPages(stand())
      const { page, settled, context } = await inLongFrench(await fresh(), '/me')
      await page.route(API, answer)
      const told = { '.empty': 0, '.fault': 0 }
      for (const path of paths) {
        await goTo(page, path)
        await page.locator('main h1, main .fault, main .empty').first().waitFor()
        await settled()
        expect(await violations(page), path).toEqual([])
        await fits(page, `${name} ${path}`)
        for (const [state, before] of Object.entries(told)) {
          Object.assign(told, { [state]: before + (await page.locator(`main ${state}`).count()) })
        }
      }
      const [state, other] =
        answer === failing ? (['.fault', '.empty'] as const) : (['.empty', '.fault'] as const)
      expect(told[state]).toBeGreaterThan(30)
      expect(told[other]).toBeLessThan(told[state])
      await context.close()
      await forgetWork(stand())
    },
  )

  it('the wizard to its end: every step fits, axe finds nothing', {
    timeout: 120_000,
  }, async () => {
    const { page, context } = await inLongFrench(await fresh(), '/onboard/all')
    for (const [name, value] of Object.entries(COMPANY)) {
      await page.locator(`[name="${name}"]`).fill(value)
    }
    const now = page.locator('[aria-current=step]')
    const steps = await page.locator('ol.steps li').allInnerTexts()
    expect(steps).toHaveLength(5)
    for (const [at, step] of steps.entries()) {
      await expect.poll(() => now.innerText()).toBe(step)
      expect(await violations(page), step).toEqual([])
      await fits(page, `wizard ${at + 1}`)
      if (at === 1) await page.locator('[name=outlets]').fill('Prater; Praterstr. 1; 1020; Wien')
      if (at === 2) await page.locator('[name=template]').selectOption({ index: 1 })
      if (at < 4) await page.locator('form button[type=submit]').click()
    }
    const states = page.locator('[role=status] .state')
    await page.locator('form button.primary').click()
    await page.locator('a.button.primary').waitFor({ timeout: 60_000 })
    expect(await states.count()).toBe(4)
    expect(await violations(page), 'all done').toEqual([])
    await fits(page, 'wizard done')
    await context.close()
  })
}
