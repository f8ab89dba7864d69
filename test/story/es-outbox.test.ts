// Spanish records on their way, with a database: what was told stays told whatever breaks, the wait
// that the authority asks for is a job of that hour, and an emulated authority remembers.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { checkData } from '../../src/core/audit/check/check.js'
import type { Violation } from '../../src/core/audit/check/rules.js'
import { workOutbox } from '../../src/core/journal/outbox.js'
import { esState } from '../../src/market/es/queue.js'
import { marketOf } from '../../src/market/index.js'
import { serve } from '../../src/simulator/es/authority.js'
import { emptyRegister } from '../../src/simulator/es/register.js'
import { newFaultScript } from '../../src/simulator/faults.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { connected } from '../support/ledger.js'
import {
  answer,
  createTill,
  job,
  openStand,
  type Stand,
  saleOf,
  type Till,
} from '../support/stand.js'

let database: TestDatabase
let client: pg.Client
let stand: Stand
let server: Server
let base = ''
const register = emptyRegister()
/** Records of each request that arrived. */
const requests: number[] = []
let mode: 'well' | 'lost' | '503' = 'well'

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const asked = { method: request.method ?? '', body, now: new Date() }
      if (mode === '503') return response.writeHead(503).end('Service Unavailable')
      const { status, text } = serve(register, asked, { waitSeconds: 60, most: 1000 })
      const records = body.split('<sum:RegistroFactura>').length - 1
      if (records > 0) requests.push(records)
      if (mode === 'lost') return response.destroy()
      response.writeHead(status, { 'content-type': 'text/xml' }).end(text)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  base = `http://127.0.0.1:${port}`
  stand = openStand(database.config, { allow: [`127.0.0.1:${port}`] })
})
afterAll(async () => {
  server.close()
  await stand.close()
  await client.end()
  await database.drop()
})
beforeEach(() => {
  requests.length = 0
  mode = 'well'
})

const sell = (till: Till) =>
  answer(stand.signing.sign(job(till, { receiptCase: saleOf(till), cents: 1210 })))

const stateOf = async ({ queueId }: Till) => {
  const { rows } = await client.query('select state from queue where id = $1', [queueId])
  return esState.parse(JSON.parse(rows[0]?.state))
}

const jobOf = async ({ queueId }: Till) => {
  const { rows } = await client.query(
    `select payload, extract(epoch from run_at - now()) as wait, attempts
      from graphile_worker._private_jobs where key = $1`,
    [`outbox:${queueId}:send:records`],
  )
  return rows[0]
}

/** Does the job as the queue of jobs would: it is gone when it is done, unless it comes again. */
async function work(till: Till, later = 0, open = stand.signing.open): Promise<void> {
  const { payload } = await jobOf(till)
  await client.query('delete from graphile_worker._private_jobs where key = $1', [
    `outbox:${till.queueId}:send:records`,
  ])
  const now = () => new Date(Date.now() + later)
  const tools = { ...stand.deps.tools, now }
  const deps = { store: stand.store, marketOf, tools, now, open }
  await workOutbox(deps, payload, { signal: new AbortController().signal, last: false })
}

it('a lost answer is asked for, an outage waited out, the wait of the authority kept', async () => {
  const configuration = { nif: 'B12345674', name: 'Prueba', baseUrl: base }
  const scu = { package: 'fiskalwerk.SCU.ES.VeriFactu', configuration }
  const till = await createTill(stand, { market: 'ES', scu })
  await Promise.all([sell(till), sell(till), sell(till)])
  mode = 'lost'
  await work(till)
  expect((await stateOf(till)).transmission).toMatchObject({ sent: 0, asked: 3, failures: 1 })
  expect(await sell(till)).toContain('4995371596056100866')
  mode = '503'
  await work(till, 5_000)
  expect(Number((await jobOf(till)).wait)).toBeGreaterThan(0)
  mode = 'well'
  await work(till, 60_000)
  expect((await stateOf(till)).transmission).toMatchObject({ sent: 4, asked: 0, failures: 0 })
  expect(requests).toEqual([3, 1])
  expect(await jobOf(till)).toBeUndefined()
  await sell(till)
  await work(till, 61_000)
  const next = await jobOf(till)
  expect([Number(next.wait) > 30, next.attempts, requests]).toEqual([true, 0, [3, 1]])
  // a further receipt does not hurry it
  await sell(till)
  expect(Number((await jobOf(till)).wait)).toBeGreaterThan(30)
  await work(till, 180_000)
  expect(requests).toEqual([3, 1, 2])
  const { rows } = await client.query(
    `select kind, number from market_journal where queue_id = $1 and kind in ('R', 'T')`,
    [till.queueId],
  )
  expect(rows.filter(({ kind }) => kind === 'T')).toHaveLength(6)
}, 60_000)

