// A server without credentials on the machine of somebody who opens pages of the world: a real
// browser, a page of another origin, and a name that is pointed here after its page has loaded.
import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  countRows,
  type Server,
  startServer,
  startTestServer,
  type TestServer,
} from '../support/app.js'
import { browserIsMissing, launchBrowser } from '../support/browser.js'
import { saleText } from '../support/receipts.js'

function evil(_request: unknown, response: ServerResponse): void {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>evil</title>')
}

describe.skipIf(browserIsMissing())('in a browser', { timeout: 60_000 }, () => {
  let server: TestServer
  let local: Server
  let friendly: Server
  let world: HttpServer
  let browser: Browser
  /** The local server, the one that lists an origin, and the page of the world. */
  let ports: { local: number; friendly: number; world: number }
  beforeAll(async () => {
    server = await startTestServer()
    local = await startServer(server, { MIDDLEWARE_AUTH: 'off' })
    world = createServer(evil)
    await new Promise<void>((resolve) => world.listen(0, '127.0.0.1', resolve))
    const port = (world.address() as AddressInfo).port
    friendly = await startServer(server, {
      MIDDLEWARE_AUTH: 'off',
      MIDDLEWARE_ORIGINS: `http://evil.example:${port}`,
    })
    const listen = async ({ app }: Server) =>
      Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
    ports = { local: await listen(local), friendly: await listen(friendly), world: port }
    // every name of that domain is this machine, as after rebinding
    browser = await launchBrowser('--host-resolver-rules=MAP *.example 127.0.0.1')
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    world?.close()
    await local?.close()
    await friendly?.close()
    await server?.close()
  })

  const sale = () => saleText({ ftCashBoxID: `"${server.box.cashBoxId}"` })
  const signUrl = (port: number) => `http://127.0.0.1:${port}/${server.box.queueId}/json/v1/sign`
  const worldPage = async () => {
    const page = await browser.newPage()
    await page.goto(`http://evil.example:${ports.world}/`)
    return page
  }
  /** What a fetch of the page gives: status and text, or that the browser shows nothing. */
  const fetched = (page: Page, url: string, init: object) =>
    page.evaluate(
      ([address, options]) =>
        fetch(address, options).then(
          async (answer) => ({ status: answer.status, text: await answer.text() }),
          () => ({ status: 0, text: 'nothing to read' }),
        ),
      [url, init] as const,
    )

  it('a page of another origin signs nothing, by whatever way it calls', async () => {
    const page = await worldPage()
    const before = await countRows(server)
    const body = sale()
    const url = signUrl(ports.local)
    for (const init of [
      { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body },
      { method: 'POST', mode: 'cors', headers: { 'content-type': 'text/plain' }, body },
      { method: 'POST', mode: 'cors', headers: { 'content-type': 'application/json' }, body },
    ]) {
      expect((await fetched(page, url, init)).status).toBe(0)
    }
    const [to, text] = [JSON.stringify(url), JSON.stringify(body)]
    await page.evaluate(`navigator.sendBeacon(${to}, ${text})`)
    // a form of text/plain can spell any JSON
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.url() === url && one.request().isNavigationRequest()),
      page.evaluate(`
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', action: ${to}, enctype: 'text/plain' })
        const field = document.createElement('input')
        Object.assign(field, { name: ${text}.slice(0, -1) + ',"x":"', value: '"}' })
        form.append(field)
        document.body.append(form)
        form.submit()`),
    ])
    expect(answer.status()).toBe(403)
    expect(await countRows(server)).toEqual(before)
    await page.close()
  })

  it('a name that is pointed here after its page has loaded reads and signs nothing', async () => {
    // the page comes from its own machine; the same name and port are this one afterwards
    const far = createServer(evil)
    await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve))
    const { port } = far.address() as AddressInfo
    const front = `http://rebound.example:${port}`
    const page = await browser.newPage()
    await page.goto(`${front}/`)
    far.closeAllConnections()
    await new Promise((resolve) => far.close(resolve))
    const rebound = await startServer(server, { MIDDLEWARE_AUTH: 'off' })
    await rebound.app.listen({ host: '127.0.0.1', port })
    const before = await countRows(server)
    const journal = `${front}/${server.box.queueId}/json/v1/journal?type=3`
    const read = await fetched(page, journal, { method: 'POST' })
    expect(read).toEqual({ status: 403, text: expect.stringContaining('HOST_REFUSED') })
    const sign = `${front}/${server.box.queueId}/json/v1/sign`
    const signed = await fetched(page, sign, { method: 'POST', body: sale() })
    expect(signed).toEqual({ status: 403, text: expect.stringContaining('HOST_REFUSED') })
    const wsdl = await fetched(page, `${front}/${server.box.queueId}?wsdl`, { method: 'GET' })
    expect(wsdl.status).toBe(403)
    expect(await countRows(server)).toEqual(before)
    await page.close()
    await rebound.close()
  })

  it('a page whose origin a setting names signs, and reads the answer', async () => {
    const page = await worldPage()
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: sale() }
    const answer = await fetched(page, signUrl(ports.friendly), init)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toContain('ftReceiptIdentification')
    await page.close()
  })
})
