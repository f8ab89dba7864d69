// A visit of the portal with a real browser: what it complains of, logging in, and axe.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core'
import { dealerOperations } from '../../src/api/dealer/operations.js'
import { platformOperations } from '../../src/api/platform/operations.js'
import { sessionTable } from '../../src/api/portal/operations.js'
import type { Person } from './portal.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const CALL = /^\/portal\/(api|platform|session)\//
const MOUNTS = [
  ...([
    ['/portal/api', dealerOperations],
    ['/portal/platform', platformOperations],
  ] as const),
  ['/portal/session', sessionTable],
] as const
/** Whatever a page calls is an operation of a table: there is no other interface. */
const KNOWN = MOUNTS.flatMap(([mount, rows]) =>
  rows.map(
    ({ method, path }) =>
      new RegExp(`^${method} ${mount}${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
  ),
)

export interface Visit {
  page: Page
  /** Waits until nothing is on its way any more, but the stream of events. */
  settled(): Promise<void>
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
    if (!['error', 'warning'].includes(message.type())) return
    faults.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('response', (response) => {
    if (response.status() === 404) faults.push(`404: ${response.url()}`)
  })
  page.on('request', (request) => {
    const { origin, protocol, pathname } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== url) {
      faults.push(`foreign: ${request.url()}`)
    }
    const line = `${request.method()} ${pathname}`
    if (CALL.test(pathname) && !KNOWN.some((one) => one.test(line))) {
      faults.push(`no operation: ${line}`)
    }
  })
  return { page, faults, context, settled: settling(page) }
}

const STREAM = '/events/stream'
/**
 * What a page does next it has begun two pictures later, however slow the machine is: it waits by
 * the clock of the page itself. Whether it says that it loads is the answer.
 */
const TWO_PICTURES = `new Promise((resolve) => {
  const isLoading = () => document.querySelector('p.lead[role=status]') !== null
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(isLoading()))))
})`

function settling(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => {
    // what the document before had on its way ends with it, and nobody is told
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear()
    if (!request.url().includes(STREAM)) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return async () => {
    for (let calm = 0; calm < 2; ) {
      const isLoading = await page.evaluate<boolean>(TWO_PICTURES)
      calm = open.size === 0 && !isLoading ? calm + 1 : 0
    }
  }
}

/** Another page of the portal without loading it anew, as a link would open it. */
export async function goTo(page: Page, path: string): Promise<void> {
  const to = JSON.stringify(`/portal${path}`)
  await page.evaluate(
    `history.pushState({}, '', ${to}); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
  )
}

/** Whose words may not be cut. */
const LABELS = ['button', '.button', 'th', 'h1', 'h2', 'h3', 'dt', '.field > span']
  .flatMap((one) => [`main ${one}`, `dialog ${one}`])
  .join(', ')

/** Empty, or what is wider than the screen, or than its own place. */
export function tooWide(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const wide = () => {
      if (document.documentElement.scrollWidth <= innerWidth) return ''
      const out = [...document.querySelectorAll('main *, header *, dialog *')].filter(
        (one) => one.getBoundingClientRect().right > innerWidth + 1,
      )
      return out.map((one) => one.tagName + '.' + one.className).join(' ') || 'something'
    }
    const first = wide()
    if (first !== '') return first
    const cut = [...document.querySelectorAll(${JSON.stringify(LABELS)})].filter(
      (one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1,
    )
    if (cut.length > 0) return cut.map((one) => 'cut: ' + one.textContent).join(' ')
    const before = document.activeElement
    const reasons = [...document.querySelectorAll('[aria-disabled=true]')].map((one) => {
      one.focus({ preventScroll: true })
      const why = document.getElementById(one.getAttribute('aria-describedby') ?? '')
      const box = why?.getBoundingClientRect()
      const isOut = box !== undefined && (box.left < 0 || box.right > innerWidth + 1)
      return wide() || (isOut ? 'reason out of the page: ' + why.textContent : '')
    })
    document.activeElement?.blur()
    before?.focus?.({ preventScroll: true })
    return reasons.find((one) => one !== '') ?? ''
  })()`)
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

/** Of the accessibility rules that axe knows; `only`: of these. */
export async function violations(page: Page, only: readonly string[] = []): Promise<string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(AXE)
  const options = {
    ...{ resultTypes: ['violations'], preload: false, selectors: false },
    ...(only.length === 0 ? {} : { runOnly: { type: 'rule', values: only } }),
  }
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** What is reached by Tab alone; throws where the keyboard does not come. */
export async function tabTo(page: Page, what: Locator): Promise<void> {
  for (let press = 0; press < 80; press += 1) {
    if (await what.evaluate((one) => one === one.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no key reaches ${what}`)
}

export async function pressAt(page: Page, what: Locator): Promise<void> {
  await what.waitFor()
  await tabTo(page, what)
  await page.keyboard.press('Enter')
}
