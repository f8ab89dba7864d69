// Each driver of a certified device against its strict simulator, through the sign path on a
// database: a row per driver, a column per guarantee. DEVICE_RECEIPTS=1000 is the long form.
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { configureUnit } from '../../src/core/rollout/check.js'
import { marketOf } from '../../src/market/index.js'
import { Child } from '../support/child.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { type Device, type Mishap, ROWS, type Row } from '../support/devices/rows.js'
import {
  expectArchives,
  expectProof,
  isOut,
  newTill,
  openServer,
  openShop,
  type Shop,
  sell,
  special,
} from '../support/devices/shop.js'
import { connected } from '../support/ledger.js'
import { type Stand, testKey } from '../support/stand.js'

/** Of a cell; the long form kills at every place, the short one at one place per driver. */
const RECEIPTS = Number(process.env.DEVICE_RECEIPTS ?? 24)
const isLong = RECEIPTS > 100
const PATIENCE_MS = isLong ? 3_600_000 : 60_000
const PLACES = ['after-device', 'before-commit', 'after-commit', 'item-stored', 'before-device']
const MISHAPS: readonly Mishap[] = [
  ...(['request-lost', 'answer-lost', 'half-answer', 'restart', 'foreign-signature'] as const),
]
/** A busy machine is no outage. */
const PATIENT_MS = 8_000
const YEARS_MS = 20 * 365 * 86_400_000

const masterKey = testKey()
let database: TestDatabase
let client: pg.Client
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
})
// servers before their devices; each has connections of its own to the database
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function made({ make }: Row): Promise<Device> {
  const device = await make()
  ends.push(device.close)
  return device
}

function server(devices: readonly Device[], laterMs = 0): Stand {
  const on = openServer(devices, { database, masterKey, laterMs })
  ends.unshift(() => on.close())
  return on
}

/** Ends an outage. */
async function back({ on, till, device }: Shop): Promise<void> {
  expect(isOut(device, await special(on, till, 'zero'))).toBe(false)
}

