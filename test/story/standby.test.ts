// A synchronous standby that stands still and takes over, under a server that knows nothing of it
// but an address: an answer is worth what the standby has. `npm run -s failover` is the long form.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Load } from '../support/load.js'
import { jsonOf, sale } from '../support/pos-shop.js'
import { wire, wireHeaders } from '../support/pos-wire.js'
import { DatabaseProxy } from '../support/proxy.js'
import type { Server } from '../support/server.js'
import { Site } from '../support/site.js'
import { openStand } from '../support/stand.js'
import { type Pair, startPair } from '../support/standby.js'

let site: Site
let pair: Pair
let proxy: DatabaseProxy
let server: Server
let load: Load
beforeAll(async () => {
  site = await Site.make({ tills: 0, external: true })
  pair = await startPair(site.folder)
  await site.more(2, { market: 'AT' })
  await site.more(2, { market: 'DE' })
  proxy = await DatabaseProxy.start(pair.primary.config)
  const { host, port, user, database } = proxy.through(pair.primary.config)
  const settings = { SIGN_WAITING_SECONDS: '3' }
  const DATABASE_URL = `postgresql://${user}@${host}:${port}/${database}`
  server = await site.serve(await site.settings({ DATABASE_URL, ...settings }))
  load = new Load({ tills: site.tills, clients: 8, urls: () => [server.url] })
}, 120_000)
afterAll(async () => {
  for (const machine of Object.values(pair)) machine.signal('SIGCONT')
  await server.kill()
  await load.stop()
  await proxy.stop()
  await site.remove()
}, 120_000)

/** Breaks off every wait for the standby, as an administrator could. */
const cancelWaits = () =>
  pair.primary.ask("select pg_cancel_backend(pid) from pg_stat_activity where wait_event='SyncRep'")

it('while the standby stands still nobody is answered, nor when waits are broken off', async () => {
  const [till] = site.tills
  if (till === undefined) throw new Error('there is no till')
  const body = jsonOf(sale())
  const headers = wireHeaders(till, { 'x-operation-id': randomUUID() })
  const first = await wire(server.url, '/v2/sign', { headers, body })
  expect(first.status).toBe(201)
  await load.more(40)
  pair.standby.signal('SIGSTOP')
  // answers of what the standby had got before are on their way
  await sleep(300)
  const before = load.answered.size
  const repeated = wire(server.url, '/v2/sign', { headers, body })
  for (let times = 0; times < 10; times += 1) {
    await sleep(100)
    await cancelWaits()
  }
  expect(load.answered.size).toBe(before)
  // what is stored here may be missing where it goes on
  expect((await repeated).status).toBe(503)
  expect(load.answered.size).toBe(before)
  pair.standby.signal('SIGCONT')
  await load.more(40)
  const again = await wire(server.url, '/v2/sign', { headers, body })
  expect([again.status, again.text]).toEqual([200, first.text])
}, 120_000)

it('a connection that leads to a standby is none', async () => {
  const stand = openStand(pair.standby.config)
  await expect(stand.store.pool.query('select 1')).rejects.toMatchObject({ code: '25006' })
  await stand.close()
})

it('a database cut off, stopped, killed: signing goes on, no server is restarted', async () => {
  const { primary } = pair
  const blows: (() => Promise<void>)[] = [
    async () => {
      const back = proxy.goAway()
      await sleep(500)
      back()
    },
    async () => {
      await primary.stop()
      await primary.start()
    },
    async () => {
      primary.signal('SIGKILL')
      await primary.start()
    },
  ]
  load.watchSilence()
  for (const blow of blows) {
    await blow()
    const from = performance.now()
    await expect.poll(() => load.areAnsweredSince(from), { timeout: 20_000 }).toBe(true)
    await load.more(10)
  }
  expect(load.silenceMs).toBeLessThan(15_000)
  expect(load.faults).toEqual([])
  expect(server.isAlive).toBe(true)
}, 120_000)

it('a frozen primary is replaced and wakes up again: each receipt is there once', async () => {
  await load.more(20)
  load.watchSilence()
  pair.primary.signal('SIGSTOP')
  await sleep(200)
  await pair.standby.awaits('')
  await pair.standby.ask('select pg_promote()')
  // connections that are open still lead to the old one, which goes on with what it was sent
  proxy.leadTo(pair.standby.config)
  await sleep(500)
  pair.primary.signal('SIGCONT')
  await sleep(500)
  const from = performance.now()
  await expect.poll(() => load.areAnsweredSince(from), { timeout: 20_000 }).toBe(true)
  expect(load.silenceMs).toBeLessThan(15_000)
  await load.more(40)
  expect(server.isAlive).toBe(true)
  await load.stop()
  expect(load.faults).toEqual([])
  expect(await server.stop()).toMatchObject({ code: 0 })
  site.moveTo(pair.standby.url)
  expect(await site.faults(load)).toEqual([])
}, 120_000)
