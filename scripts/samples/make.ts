// Makes the receipts that the sandbox shows: each kind is signed by a real queue of each market, on
// a database that is gone behind it. `npx tsx scripts/samples/make.ts`
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { readConfig } from '../../src/config.js'
import { type DemoCashBox, ensureDemo } from '../../src/core/rollout/demo.js'
import { createLog } from '../../src/log.js'
import { marketOf, markets } from '../../src/market/index.js'
import { migrate } from '../../src/postgres/migrate.js'
import { type InProcess, serveInProcess } from '../../src/serve/in-process.js'
import { startThrowAwayCluster } from '../throw-away-cluster.js'
import { bodyOf, SAMPLES, type Sample } from './plan.js'

const FILE = new URL('../../src/core/receipts/samples/receipts.json', import.meta.url)
const BEGIN = Date.parse('2026-07-01T10:00:00Z')
const MINUTE_MS = 60_000

interface Till {
  server: InProcess
  box: DemoCashBox
  clock: { at: Date }
}

async function run(): Promise<void> {
  const cluster = await startThrowAwayCluster()
  const log = createLog('silent', false)
  const clock = { at: new Date(BEGIN) }
  try {
    await migrate(cluster.config, log)
    const key = Buffer.alloc(32, 7).toString('base64')
    const config = readConfig({ DATABASE_URL: 'postgresql://throw.away', MASTER_KEY: key }, {})
    const database = { poolConfig: cluster.config }
    const server = await serveInProcess({ config, log, database, now: () => clock.at })
    const { store, signing } = server.deps
    const demo = { store, signing, software: true, now: () => clock.at, markets, marketOf }
    const { cashBoxes } = await ensureDemo(demo)
    const lines: string[] = []
    for (const box of cashBoxes) lines.push(...(await linesOf({ server, box, clock })))
    await server.close()
    await writeFile(FILE, `[\n${lines.join(',\n')}\n]\n`)
    console.log(`${lines.length} receipts`)
  } finally {
    await cluster.stop()
  }
}

/** One for each kind that the market knows. */
async function linesOf(till: Till): Promise<string[]> {
  const { box, clock } = till
  const lines: string[] = []
  clock.at = new Date(BEGIN)
  for (const sample of SAMPLES) {
    clock.at = new Date(clock.at.getTime() + MINUTE_MS)
    const pair = await pairOf(till, sample)
    const { name, title } = sample
    if (pair === undefined) console.log(`${box.market} has no ${name}`)
    else lines.push(JSON.stringify({ market: box.market, name, title, ...pair }))
  }
  return lines
}

/** Undefined: the market knows no such receipt. */
async function pairOf(till: Till, sample: Sample) {
  const { server, box, clock } = till
  const body = { ...bodyOf(sample, ratesOf(box.market)), cbReceiptMoment: clock.at.toISOString() }
  if (sample.outage === true) await fault(till, 'PUT')
  const id = randomUUID()
  const signed = await post(till, { id, path: 'sign', body })
  if (sample.outage === true) await fault(till, 'DELETE')
  if (signed.statusCode >= 300 || signed.body.includes('"uncaught-exeption"')) return undefined
  // what the queue has read, with the country in its words
  const issued = await server.call({
    url: '/v2/issue',
    method: 'POST',
    headers: { ...headersOf(box), 'x-operation-id': randomUUID() },
    payload: `{"ReceiptRequest":${JSON.stringify(body)},"ReceiptResponse":${signed.body}}`,
  })
  if (issued.statusCode !== 201) throw new Error(`${box.market} ${sample.name}: ${issued.body}`)
  const { ftQueueID, ftQueueItemID } = JSON.parse(signed.body)
  const { body: pair } = await server.call({
    url: `/v2/issue/${ftQueueID}/${ftQueueItemID}`,
    headers: { ...headersOf(box), accept: 'application/json' },
  })
  return partsOf(pair)
}

/** Two texts, every digit as it was. */
function partsOf(pair: string): { request: string; response: string } {
  const middle = ',"ReceiptResponse":'
  const at = pair.indexOf(middle)
  return {
    request: pair.slice('{"ReceiptRequest":'.length, at),
    response: pair.slice(at + middle.length, -1),
  }
}

interface Call {
  id: string
  path: string
  body: object
}

function post({ server, box }: Till, { id, path, body }: Call) {
  const headers = { ...headersOf(box), 'x-operation-id': id }
  return server.call({ method: 'POST', url: `/v2/${path}`, headers, payload: JSON.stringify(body) })
}

const headersOf = ({ cashBoxId, accessToken }: DemoCashBox) => ({
  ...{ 'x-cashbox-id': cashBoxId, 'x-cashbox-accesstoken': accessToken },
  ...{ 'x-possystem-id': 'samples', 'content-type': 'application/json' },
})

async function fault({ server, box }: Till, method: 'PUT' | 'DELETE'): Promise<void> {
  const headers = {
    ...{ cashboxid: box.cashBoxId, accesstoken: box.accessToken },
    'content-type': 'application/json',
  }
  const payload = method === 'PUT' ? { payload: '{"steps":[{"do":"unreachable"}]}' } : {}
  for (const scuId of box.scuIds) {
    await server.call({ method, url: `/sandbox/scus/${scuId}/fault`, headers, ...payload })
  }
}

/** The normal one first. */
function ratesOf(market: string): number[] {
  const { cbChargeItems } = marketOf(market).rollout.demo.sale as {
    cbChargeItems: readonly Record<string, unknown>[]
  }
  return [...new Set(cbChargeItems.map((item) => Number(item.VATRate ?? item.vatRate)))]
}

await run()