describe.each(ROWS.map((row, at) => ({ ...row, at })))('$name', (row) => {
  it('lives a whole life, and the exported file proves all of it', async () => {
    const device = await made(row)
    const shop = await openShop(server([device]), device, { timeoutMs: PATIENT_MS })
    for (const name of ['zero', 'daily', 'monthly', 'yearly'] as const) {
      expect(isOut(device, (await sell(shop)).text)).toBe(false)
      expect(isOut(device, await special(shop.on, shop.till, name))).toBe(false)
    }
    await sell(shop)
    expect(isOut(device, await special(shop.on, shop.till, 'stop'))).toBe(false)
    await expectProof(client, [shop])
    if (device.unit !== undefined && device.noExport !== true) await expectArchives(shop)
    expect(device.wrongLogins()).toBe(0)
  })

  it(
    'signs nothing twice and loses nothing, whatever is lost at whatever step',
    async () => {
      const device = await made(row)
      const shop = await openShop(server([device]), device, { timeoutMs: PATIENT_MS })
      const began = Date.now()
      let outages = 0
      for (let nth = 0; nth < RECEIPTS; nth += 1) {
        const call = row.steps[nth % row.steps.length] ?? ''
        const mishap = MISHAPS[Math.floor(nth / row.steps.length) % MISHAPS.length]
        // now and then nothing comes through, until the receipt gives up
        const times = nth % 8 === 7 ? 50 : 1
        device.plan({ call, mishap: mishap ?? 'answer-lost', times })
        if (nth % 3 === 2) device.plan({ call: row.steps[1] ?? '', mishap: 'answer-lost' })
        const { text } = await sell(shop)
        device.clear()
        if (!isOut(device, text)) continue
        outages += 1
        await back(shop)
      }
      if (isLong)
        console.log(`${row.name}: ${RECEIPTS} receipts, ${outages} outages`, Date.now() - began)
      expect(outages).toBeLessThan(RECEIPTS * (row.tellsOnce === true ? 0.8 : 0.5))
      await special(shop.on, shop.till, 'daily')
      await expectProof(client, [shop])
      expect(device.wrongLogins()).toBe(0)
    },
    PATIENCE_MS,
  )

  it('hears a wrong password once, of two tills and servers, until it is changed', async () => {
    const device = await made(row)
    const [one, two] = [server([device]), server([device])]
    const first = await newTill(one, device, { configuration: device.wrong })
    const second = await newTill(one, device, { shares: first })
    const sale = sell({ on: one, device, till: first, sold: [] })
    // some countries refuse a start without a device, others answer that it failed
    await Promise.allSettled([special(one, first, 'start'), special(two, second, 'start'), sale])
    await Promise.allSettled([special(one, first, 'start'), special(two, first, 'zero')])
    expect(device.wrongLogins()).toBe(1)
    const rollout = { store: one.store, marketOf, now: one.deps.now, tools: one.deps.tools }
    const [scuId = ''] = first.scuIds
    await configureUnit(rollout, { scuId, configuration: device.configuration })
    const shop = await openShop(two, device, { shares: first })
    expect(isOut(device, (await sell(shop)).text)).toBe(false)
    expect(device.wrongLogins()).toBe(1)
  })

  if (row.isTwin === true && !isLong) return

  it('is out while nothing answers, and back with the zero receipt', async () => {
    const device = await made(row)
    const shop = await openShop(server([device]), device, { timeoutMs: PATIENT_MS })
    device.plan({ call: '', mishap: 'request-lost', times: 1_000 })
    for (let nth = 0; nth < 3; nth += 1) expect(isOut(device, (await sell(shop)).text)).toBe(true)
    expect(isOut(device, await special(shop.on, shop.till, 'zero'))).toBe(true)
    device.clear()
    await back(shop)
    expect(isOut(device, (await sell(shop)).text)).toBe(false)
    await special(shop.on, shop.till, 'daily')
    await expectProof(client, [shop])
  })

  it('signs nothing more behind the end of its certificate', async () => {
    const device = await made(row)
    const shop = await openShop(server([device]), device, { timeoutMs: PATIENT_MS })
    await sell(shop)
    device.age(YEARS_MS)
    const later = { ...shop, on: server([device], YEARS_MS) }
    const before = device.signatures()
    expect(isOut(device, (await sell(later)).text)).toBe(true)
    expect(isOut(device, await special(later.on, shop.till, 'zero'))).toBe(true)
    expect(device.signatures()).toBe(before)
    await expectProof(client, [shop])
  })

  it('makes no till of another device wait while it does not answer', async () => {
    const [dead, well] = [await made(row), await made(row)]
    const on = server([dead, well])
    const stuck = await openShop(on, dead, { timeoutMs: 6_000 })
    const shop = await openShop(on, well, { timeoutMs: PATIENT_MS })
    dead.plan({ call: '', mishap: 'slow', ms: 7_000, times: 1_000 })
    let isAnswered = false
    const late = sell(stuck).finally(() => {
      isAnswered = true
    })
    for (let nth = 0; nth < 3; nth += 1) expect(isOut(well, (await sell(shop)).text)).toBe(false)
    expect(isAnswered).toBe(false)
    expect(isOut(dead, (await late).text)).toBe(true)
    dead.clear()
    // it is at work on what nobody waits for any more
    await vi.waitFor(() => back(stuck), { timeout: 30_000, interval: 500 })
    await special(on, stuck.till, 'daily')
    await expectProof(client, [stuck])
    await expectProof(client, [shop])
  })

  const places = isLong
    ? PLACES.flatMap((place) => [3, 4, 5, 6].map((nth) => `${place}=kill@${nth}`))
    : [`${PLACES[row.at % PLACES.length]}=kill@${3 + (row.at % 3)}`]
  it.each(places)(
    'loses nothing when the server is killed at %s',
    async (failPoints) => {
      const device = await made(row)
      const shop = await openShop(server([device]), device, { timeoutMs: PATIENT_MS })
      const { on, till } = shop
      const beside = await openShop(on, device, { timeoutMs: PATIENT_MS, shares: till })
      const input = { connection: database.config, masterKey: masterKey.toString('base64') }
      const allow = [`127.0.0.1:${device.port}`]
      const script = { ...input, allow, failPoints, till, cents: 500 }
      const child = new Child('sign-script.ts', [JSON.stringify(script)])
      const told: string[] = []
      let isOver = false
      // the other process signs with the same device, also for the same till, and goes on
      const sellBeside = async () => {
        for (let nth = 0; !isOver || nth < 3; nth += 1) {
          expect(isOut(device, (await sell(nth % 3 === 2 ? shop : beside)).text)).toBe(false)
        }
      }
      let others: Promise<void> | undefined
      for (;;) {
        const [line] = await Promise.allSettled([child.line()])
        if (line.status === 'rejected') break
        told.push(line.value)
        others ??= sellBeside()
      }
      await child.ended
      isOver = true
      await others
      expect(child.process.signalCode).toBe('SIGKILL')
      shop.sold.push(...told.map((text, at) => ({ cents: 501 + at, text })))
      expect(isOut(device, (await sell(shop)).text)).toBe(false)
      await special(on, till, 'daily')
      await expectProof(client, [shop, beside])
    },
    PATIENCE_MS,
  )

  it(
    'serves two servers and tills at once, each receipt signed once',
    async () => {
      const device = await made(row)
      const [one, two] = [server([device]), server([device])]
      const first = await openShop(one, device, { timeoutMs: PATIENT_MS })
      const second = await openShop(two, device, { timeoutMs: PATIENT_MS, shares: first.till })
      const rounds = Math.ceil(RECEIPTS / 8)
      await Promise.all(
        [one, two].flatMap((on) =>
          [first, second].map(async (shop) => {
            for (let nth = 0; nth < rounds; nth += 1) await sell(shop, on)
          }),
        ),
      )
      await special(one, first.till, 'daily')
      await expectProof(client, [first, second])
      expect(device.wrongLogins()).toBe(0)
    },
    PATIENCE_MS,
  )
})