it('what the emulated authority takes while work follows is kept with it', async () => {
  const till = await createTill(stand, { market: 'ES' })
  await sell(till)
  const lost = { do: 'authority-error-after', calls: 1 } as const
  const script = newFaultScript([lost, { do: 'authority-away', calls: 1 }])
  await client.query('update scu set fault_script = $1, version = version + 1', [script])
  await client.query('update queue set version = version + 1')
  await expect(sell(till)).resolves.toContain('4995371596056100866')
  await expect(sell(till)).resolves.toContain('4995371596056100866')
  await work(till)
  await work(till, 60_000)
  expect((await stateOf(till)).transmission).toMatchObject({ sent: 3, since: null })
  const { rows } = await client.query('select state from scu where id = $1', [till.scuIds[0]])
  expect(JSON.parse(rows[0]?.state).register).toMatchObject({ requests: 3 })
  expect(await sell(till)).toContain('4995371596056100864')
}, 60_000)

it('a unit that a receipt has moved meanwhile is opened anew, and told once more', async () => {
  const till = await createTill(stand, { market: 'ES', scu: { configuration: { kind: 'Araba' } } })
  await sell(till)
  const script = newFaultScript([{ do: 'authority-away', calls: 2 }])
  await client.query('update scu set fault_script = $1, version = version + 1', [script])
  await client.query('update queue set version = version + 1')
  await expect(sell(till)).resolves.toContain('4995371596056100866')
  await client.query('update scu set fault_script = null, version = version + 1')
  let moves = 0
  const open: typeof stand.signing.open = async (key) => {
    const { write, ...queue } = await stand.signing.open(key)
    return {
      ...queue,
      write: async (notes, change) => {
        moves += 1
        if (moves === 1) await client.query('update scu set version = version + 1')
        return write(notes, change)
      },
    }
  }
  await work(till, 60_000, open)
  expect((await stateOf(till)).transmission).toMatchObject({ sent: 1 })
  const again = await jobOf(till)
  expect([Number(again.wait) <= 0, again.attempts]).toEqual([true, 0])
  await work(till, 60_000)
  expect((await stateOf(till)).transmission).toMatchObject({ sent: 2, since: null })
  const { rows } = await client.query('select state from scu where id = $1', [till.scuIds[0]])
  expect(JSON.parse(rows[0]?.state).register).toMatchObject({ requests: 2 })
  expect(await jobOf(till)).toBeUndefined()
}, 60_000)

it('answers that come long after their receipts are theirs to the checker', async () => {
  const configuration = { nif: 'B12345674', name: 'Prueba', baseUrl: base }
  const scu = { package: 'fiskalwerk.SCU.ES.VeriFactu', configuration }
  const till = await createTill(stand, { market: 'ES', scu })
  for (let sold = 0; sold < 70; sold += 10) {
    await Promise.all(Array.from({ length: 10 }, () => sell(till)))
  }
  await work(till)
  expect(requests).toEqual([70])
  const violations: Violation[] = []
  const { queues } = await checkData(stand.deps, (one) => violations.push(one))
  expect(violations.filter(({ queueId }) => queueId === till.queueId)).toEqual([])
  expect(queues).toBeGreaterThan(0)
}, 60_000)
