// Two real servers with the times of the product: many registers lose their units at once and get
// them back, and a server is killed in between. How long a register waits for its closing is
// measured, and each DEP is judged.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyFile } from '../../src/core/audit/verify/file.js'
import { violationsOf } from '../support/autopilot.js'
import { connected } from '../support/ledger.js'
import type { Server } from '../support/server.js'
import { Site } from '../support/site.js'
import { requestText, type Till } from '../support/stand.js'

const TILLS = 24
const DEP7 = 0x4154_0000_0000_0001n
/** From the moment when a unit answers for sure to the receipt that ends the outage. */
const CLOSED_MS = 15_000

let site: Site
let servers: Server[]

beforeAll(async () => {
  site = await Site.make({ tills: TILLS, external: true })
  servers = [await site.serve(), await site.serve()]
})
afterAll(async () => {
  for (const server of servers) if (server.isAlive) await server.kill()
  await site.remove()
})

const headersOf = ({ cashBoxId, accessToken }: Till) => ({
  ...{ cashboxid: cashBoxId, accesstoken: accessToken, 'content-type': 'application/json' },
})

async function send(till: Till, method: string, path: string, body?: string): Promise<Response> {
  const [one] = servers.filter(({ isAlive }) => isAlive)
  const reply = await fetch(`${one?.url}${path}`, {
    ...{ method, headers: headersOf(till) },
    ...(body === undefined ? {} : { body }),
  })
  expect(reply.status).toBe(200)
  return reply
}

const fault = (till: Till, steps?: string) =>
  send(till, steps === undefined ? 'DELETE' : 'PUT', `/sandbox/scus/${till.scuIds[0]}/fault`, steps)
const sale = (till: Till) => send(till, 'POST', `/${till.queueId}/json/v1/sign`, requestText(till))

interface Told {
  failed: number
  closed: number
  /** Milliseconds between the unit's answer and the receipt. */
  waits: number[]
}

async function told(client: pg.Client): Promise<Told> {
  const { rows } = await client.query<{ wait: number | null; closed: boolean }>(
    `select o.ended_at is not null as closed, extract(epoch from o.ended_at - (select max(e.at)
       from event e where e.account_id = o.account_id and e.type = 'scu.recovered')) * 1000 as wait
     from outage o`,
  )
  const failed = await client.query(`select from event where type = 'scu.failed'`)
  return {
    failed: failed.rowCount ?? 0,
    closed: rows.filter(({ closed }) => closed).length,
    waits: rows.flatMap(({ wait }) => (wait === null ? [] : Number(wait))),
  }
}

it('all outages are closed within 15 seconds of the answer of their units, each once', async () => {
  const [one] = servers
  if (one === undefined) throw new Error('no server')
  await site.look(async ({ connection }) => {
    const client = await connected(connection)
    for (const till of site.tills) {
      await fault(till, '{"steps":[{"do":"unreachable"}]}')
      await sale(till)
    }
    await expect.poll(async () => (await told(client)).failed, { timeout: 30_000 }).toBe(TILLS)
    for (const till of site.tills) await fault(till)
    // one of the servers dies with whatever it was about to do
    await sleep(6_000)
    await one.kill()
    await expect
      .poll(async () => (await told(client)).closed, { timeout: 120_000, interval: 500 })
      .toBe(TILLS)
    const { waits } = await told(client)
    expect(waits).toHaveLength(TILLS)
    waits.sort((a, b) => a - b)
    expect(waits[Math.floor(0.95 * (TILLS - 1))]).toBeLessThan(CLOSED_MS)
    const { rows } = await client.query(
      `select closed_by, count(*)::int4 as count from outage group by closed_by`,
    )
    expect(rows).toEqual([{ closed_by: 'autopilot', count: TILLS }])
    await client.end()
  })
  const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-outages-'))
  for (const till of site.tills) {
    const path = join(folder, till.queueId)
    const reply = await send(till, 'POST', `/${till.queueId}/json/v1/journal?type=${DEP7}`)
    await writeFile(path, Buffer.from(await reply.arrayBuffer()))
    const { ok, findings, summary } = await verifyFile(path)
    expect({ ok, findings }).toEqual({ ok: true, findings: [] })
    // start receipt, failed sale, closing
    expect(summary).toMatchObject({ receipts: 3, failed: 1 })
  }
  await rm(folder, { recursive: true })
  expect(await site.look(violationsOf)).toEqual([])
}, 240_000)
