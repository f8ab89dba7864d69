// Pages in French texts that are 40 % longer: what has room for them has room for French. With
// their dialogs, without a row, with calls that failed, and the late steps of the wizard.
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importTemplates } from '../../../src/core/rollout/template/records.js'
import { accountHeaders, type PlatformShop } from '../../support/platform.js'
import type { Person } from '../../support/portal.js'
import { eachDialog, eachKeyDialog } from '../../support/portal-dialogs.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { addWebhook, forgetWork, germanTill } from '../../support/portal-things.js'
import { goTo, tooWide, type Visit, violations } from '../../support/portal-visit.js'
import { PROBLEM_CASES } from '../../support/problem-cases.js'
import { germanPages } from './german.test.js'
import { COMPANY } from './keys.test.js'
import { allPages } from './pages.test.js'

const WIDTHS = [1280, 768, 360]
/** The least that pages of a dealer open; titles that name a thing count once for each. */
const LEAST_DIALOGS = 30
/** The stream of events goes on beside what is told otherwise. */
const API = /\/portal\/(api|platform)\/(?!events\/stream)/

const TILL = {
  ftCashBoxId: '|[cashbox_id]|',
  ftSignaturCreationDevices: [
    { Id: '|[scu0_id]|', Package: 'fiskalwerk.SCU.AT.Software', Url: ['|[scu0_url]|'] },
  ],
  ftQueues: [{ Id: '|[queue0_id]|', Package: 'fiskalwerk.Queue' }],
}
const TEMPLATES = JSON.stringify([{ name: 'A till', content: JSON.stringify(TILL) }])

/** In words that are as long as the names of some companies. */
const FLORIST = {
  ...COMPANY,
  ...{ name: 'Blumengroßhandelsgesellschaft Lenz & Söhne', email: 'ida@long.example' },
}

/** Labels that do not stand above their fields, as in every other form. */
const BESIDE = `[...document.querySelectorAll('dialog label.field')].filter((one) => {
  const field = one.querySelector('input:not([type=checkbox]), select, textarea')
  const label = one.querySelector('span').getBoundingClientRect()
  return field !== null && field.getBoundingClientRect().top < label.bottom - 1
}).map((one) => one.textContent)`

