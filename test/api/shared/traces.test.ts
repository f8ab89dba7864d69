// Traces as a collector gets them: OTLP in its JSON form over HTTP.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../../src/log.js'
import { saleText } from '../../support/receipts.js'
import { openShop, type Shop } from '../../support/shop.js'

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
}

const spans: OtlpSpan[] = []
const collector = createServer(async (request, answer) => {
  const { resourceSpans } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
    resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[]
  }
  for (const { scopeSpans } of resourceSpans) spans.push(...scopeSpans.flatMap((one) => one.spans))
  answer.end('{}')
})

const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) =>
    /@opentelemetry\/(sdk|exporter|otlp)/.test(path),
  )

const opened: Shop[] = []
async function open(settings: Record<string, string>): Promise<Shop> {
  const shop = await openShop(settings, createLog('silent', false), { countries: ['AT'] })
  opened.push(shop)
  return shop
}

beforeAll(() => new Promise<void>((done) => collector.listen(0, '127.0.0.1', done)))
afterAll(async () => {
  for (const shop of opened) await shop.close()
  collector.close()
})

const sign = ({ url, box }: Shop, headers: Record<string, string> = {}) =>
  fetch(`${url}/json/v1/sign`, {
    method: 'POST',
    headers: {
      ...{ cashboxid: box.cashBoxId, accesstoken: box.accessToken },
      ...{ 'content-type': 'application/json', ...headers },
    },
    body: saleText({ ftCashBoxID: `"${box.cashBoxId}"` }),
  })

it('nothing is loaded where nobody wants traces, and a dead collector harms nobody', async () => {
  expect((await sign(await open({}))).status).toBe(200)
  expect(loaded()).toEqual([])
  const dead = await open({ TRACES_URL: 'http://127.0.0.1:9/v1/traces' })
  expect((await sign(dead)).status).toBe(200)
  expect(loaded()).not.toEqual([])
})

it('a call stands below that of its caller, batch and statement below the call', async () => {
  const { port } = collector.address() as AddressInfo
  const shop = await open({ TRACES_URL: `http://127.0.0.1:${port}/v1/traces` })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await sign(shop, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
  const named = (start: string) =>
    spans.find((one) => one.traceId === traceId && one.name.startsWith(start))
  await expect.poll(() => named('POST /json/v1/sign'), { timeout: 10_000 }).toBeDefined()
  expect(named('POST')?.parentSpanId).toBe('00f067aa0ba902b7')
  expect(named('sign batch')?.parentSpanId).toBe(named('POST')?.spanId)
  expect(named('statement sign-')?.parentSpanId).toBe(named('sign batch')?.spanId)
})
