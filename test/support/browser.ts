// A Chromium that is installed on this machine.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The same engine without a window around the page takes a fifth less of the processor's time. */
const WITHOUT_WINDOW = ['chromium-headless-shell', 'chrome-headless-shell']
const WITH_WINDOW = [
  ...['chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable', 'chrome'],
]
const NAMES = [...WITHOUT_WINDOW, ...WITH_WINDOW]
const PLACES = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** CHROMIUM_PATH, else one on the path or in its usual place. Undefined: there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH = '', PATH = '' } = process.env
  if (CHROMIUM_PATH !== '') return CHROMIUM_PATH
  const onPath = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...onPath, ...PLACES].find((path) => existsSync(path))
}

/**
 * Says on one plain line that browser tests are left out where there is no browser. Under CI=true
 * that is a fault: there they must run.
 */
export function browserIsMissing(): boolean {
  if (findChromium() !== undefined) return false
  if (process.env.CI === 'true') throw new Error('CI needs a Chromium for the browser tests')
  console.log('Browser tests are left out: no Chromium found (set CHROMIUM_PATH to name one).')
  return true
}

/**
 * Pages of tests are over before code made fast has paid for being made: a run of axe in a fresh
 * page took a fifth more of the processor's time with V8's two optimizers.
 */
const SHORT_LIVED = '--js-flags=--no-opt,--no-maglev'

/** As tests open their pages; `more`: further arguments of the command line. */
export function launchBrowser(...more: string[]): Promise<Browser> {
  return launchUsual(SHORT_LIVED, ...more)
}

/** As people have it: what is measured of a page is their time. */
export function launchUsual(...more: string[]): Promise<Browser> {
  const path = findChromium()
  if (path === undefined) throw new Error('no Chromium found')
  // the sandbox of Chromium does not work for root
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', ...more] })
}

/** A page that notes everything that goes wrong in it. */
export async function watchedPage(browser: Browser): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  return { page, faults: notesOf(page) }
}

/** Everything that goes wrong in a page from now on. */
export function notesOf(page: Page): string[] {
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`))
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`)
  })
  return faults
}