const FAULTS_FIRST = ['.fault', '.empty'] as const

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
  let paths: readonly string[]
  const over: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const { deps, demo, url } = stand().shop
    const { accountId } = demo.dealer
    const store = { store: deps.store, now: () => new Date() }
    await importTemplates(store, { text: TEMPLATES, accountId })
    const headers = { ...accountHeaders(demo.dealer), 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Import of a long name', scopes: ['dealer:write'] })
    const made = await fetch(`${url}/platform/v1/api-keys`, { method: 'POST', headers, body })
    expect(made.status).toBe(201)
    await addWebhook(stand())
    paths = await allPages(stand())
    // something to be told, and a problem of it
    const sql = async (text: string, ...values: unknown[]) =>
      (await deps.store.pool.query(text, values)).rows as Record<string, unknown>[]
    const shop = {
      ...stand().shop,
      ...{ dealer: demo.dealer, operatorId: demo.operator.accountId },
    } as unknown as PlatformShop
    const { end } = await PROBLEM_CASES.report({ shop, sql, after: over })
    await deps.watch.look(['report'])
    over.push(end, () => deps.watch.look(['report']))
  })
  afterAll(async () => {
    for (const end of over) await end()
    await forgetWork(stand())
  })

  async function inLongFrench(person: Person, path: string): Promise<Visit> {
    return stand().visitAs(person, `${path}?pseudo`, { locale: 'fr-FR' })
  }

  const administrator = () =>
    stand().shop.person(stand().shop.demo.dealer.accountId, 'Administrator')

  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env.PICTURES
    if (folder === undefined) return
    const file = `${name.replaceAll(/[^\w-]+/g, '_').slice(0, 90)}.png`
    // a dialog stands in the middle of the screen, not of a page
    const fullPage = !name.startsWith('dialog')
    await page.screenshot({ path: join(folder, file), fullPage })
  }

  /** At each width, from the widest; the page is as wide as before behind it. */
  async function fits(page: Page, name: string): Promise<void> {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      expect(await tooWide(page), `${name}, ${width}`).toBe('')
      expect(await page.evaluate(BESIDE), `${name}, ${width}`).toEqual([])
      if (width !== 768) await picture(page, `${name}-${width}`)
    }
    await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 800 })
  }

  it.concurrent('every page and its dialogs: texts fit, axe finds nothing', {
    timeout: 300_000,
  }, async () => {
    const known = new Map<string, string>()
    const look = async (page: Page, title: string, parts: string) => {
      // with the same fields and buttons it is the same dialog
      if (known.has(parts)) return
      known.set(parts, title)
      expect(await violations(page), title).toEqual([])
      await fits(page, `dialog ${known.size} ${title}`)
    }
    const walk = async (person: Person, paths: readonly string[]) => {
      const visit = await inLongFrench(person, '/me')
      const { page, settled, context, faults } = visit
      const lookHere = (title: string, parts: string) => look(page, title, parts)
      for (const path of paths) {
        await goTo(page, path)
        await page.locator('main h1').first().waitFor()
        await settled()
        await fits(page, `pseudo ${path}`)
        await eachDialog(visit, lookHere)
      }
      await eachKeyDialog(visit, lookHere)
      expect(faults.filter((one) => !one.includes('404'))).toEqual([])
      await context.close()
    }
    const merchantPages = ['/', `/operators/${stand().shop.demo.operator.accountId}`]
    const till = await germanTill(stand())
    const walks = [0, 1].map(async (half) =>
      walk(
        await administrator(),
        paths.filter((_, at) => at % 2 === half),
      ),
    )
    await Promise.all([
      ...walks,
      walk(stand().shop.merchant, merchantPages).then(() => walk(till.person, germanPages(till))),
    ])
    expect([...known.values()].length).toBeGreaterThanOrEqual(LEAST_DIALOGS)
  })

  it.concurrent.each([
    ['without a row', withoutRows],
    ['with a fault of the server', failing],
  ] as const)(
    'every page %s: says so, fits, axe finds nothing',
    { timeout: 300_000 },
    async (name, answer) => {
      const paths = await allPages(stand())
      const { page, settled, context } = await inLongFrench(await administrator(), '/me')
      await page.route(API, answer)
      const told = { '.empty': 0, '.fault': 0 }
      for (const path of paths) {
        await goTo(page, path)
        await page.locator('main h1, main .fault, main .empty').first().waitFor()
        await settled()
        expect(await violations(page), path).toEqual([])
        // what has happened is said in the language of the page
        expect(await page.getByText('Something went wrong').count(), path).toBe(0)
        await fits(page, `${name} ${path}`)
        for (const [state, before] of Object.entries(told)) {
          Object.assign(told, { [state]: before + (await page.locator(`main ${state}`).count()) })
        }
      }
      const [state, other] = answer === failing ? FAULTS_FIRST : FAULTS_FIRST.toReversed()
      expect(told[state ?? '.fault']).toBeGreaterThan(30)
      expect(told[other ?? '.empty']).toBeLessThan(told[state ?? '.fault'])
      await context.close()
      await forgetWork(stand())
    },
  )

  it.concurrent('the wizard to its end: every step fits, axe finds nothing', {
    timeout: 120_000,
  }, async () => {
    const { page, context } = await inLongFrench(await administrator(), '/onboard/all')
    for (const [name, value] of Object.entries(FLORIST)) {
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
    await page.locator('aside [aria-haspopup=dialog]').click()
    await page.getByRole('dialog').getByText(FLORIST.name).first().waitFor()
    await fits(page, 'wizard mail')
    await page.keyboard.press('Escape')
    await page.locator('form button.primary').click()
    await page.locator('a.button.primary').waitFor({ timeout: 60_000 })
    expect(await states.count()).toBe(4)
    expect(await violations(page), 'all done').toEqual([])
    await fits(page, 'wizard done')
    await context.close()
  })
}
