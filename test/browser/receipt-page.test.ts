// The receipt page in a real browser: readable by everybody on every screen and on paper, complete
// without script, with nothing from elsewhere, and its code can be scanned in light and dark.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import axe from 'axe-core'
import jsqr from 'jsqr'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECEIPT_POLICY } from '../../src/render/html.js'
import { browserIsMissing, launchBrowser, notesOf } from '../support/browser.js'
import {
  AUSTRIAN_CODE,
  brandedPage,
  GERMAN_CODE,
  receiptScenes,
} from '../support/receipt-scenes.js'

const scenes = receiptScenes()
const names = Object.keys(scenes)
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Only what is wrong, without the ways to it. */
const LEAN = { resultTypes: ['violations'], preload: false, selectors: false }
/** All rules, and those that say something else of a page in other colours and widths. */
const ALL = { ...LEAN, runOnly: TAGS }
const OF_LOOKS = {
  ...LEAN,
  runOnly: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'],
}
const PHONE = { width: 360, height: 800 }

describe.skipIf(browserIsMissing())('the receipt page', { timeout: 120_000 }, () => {
  let server: Server
  let base: string
  let browser: Browser
  const asked: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const html = scenes[(request.url ?? '/').slice(1)]
      const type = { 'content-type': 'text/html; charset=utf-8' }
      response.writeHead(html === undefined ? 404 : 200, {
        ...type,
        'content-security-policy': RECEIPT_POLICY,
      })
      response.end(html)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  interface Opened {
    page: Page
    faults: string[]
    close(): Promise<void>
  }

  let usual: Omit<Opened, 'close'> | undefined

  /** In the page of all tests, or in one of its own where the options want that. */
  async function open(name: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const { viewport = PHONE, colorScheme = 'light', ...others } = options
    if (Object.keys(others).length > 0) return openAlone(name, { viewport, ...options })
    // a further page is a further process: what takes longest
    usual ??= await pageIn({ viewport })
    const { page, faults } = usual
    await page.setViewportSize(viewport ?? PHONE)
    await page.emulateMedia({ colorScheme, media: 'screen' })
    faults.length = 0
    await page.goto(`${base}/${name}`)
    return { page, faults, close: () => Promise.resolve() }
  }

  async function pageIn(options: BrowserContextOptions): Promise<Omit<Opened, 'close'>> {
    const page = await (await browser.newContext(options)).newPage()
    return { page, faults: notesOf(page) }
  }

  async function openAlone(name: string, options: BrowserContextOptions): Promise<Opened> {
    const { page, faults } = await pageIn(options)
    await page.goto(`${base}/${name}`)
    return { page, faults, close: () => page.context().close() }
  }

  it.each(names)(
    '%s: one request, and axe finds nothing, in light and dark, narrow, wide, on paper',
    async (name) => {
      asked.length = 0
      const { page, faults } = await open(name)
      const requests: string[] = []
      const note = (request: Request) => void requests.push(request.url())
      page.on('request', note)
      await page.evaluate(axe.source)
      for (const [width, colorScheme, media, rules] of [
        [360, 'light', 'screen', ALL],
        [768, 'dark', 'screen', OF_LOOKS],
        // other parts of the page are shown there
        [768, 'light', 'print', ALL],
      ] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme, media })
        const found = await page.evaluate(
          `axe.run(${JSON.stringify(rules)}).then(r=>r.violations.map(v=>v.id+' '+` +
            `v.nodes.map(n=>n.html.slice(0,120)).slice(0,3).join(' | ')))`,
        )
        expect(found, `${width} ${colorScheme} ${media}`).toEqual([])
      }
      page.off('request', note)
      expect(asked).toEqual([`/${name}`])
      expect(requests).toEqual([])
      expect(faults).toEqual([])
      // nothing of its texts runs
      expect(await page.title()).not.toMatch(/^(taken|1)$/)
    },
  )

  it.each(names)('%s: nothing is cut off or scrolls sideways from 320 px on', async (name) => {
    const { page } = await open(name)
    for (const width of [320, 360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const wider = await page.evaluate(
        'Math.max(document.documentElement.scrollWidth-document.documentElement.clientWidth,' +
          "...[...document.querySelectorAll('main *')].map(" +
          'e=>Math.round(e.getBoundingClientRect().right)-document.documentElement.clientWidth))',
      )
      expect(wider, `${width} px`).toBeLessThanOrEqual(0)
    }
  })

  it.each(names)('%s: no amount breaks within its number', async (name) => {
    const { page } = await open(name)
    for (const width of [320, 340, 360, 361, 375, 412, 480, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const broken = await page.evaluate(
        "[...document.querySelectorAll('#vat td,#vat dd,#total span,#payments dd,#items td')]" +
          '.filter(e=>{const r=document.createRange();r.selectNodeContents(e);' +
          'return new Set([...r.getClientRects()].map(b=>Math.round(b.top))).size>1})' +
          '.map(e=>e.textContent)',
      )
      expect(broken, `${width} px`).toEqual([])
    }
  })

  it('the sandbox explains itself in a fold, and is not printed', async () => {
    const { page, close } = await open('sandbox')
    expect(await page.getByText('Stornobuchung').isVisible()).toBe(true)
    expect(await page.getByText('Decision 2').isVisible()).toBe(false)
    await page.getByText('S A N D B O X').first().click()
    expect(await page.getByText('Decision 2').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByText('Decision 2').isVisible()).toBe(false)
    expect(await page.getByText('S A N D B O X').first().isVisible()).toBe(true)
    await close()
  })

  it('the form for hospitality is folded on a screen and open on paper', async () => {
    const { page, close } = await open('branded')
    const guests = page.locator('#hospitality').getByText('Bewirtete Personen')
    expect(await guests.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await guests.isVisible()).toBe(true)
    await close()
  })

  it('it is smaller than 60 kB, with a logo too', () => {
    for (const name of names.filter((one) => one !== 'many')) {
      expect(Buffer.byteLength(scenes[name] ?? ''), name).toBeLessThan(60_000)
    }
  })

  it.each([
    ['at', 'light', AUSTRIAN_CODE],
    ['at', 'dark', AUSTRIAN_CODE],
    ['branded', 'dark', AUSTRIAN_CODE],
    ['de', 'light', GERMAN_CODE],
    ['de', 'dark', GERMAN_CODE],
  ] as const)('%s, %s: the code is what was signed', async (name, colorScheme, code) => {
    const { page, close } = await open(name, { colorScheme, deviceScaleFactor: 2 })
    expect(await scanned(await page.locator('svg.qr').screenshot())).toBe(code)
    // as a whole page a phone sees it
    expect(await scanned(await page.locator('#fiscal').screenshot())).toBe(code)
    await page.emulateMedia({ media: 'print' })
    expect(await scanned(await page.locator('svg.qr').screenshot())).toBe(code)
    await close()
  })

  it.each(['at', 'strange'])('%s: without script all is there but what needs it', async (name) => {
    const { page, faults, close } = await open(name, { javaScriptEnabled: false })
    expect(await page.locator('h1').innerText()).toContain('ft1A#')
    expect(await page.locator('#total').innerText()).toContain('€')
    expect(await page.locator('svg.qr').isVisible()).toBe(true)
    for (const id of ['print', 'copy-link']) {
      expect(await page.locator(`#${id}`).isVisible(), id).toBe(false)
    }
    expect(await page.getByRole('link', { name: 'Speichern' }).isVisible()).toBe(true)
    const share = page.getByRole('link', { name: 'Teilen' })
    expect(await share.getAttribute('href')).toMatch(/^mailto:/)
    expect(await page.getByRole('link', { name: 'Per E-Mail' }).isVisible()).toBe(true)
    expect(faults).toEqual([])
    await close()
  })

  it('with script: print, copy and share do what they say', async () => {
    const options = { permissions: ['clipboard-read', 'clipboard-write'] }
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const faults = notesOf(page)
    await page.addInitScript(
      'window.calls=[];window.print=()=>calls.push("print");' +
        'navigator.share=d=>{calls.push(d);return Promise.reject(new Error("closed"))}',
    )
    await page.goto(`${base}/at`)
    await page.getByRole('button', { name: 'Drucken' }).click()
    await page.getByRole('link', { name: 'Teilen' }).click()
    await page.getByRole('button', { name: 'Link kopieren' }).click()
    await page.getByText('Link kopiert').last().waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${base}/at`)
    expect(await page.evaluate('calls')).toEqual([
      'print',
      { title: await page.title(), url: `${base}/at` },
    ])
    expect(faults).toEqual([])
    await context.close()
  })

  it('on a device without a share sheet sharing copies the link, and says so', async () => {
    const options = { permissions: ['clipboard-read', 'clipboard-write'] }
    const { page, faults, close } = await open('at', options)
    await page.evaluate('delete Navigator.prototype.share')
    await page.getByRole('link', { name: 'Teilen' }).click()
    await page.getByText('Link kopiert').first().waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${base}/at`)
    expect(faults).toEqual([])
    await close()
  })

  // the samples of all countries: receipt-samples.test.ts
  it.each(['at', 'de', 'english', 'training', 'void', 'outage', 'branded', 'sandbox'])(
    '%s: how much, when, saving and sharing are on the first screen of a phone',
    async (name) => {
      const { page, close } = await open(name, { viewport: { width: 360, height: 640 } })
      for (const part of ['#sum', '#when', '#keep .first', '#keep .share']) {
        const box = await page.locator(part).boundingBox()
        expect((box?.y ?? 1_000) + (box?.height ?? 0), part).toBeLessThanOrEqual(640)
      }
      const sizes = await page.evaluate<number[]>(
        '["#sum","h1","#total"].map(i=>document.querySelector(i)).map(' +
          'one=>parseFloat(getComputedStyle(one).fontSize))',
      )
      expect(sizes[0]).toBeGreaterThan(2 * Math.max(...sizes.slice(1)) - 4)
      // one button stands out
      expect(await page.locator('.buttons .first').count()).toBe(1)
      await close()
    },
  )

  it('what only the shop asks for is folded, and open on paper', async () => {
    const { page, close } = await open('at')
    expect(await page.getByText('KASSE-1').isVisible()).toBe(false)
    await page.getByText('Technische Angaben').click()
    expect(await page.getByText('KASSE-1').isVisible()).toBe(true)
    await page.reload()
    await page.emulateMedia({ media: 'print' })
    for (const text of ['KASSE-1', 'R-17', 'T1']) {
      expect(await page.getByText(text, { exact: true }).isVisible(), text).toBe(true)
    }
    expect((await page.content()).match(/ft1A#</g)).toHaveLength(2)
    await close()
  })

  it.each([
    ['#7d1f2d', '#ffffff'],
    ['#ffe14d', '#101010'],
    ['#10204f', '#ffe14d'],
    // neither of both can be read on a dark page
    ['#777777', '#000000'],
  ])(
    'links and buttons in %s and %s can be read in light and dark',
    async (background, primary) => {
      const { page, close } = await open('branded')
      await page.setContent(brandedPage({ background, primary }))
      await page.evaluate(axe.source)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const found = await page.evaluate(
          "axe.run({runOnly:['color-contrast']}).then(r=>" +
            'r.violations.flatMap(v=>v.nodes.map(n=>n.html)))',
        )
        expect(found, colorScheme).toEqual([])
      }
      await close()
    },
  )

  it('it stays readable when the network is gone', async () => {
    const { page, faults, close } = await open('branded', { offline: false })
    await page.context().setOffline(true)
    await page.setViewportSize({ width: 768, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    const width = await page.evaluate('document.querySelector("#merchant img").naturalWidth')
    expect(width).toBe(400)
    expect(await page.locator('#total').isVisible()).toBe(true)
    expect(faults).toEqual([])
    await close()
  })

  it('on paper there are no buttons, and further details are open', async () => {
    const { page, close } = await open('de')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#actions').isVisible()).toBe(false)
    expect(await page.getByText('BSI-K-TR-0000-2026').isVisible()).toBe(true)
    await close()
  })

  it('data for programs stands on the page and is not run', async () => {
    const { page, faults, close } = await open('at')
    const json = await page.locator('script[type="application/ld+json"]').textContent()
    expect(JSON.parse(json ?? '')).toMatchObject({ '@type': 'Invoice', identifier: 'ft1A#' })
    expect(faults).toEqual([])
    await close()
  })
})

async function scanned(png: Buffer): Promise<string | undefined> {
  const image = await loadImage(png)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height)
  return jsqr.default(new Uint8ClampedArray(data), width, height, {
    inversionAttempts: 'dontInvert',
  })?.data
}
