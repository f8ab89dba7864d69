// What a guest does on the page of a receipt, in a real browser: forms that work without script, a
// list that stays on the device, and nothing that axe finds in any of it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerPage, RECEIPT_POLICY } from '../../src/render/html.js'
import { browserIsMissing, launchBrowser, notesOf } from '../support/browser.js'
import { receiptScenes } from '../support/receipt-scenes.js'

const scenes = receiptScenes()
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const ANSWER = answerPage('de', { title: 'Unterwegs', text: 'Gleich da.', address: '/at' })

describe.skipIf(browserIsMissing())('the guest', { timeout: 120_000 }, () => {
  let server: Server
  let base: string
  let browser: Browser
  const sent: { path: string; body: string }[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (part: Buffer) => chunks.push(part))
      request.on('end', () => {
        const path = request.url ?? ''
        const isForm = request.method === 'POST'
        if (isForm) sent.push({ path, body: Buffer.concat(chunks).toString() })
        response.writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': RECEIPT_POLICY,
        })
        response.end(isForm ? ANSWER : (scenes[path.slice(1)] ?? scenes.at))
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  async function open(context: BrowserContext, name: string) {
    const page = await context.newPage()
    const faults = notesOf(page)
    await page.goto(`${base}/${name}`)
    return { page, faults }
  }
  const contextOf = (options: BrowserContextOptions = {}) =>
    browser.newContext({ viewport: { width: 360, height: 800 }, ...options })

  it.each(['at', 'branded', 'english'])(
    '%s: axe finds nothing with all folds open',
    async (name) => {
      const context = await contextOf()
      const { page, faults } = await open(context, name)
      await page.evaluate('document.querySelectorAll("#guest details").forEach(d=>{d.open=true})')
      await page.evaluate(axe.source)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const found = await page.evaluate(
          `axe.run({runOnly:${JSON.stringify(TAGS)}}).then(r=>r.violations.map(v=>v.id+' '+` +
            `v.nodes.map(n=>n.html.slice(0,120)).slice(0,3).join(' | ')))`,
        )
        expect(found, colorScheme).toEqual([])
      }
      const wider = await page.evaluate(
        'document.documentElement.scrollWidth-document.documentElement.clientWidth',
      )
      expect(wider).toBeLessThanOrEqual(0)
      expect(faults).toEqual([])
      await context.close()
    },
  )

  it('sends the form to the receipt, without script as well, and is told so', async () => {
    const context = await contextOf({ javaScriptEnabled: false })
    const { page, faults } = await open(context, 'at')
    await page.getByText('An mich senden').click()
    await page.getByLabel('Ihre E-Mail-Adresse').fill('guest+1@example.com')
    await page.getByRole('button', { name: 'Senden' }).click()
    expect(await page.locator('h1').innerText()).toBe('Unterwegs')
    expect(sent.at(-1)?.path).toMatch(/^\/[\da-f-]{36}\/[\da-f-]{36}\/send$/)
    expect(new URLSearchParams(sent.at(-1)?.body).get('email')).toBe('guest+1@example.com')
    await page.getByRole('link', { name: 'Zurück zum Beleg' }).click()
    expect(await page.locator('#sum').isVisible()).toBe(true)
    // nothing of a list that only a script could keep
    expect(await page.getByText('Auf diesem Gerät merken').isVisible()).toBe(false)
    expect(faults).toEqual([])
    await context.close()
  })

  it('remembers receipts of a shop on the device, and forgets them', async () => {
    const context = await contextOf()
    const first = await open(context, 'at')
    await first.page.getByRole('button', { name: 'Auf diesem Gerät merken' }).click()
    const second = await open(context, 'training')
    // the same shop in the words of another reader
    const list = second.page.locator('#mine li')
    expect(await list.count()).toBe(1)
    expect(await list.first().innerText()).toMatch(/16,60\s€/)
    expect(await list.first().getByRole('link').getAttribute('href')).toMatch(/^\/[\da-f-]{36}\//)
    const other = await open(context, 'de')
    expect(await other.page.locator('#mine li').count()).toBe(0)
    await second.page.reload()
    await second.page.locator('#mine .forget').click()
    expect(await list.count()).toBe(0)
    expect(await second.page.evaluate('localStorage.length')).toBe(0)
    expect([...first.faults, ...second.faults, ...other.faults]).toEqual([])
    await context.close()
  })

  it('shows nothing that others have put into the list', async () => {
    const context = await contextOf()
    const { page, faults } = await open(context, 'at')
    const evil = [
      'javascript:alert(1)',
      '//evil.example/x',
      'https://evil.example',
      '/a"b',
      null,
      {},
    ]
    const entries = evil.map((path) => ({ path, name: '<img src=x onerror=alert(1)>', told: '1' }))
    const key = `receipts:${await page.locator('#mine').getAttribute('data-shop')}`
    const stored = JSON.stringify([...entries, 7, null])
    for (const text of [stored, '{broken', '{"length":9}']) {
      await page.evaluate(`localStorage.setItem(${JSON.stringify(key)},${JSON.stringify(text)})`)
      await page.reload()
      expect(await page.locator('#mine li').count(), text).toBe(0)
      expect(await page.getByRole('button', { name: 'Auf diesem Gerät merken' }).isVisible()).toBe(
        true,
      )
    }
    expect(faults).toEqual([])
    await context.close()
  })
})
