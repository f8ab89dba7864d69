// A database that stands still: its processes are stopped, so that connections stay open and no
// question is answered. Whoever waits is told so within the time that he was promised.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  call,
  type Server,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { pausedDatabase } from '../../support/paused-database.js'
import { saleText } from '../../support/receipts.js'

const WAITING_MS = 3_000
/** For a busy machine; without the promise it is twice as long until the database is given up. */
const SLACK_MS = 1_500

let server: TestServer
let patient: Server & Pick<TestServer, 'headers'>
beforeAll(async () => {
  server = await startTestServer()
  const settings = { SIGN_WAITING_SECONDS: String(WAITING_MS / 1000), credentialsMs: 1000 }
  patient = { ...(await startServer(server, settings)), headers: server.headers }
})
afterAll(async () => {
  await patient.close()
  await server.close()
})

const sign = () => call(patient, '/json/v1/sign', { body: saleText() })

it('every caller gets 503 in time, and all goes on afterwards', async () => {
  expect((await sign()).status).toBe(200)
  const pause = await pausedDatabase(server.database.config)
  const calls = [sign(), sign(), sign()]
  const answers = Promise.all(calls.map(async (one) => (await one).status))
  const first = await Promise.race([answers, sleep(WAITING_MS + SLACK_MS, 'nobody answered')])
  pause.resume()
  expect(first).toEqual([503, 503, 503])
  await expect.poll(async () => (await sign()).status, { timeout: 20_000 }).toBe(200)
}, 60_000)
