// The line to a certified device breaks behind any byte of a receipt, in either direction: ended,
// reset, or silent. Nothing is signed twice, nothing is lost, and the device is had again at once.
// LINE_BREAKS=300 is the long form.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BREAKS, type BreakingProxy, breakingProxy, type Plan } from '../support/breaking-proxy.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { type Device, ROWS, type Row } from '../support/devices/rows.js'
import {
  expectProof,
  isOut,
  newTill,
  openServer,
  type Shop,
  sell,
  special,
} from '../support/devices/shop.js'
import { connected } from '../support/ledger.js'
import { testKey } from '../support/stand.js'

const TRIES = Number(process.env.LINE_BREAKS ?? 6)
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
/** As long as a receipt waits for a line that is silent. */
const SILENCE_MS = 1_500
/** Much less than a device keeps itself for a host that does not come back. */
const SOON_MS = 20_000

const masterKey = testKey()
let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** The device at the other end of the line. */
function behind(device: Device, line: BreakingProxy): Device {
  const url = device.url.replace(`:${device.port}`, `:${line.port}`)
  expect(url).not.toBe(device.url)
  return { ...device, url, port: line.port }
}

/** In thousandths of a receipt; both ends of it are likelier than its middle. */
const places = fc.record({
  way: fc.constantFrom('there' as const, 'back' as const),
  at: fc.oneof(fc.nat(1_000), fc.constantFrom(0, 1_000)),
  how: fc.constantFrom(...BREAKS),
})

/** What comes first may be out: the line was broken already, or the machine is busy. */
async function back({ on, device, till }: Shop, text: string, told: string): Promise<void> {
  const began = performance.now()
  for (let last = text; isOut(device, last); last = await special(on, till, 'zero')) {
    expect(performance.now() - began, told).toBeLessThan(SOON_MS)
  }
}

const lines = ROWS.filter(({ isTwin }) => isTwin !== true || TRIES > 50)

describe.each(lines)('$name', (row: Row) => {
  it(`breaks behind any byte (${SEED})`, { timeout: TRIES * 60_000 }, async () => {
    const device = await row.make()
    const line = await breakingProxy(device.port)
    const seen = behind(device, line)
    const on = openServer([seen], { database, masterKey })
    try {
      const till = await newTill(on, seen, { timeoutMs: SILENCE_MS })
      const shop: Shop = { on, device: seen, till, sold: [] }
      await back(shop, await special(on, till, 'start'), 'the start')
      let broken = 0
      for (const { way, at, how } of fc.sample(places, { numRuns: TRIES, seed: SEED })) {
        line.plan({ way, behind: Number.POSITIVE_INFINITY, how })
        await back(shop, (await sell(shop)).text, 'a whole line')
        const plan: Plan = { way, how, behind: Math.round((at * line.went()[way]) / 1_000) }
        line.plan(plan)
        await back(shop, (await sell(shop)).text, JSON.stringify(plan))
        if (line.isBroken()) broken += 1
      }
      expect(broken).toBeGreaterThan(TRIES / 4)
      await back(shop, await special(on, till, 'daily'), 'the closing')
      await expectProof(client, [shop])
      expect(device.wrongLogins()).toBe(0)
    } finally {
      await on.close()
      await line.close()
      await device.close()
    }
  })
})
