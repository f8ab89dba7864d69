// A visit of the portal with a real browser: what it complains of, logging in, and axe.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Person } from './portal.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Visit {
  page: Page
  /** Console, refused policy, foreign or failed requests. */
  faults: string[]
  context: BrowserContext
}

export async function visitWith(
  { browser, url }: { browser: Browser; url: string },
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('response', (response) => {
    if (response.status() === 404) faults.push(`404: ${response.url()}`)
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== url) {
      faults.push(`foreign: ${request.url()}`)
    }
  })
  return { page, faults, context }
}

/** As somebody who lands at `at` below the portal. */
export async function logInAt(address: string, page: Page, person: Person): Promise<void> {
  await page.goto(address)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('main').waitFor()
  await page.locator('.top').waitFor()
}

/** Of the accessibility rules that axe knows. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
