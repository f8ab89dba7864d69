// Somebody changes a unit while its device signs: that receipt is signed once, and the change
// counts from the next one on.
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { configureUnit } from '../../../src/core/rollout/check.js'
import { setMode } from '../../../src/core/rollout/units.js'
import { marketOf } from '../../../src/market/index.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { type Device, ROWS } from '../../support/devices/rows.js'
import {
  expectProof,
  isOut,
  openServer,
  openShop,
  type Shop,
  sell,
} from '../../support/devices/shop.js'
import { connected } from '../../support/ledger.js'
import { type Stand, testKey } from '../../support/stand.js'

const masterKey = testKey()
/** The device takes so long for its last step. */
const SLOW_MS = 400
let database: TestDatabase
let client: pg.Client
let device: Device
let on: Stand
let shop: Shop

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  const epson = ROWS.find(({ name }) => name === 'Epson')
  if (epson === undefined) throw new Error('there is no such row')
  device = await epson.make()
  on = openServer([device], { database, masterKey })
  shop = await openShop(on, device, { timeoutMs: 20_000 })
})
afterAll(async () => {
  await on.close()
  await device.close()
  await client.end()
  await database.drop()
})

const scuId = () => shop.till.scuIds[0] ?? ''
const rollout = () => ({ store: on.store, marketOf, now: on.deps.now, tools: on.deps.tools })

/** Sells, and does this while the device works on the last step of that receipt. */
async function sellDuring(change: () => Promise<unknown>): Promise<void> {
  const before = await waiting()
  device.plan({ call: 'FinishTransaction', mishap: 'slow', ms: SLOW_MS })
  const signatures = device.signatures()
  const sale = sell(shop)
  await vi.waitFor(async () => expect(await waiting()).toBe(before + 1), { interval: 10 })
  await vi.waitFor(() => expect(device.signatures()).toBe(signatures + 2), { interval: 5 })
  await change()
  expect(isOut(device, (await sale).text)).toBe(false)
  expect(device.signatures()).toBe(signatures + 2)
}

/** Items that have no answer yet. */
async function waiting(): Promise<number> {
  const { rows } = await client.query(
    'select count(*)::int as n from queue_item where queue_id = $1 and done_moment is null',
    [shop.till.queueId],
  )
  return rows[0].n
}

const actions = async (type: string) =>
  (
    await client.query(
      `select a.time_stamp as told, (select max(time_stamp) from receipt_journal r
         where r.queue_id = a.queue_id) as receipt
       from action_journal a where a.queue_id = $1 and a.type = $2`,
      [shop.till.queueId, type],
    )
  ).rows

describe('a receipt that is with its device', () => {
  it('is signed once when the mode of its unit changes, and written behind it', async () => {
    await sellDuring(() => setMode(rollout(), { scuId: scuId(), mode: 'backup' }))
    const [told] = await actions('SigningUnitMode')
    expect(told.receipt > told.told).toBe(true)
    await sellDuring(() => setMode(rollout(), { scuId: scuId(), mode: 'normal' }))
    await expectProof(client, [shop])
  })

  it('is signed once when its queue is configured or noted in its journals', async () => {
    const { queueId } = shop.till
    await sellDuring(() =>
      client.query(
        `update queue set version = version + 1, configuration =
           (configuration::jsonb || '{"scu-timeout-ms": 15000}')::text where id = $1`,
        [queueId],
      ),
    )
    await sellDuring(() =>
      client.query(
        'update queue set version = version + 7, time_stamp = time_stamp + 1e11 where id = $1',
        [queueId],
      ),
    )
    await sell(shop)
    await expectProof(client, [shop])
  })

  it('keeps other settings of its unit waiting until it is written', async () => {
    const { configuration } = device
    await sellDuring(() => configureUnit(rollout(), { scuId: scuId(), configuration }))
    expect(isOut(device, (await sell(shop)).text)).toBe(false)
    await expectProof(client, [shop])
    expect(device.wrongLogins()).toBe(0)
  })
})
