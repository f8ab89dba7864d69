// The autopilot at work on a shop: what it asks, when it signs, and what it leaves alone.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Autopilot } from '../../../src/core/event/autopilot/autopilot.js'
import { outagesOf, pilotOf, setFault } from '../../support/autopilot.js'
import { eventsOf, openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
let pilot: Autopilot

beforeAll(async () => {
  shop = await openPlatform()
})
afterAll(() => shop.close())
beforeEach(() => {
  pilot = pilotOf(shop.deps)
  pilot.start()
})
afterEach(() => pilot.stop())

const last = async () => (await outagesOf(shop, shop.box.queueId)).at(-1)

describe('an Austrian queue whose unit is dead', () => {
  it('gets its collective receipt soon after the unit answers again', async () => {
    await setFault(shop, shop.box, [{ do: 'unreachable' }])
    await shop.receipt()
    await shop.receipt()
    await expect.poll(last).toMatchObject({ cause: 'device', ended: false })
    await setFault(shop, shop.box)
    await expect.poll(last, { timeout: 10_000 }).toMatchObject({
      ...{ ended: true, closedBy: 'autopilot', receipts: 2, attempts: 0 },
    })
    expect((await eventsOf(shop)).items.map(({ type }) => type)).toEqual([])
  })
})
