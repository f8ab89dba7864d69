// /metrics: what has happened can be read there, under names that alert rules rely on, and nothing
// that a caller sends becomes a label.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, startTestServer, type TestServer } from '../../support/app.js'
import { saleText } from '../../support/receipts.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const text = async () => (await server.app.inject('/metrics')).body

/** The value of the line with exactly these labels, in any order; undefined: there is none. */
async function figure(name: string, labels: Record<string, string> = {}) {
  const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`)
  for (const line of (await text()).split('\n')) {
    const [, found, inside = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const pairs = inside === '' ? [] : inside.split(/,(?=\w+=")/)
    const isSame = pairs.length === wanted.length && wanted.every((pair) => pairs.includes(pair))
    if (found === name && isSame) return Number(value)
  }
  return undefined
}

const sign = () => call(server, '/json/v1/sign', { body: saleText() })
const script = (steps: object[]) =>
  call(server, `/sandbox/scus/${server.box.scuIds[0]}/fault`, {
    method: 'PUT',
    body: JSON.stringify({ steps }),
  })

it('a signed receipt counts: call, time, outcome, device', async () => {
  const group = { group: 'middleware', code: '200' }
  const before = {
    calls: (await figure('fiskalwerk_http_requests_total', group)) ?? 0,
    signed: (await figure('fiskalwerk_sign_duration_seconds_count')) ?? 0,
    timed:
      (await figure('fiskalwerk_http_request_duration_seconds_count', { group: 'middleware' })) ??
      0,
  }
  expect((await sign()).status).toBe(200)
  const device = { package: 'fiskalwerk.SCU.AT.Software', outcome: 'ok' }
  expect(await figure('fiskalwerk_http_requests_total', group)).toBe(before.calls + 1)
  expect(await figure('fiskalwerk_sign_duration_seconds_count')).toBe(before.signed + 1)
  expect(
    await figure('fiskalwerk_http_request_duration_seconds_count', { group: 'middleware' }),
  ).toBe(before.timed + 1)
  const outcome = { market: 'AT', outcome: 'answered' }
  expect(await figure('fiskalwerk_receipts_total', outcome)).toBeGreaterThan(0)
  expect(await figure('fiskalwerk_device_calls_total', device)).toBeGreaterThan(0)
  expect(await figure('fiskalwerk_receipts_unsigned_total', { market: 'AT' })).toBeUndefined()
})

it('a unit that is out: failed calls, receipts without signature, an open outage', async () => {
  await script([{ do: 'unreachable' }])
  expect((await sign()).status).toBe(200)
  const failed = { package: 'fiskalwerk.SCU.AT.Software', outcome: 'failed' }
  expect(await figure('fiskalwerk_device_calls_total', failed)).toBeGreaterThan(0)
  expect(await figure('fiskalwerk_receipts_unsigned_total', { market: 'AT' })).toBe(1)
  await script([])
})

it('wrong credentials and unknown addresses count without naming what was sent', async () => {
  const cashboxid = '7f0f9d1a-0000-4000-8000-00000000beef'
  for (let n = 0; n < 12; n += 1) {
    await call(server, '/json/v1/sign', { body: saleText(), headers: { cashboxid } })
  }
  await call(server, '/no-such-place-of-a-caller', { method: 'POST', body: '{}' })
  const limit = { code: 'CREDENTIALS_LIMITED' }
  expect(await figure('fiskalwerk_limited_total', limit)).toBe(2)
  const refused = { group: 'middleware', code: '429' }
  expect(await figure('fiskalwerk_http_requests_total', refused)).toBe(2)
  const all = await text()
  expect(all).not.toContain('beef')
  expect(all).not.toContain('no-such-place')
  expect(all).not.toContain(server.box.queueId)
})

it('what the database knows: jobs, problems, events, certificates, connections', async () => {
  await expect
    .poll(() => figure('fiskalwerk_certificate_days_left'), { timeout: 10_000 })
    .toBeGreaterThan(0)
  expect(await figure('fiskalwerk_certificates_ending', { days: '0' })).toBe(0)
  expect(await figure('fiskalwerk_database_up')).toBe(1)
  expect(await figure('fiskalwerk_events_waiting')).toBeGreaterThan(0)
  expect(await figure('fiskalwerk_database_connections', { state: 'waiting' })).toBe(0)
  const labels = { version: '0.1.0', node: process.version, environment: 'sandbox' }
  expect(await figure('fiskalwerk_build_info', labels)).toBe(1)
})

it('a job that waits and an outage that goes on are counted over all servers', async () => {
  const { pool } = server.deps.store
  await pool.query(
    `insert into outage (account_id, id, queue_id, cause, began_at)
     values ($1, gen_random_uuid(), $2, 'device', now())`,
    [server.demo.operator.accountId, server.box.queueId],
  )
  await pool.query(`select graphile_worker.add_job('message', '{}'::json)`)
  // for some seconds the answer before counts
  await expect
    .poll(() => figure('fiskalwerk_outages_open', { cause: 'device' }), { timeout: 10_000 })
    .toBe(1)
  expect(await figure('fiskalwerk_jobs', { task: 'message', state: 'waiting' })).toBe(1)
  await pool.query('update outage set ended_at = now()')
  await expect
    .poll(() => figure('fiskalwerk_outages_open', { cause: 'device' }), { timeout: 10_000 })
    .toBeUndefined()
})
