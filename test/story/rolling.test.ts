// Servers that are started anew one after the other under load: a balancer that asks for readiness
// hears of a stop before the door closes, so no call fails. `npm run -s rolling` is the long form.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDraining, DRAIN_MS } from '../../src/api/shared/draining.js'
import { Load } from '../support/load.js'
import { Row, Watcher } from '../support/rolling.js'
import { Site } from '../support/site.js'

let site: Site
let row: Row
let watcher: Watcher
let load: Load
beforeAll(async () => {
  site = await Site.make({ tills: 2, external: true, till: { market: 'AT' } })
  await site.more(2, { market: 'DE' })
  row = await Row.start(site, 2)
  watcher = new Watcher(row.urls, 250)
  load = new Load({ tills: site.tills, clients: 6, urls: () => watcher.ready })
}, 120_000)
afterAll(async () => {
  await row.kill()
  await load.stop()
  await watcher.stop()
  await site.remove()
}, 120_000)

it('two servers, each started anew under load: every call is answered with 200', async () => {
  await load.more(20)
  const stops = await row.roll((url) => watcher.isReady(url))
  await load.more(20)
  await load.stop()
  expect([...load.refusals]).toEqual([])
  expect(load.faults).toEqual([])
  // it was told to others first, and ended in time
  for (const ms of stops) {
    expect(ms).toBeGreaterThanOrEqual(DRAIN_MS)
    expect(ms).toBeLessThan(10_000)
  }
  await row.stop()
  expect(await site.faults(load)).toEqual([])
}, 120_000)

it('nobody waits for a balancer that is not there', async () => {
  const alone = createDraining(50)
  expect(await alone.begin()).toBe(0)
  const once = createDraining(50)
  once.asked()
  expect(await once.begin()).toBe(0)
  const watched = createDraining(50)
  watched.asked()
  watched.asked()
  const drained = watched.begin()
  expect(watched.isOn).toBe(true)
  expect(await drained).toBe(50)
})
