// Tills on one machine that know nothing but an address: each has a port of its own, and its queue
// behind it. A server in a process of its own, called over real connections.
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, Server } from '../support/server.js'
import type { TestSettings } from '../support/settings.js'
import { Site } from '../support/site.js'
import { at, envelope, operation, readXml } from '../support/soap.js'
import { requestText, type Till } from '../support/stand.js'

const WAIT_MS = 1_500

let site: Site
let server: Server
let tills: [Till, Till]
let urls: [string, string, string]
let settings: TestSettings

beforeAll(async () => {
  site = await Site.make({ tills: 2, external: true })
  const [one, other] = site.tills
  if (one === undefined || other === undefined) throw new Error('there are no two tills')
  tills = [one, other]
  const ports = [await freePort(), await freePort(), await freePort()]
  const [first, second, third] = ports
  const list = `${first}=${one.queueId}, ${second}=bar,${third}=nowhere`
  settings = await site.settings({
    ...{ MIDDLEWARE_AUTH: 'off', MIDDLEWARE_PORTS: list, QUEUE_ALIASES: `bar=${other.queueId}` },
    failPoints: `before-device=wait:${WAIT_MS}@7`,
  })
  server = await Server.start(settings)
  urls = ports.map((port) => `http://127.0.0.1:${port}`) as typeof urls
}, 120_000)
afterAll(async () => {
  await server.kill()
  await site.remove()
}, 60_000)

interface Reply {
  status: number
  text: string
}

async function post(url: string, body: string, headers = {}): Promise<Reply> {
  const reply = await fetch(url, { method: 'POST', body, headers })
  return { status: reply.status, text: await reply.text() }
}

it('sign, journal and echo reach the queue of the port, through REST and SOAP', async () => {
  for (const [number, till] of tills.entries()) {
    const url = urls[number] ?? ''
    const answer = await post(`${url}/json/v1/sign`, requestText(till))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toContain(till.queueId)
    const rows = JSON.parse((await post(`${url}/journal?type=3`, '')).text) as object[]
    expect(rows.every((row) => Reflect.get(row, 'ftQueueId') === till.queueId)).toBe(true)
    expect(await post(`${url}/echo`, '"hello"')).toEqual({ status: 200, text: '"hello"' })
    const echo = await post(url, envelope(operation('Echo', '<message>hello</message>')))
    const told = at(readXml(echo.text), 'Envelope.Body.EchoResponse.EchoResult')
    expect([echo.status, told]).toEqual([200, 'hello'])
  }
})

it('what a call names itself counts more: the path, and the header queueid', async () => {
  const [url] = urls
  const [, till] = tills
  const receipt = requestText(till)
  const { queueId: queueid } = till
  for (const answer of [
    await post(`${url}/${till.queueId}/json/v1/sign`, receipt),
    await post(`${url}/json/v1/sign`, receipt, { queueid }),
  ]) {
    expect([answer.status, answer.text.includes(queueid)], answer.text).toEqual([200, true])
  }
  // the port's queue is not that of this cash box
  const wrong = await post(`${url}/json/v1/sign`, receipt)
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('CASH_BOX_OTHER')])
})

it('a port whose queue nobody has refuses every operation', async () => {
  const url = urls[2]
  const soap = await post(url, envelope(operation('Echo', '<message>hello</message>')))
  expect([soap.status, soap.text]).toEqual([500, expect.stringContaining('QUEUE_UNKNOWN')])
  for (const path of ['/sign', '/journal?type=3', '/echo']) {
    const answer = await post(url + path, requestText(tills[0]))
    expect([path, answer.status]).toEqual([path, 404])
    expect(answer.text).toContain('QUEUE_UNKNOWN')
  }
})

it('a port that is taken stops the start and names the setting', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? address?.port : 0
  const more = { MIDDLEWARE_AUTH: 'off', MIDDLEWARE_PORTS: `${port}=x` }
  await expect(Server.start(await site.settings(more))).rejects.toThrow(
    /port \d+ is taken: set MIDDLEWARE_PORTS to another one/,
  )
  taken.close()
}, 60_000)

it('a stop answers what came through such a port, and waits for nothing else', async () => {
  const [url] = urls
  const [till] = tills
  // an idle connection, kept alive
  await post(`${url}/echo`, '"hello"')
  const answers = [1, 2, 3].map((mark) =>
    post(`${url}/json/v1/sign`, requestText(till, { reference: `stop-${mark}` })),
  )
  await Promise.race([Promise.all(answers), new Promise((next) => setTimeout(next, 300))])
  const { code, ms } = await server.stop()
  expect(code, server.output).toBe(0)
  expect(ms).toBeLessThan(WAIT_MS + 3_000)
  for (const { status, text } of await Promise.all(answers)) expect(status, text).toBe(200)
}, 60_000)
