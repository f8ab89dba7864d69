// Traces as a collector gets them: OTLP in its JSON form over HTTP.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../../src/log.js'
import { scuSecrets } from '../../../src/store/sign/queues.js'
import { saleText } from '../../support/receipts.js'
import { openShop, type Shop } from '../../support/shop.js'

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 2: server, 3: client. */
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status?: { code?: number }
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

const valuesOf = ({ attributes }: OtlpSpan) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

const sign = ({ url, box }: Shop, headers: Record<string, string> = {}) =>
  fetch(`${url}/json/v1/sign?canary-query`, {
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

it('devices, calls to the outside and jobs have spans of their own, without secrets', async () => {
  const heard: (string | undefined)[] = []
  const device = createServer((request, answer) => {
    heard.push(request.headers.traceparent as string | undefined)
    answer.writeHead(503).end()
  })
  await new Promise<void>((done) => device.listen(0, '127.0.0.1', done))
  const at = (server: typeof device) => `127.0.0.1:${(server.address() as AddressInfo).port}`
  const shop = await open({
    TRACES_URL: `http://${at(collector)}/v1/traces`,
    OUTBOUND_ALLOW: at(device),
  })
  const { pool } = shop.deps.store
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4737'
  await sign(shop, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
  const inTrace = (name: string) =>
    spans.filter((one) => one.traceId === traceId && one.name === name)
  await expect.poll(() => inTrace('device call'), { timeout: 10_000 }).not.toEqual([])
  const [own] = inTrace('device call')
  expect(own && valuesOf(own)).toMatchObject({
    'fiskalwerk.package': 'fiskalwerk.SCU.AT.Software',
    'fiskalwerk.scu': shop.box.scuIds[0],
    'fiskalwerk.outcome': 'ok',
  })
  expect(own?.parentSpanId).toBeDefined()

  // the same unit, now outside of this server
  const { cashBoxId, accessToken } = shop.box
  const [scuId = ''] = shop.box.scuIds
  const secrets = JSON.stringify({ cashBoxId, accessToken })
  await pool.query(
    `update scu set package = 'fiskalwerk.SCU.AT.Remote', configuration = '{}',
       secrets_sealed = $2, state = '{}', url = $1, version = version + 1`,
    [`http://${at(device)}/canary-path`, shop.deps.store.sealer.seal(secrets, scuSecrets(scuId))],
  )
  await pool.query('update queue set version = version + 1')
  await sign(shop, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
  const outgoing = () => spans.filter((one) => one.traceId === traceId && one.kind === 3)
  const called = () => outgoing().find((one) => 'http.response.status_code' in valuesOf(one))
  await expect.poll(called, { timeout: 10_000 }).toBeDefined()
  expect(valuesOf(called() as OtlpSpan)).toMatchObject({
    'server.address': '127.0.0.1',
    'http.response.status_code': 503,
  })
  // the device gets the trace along, with the call to it as its caller
  expect(heard).toContain(`00-${traceId}-${called()?.spanId}-01`)

  await pool.query(`select graphile_worker.add_job('message', '{"accountId":"x","id":"y"}'::json)`)
  shop.deps.jobs.start()
  const job = () => spans.find((one) => one.name === 'job message')
  await expect.poll(job, { timeout: 10_000 }).toBeDefined()
  expect(job()?.parentSpanId ?? '').toBe('')
  await shop.deps.jobs.stop()

  const all = JSON.stringify(spans)
  for (const secret of ['canary-query', 'canary-path', shop.box.accessToken]) {
    expect(all).not.toContain(secret)
  }
  device.close()
})
