// demo --month: days of three businesses in every market, through the interface of registers.
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { demoMonth, type Month } from '../../src/cli/demo-month.js'
import { type Step, stepsOf } from '../../src/cli/demo-month-plan.js'
import { createLog } from '../../src/log.js'
import { configOf } from '../support/settings.js'
import { openShop, type Shop } from '../support/shop.js'

/** A void, a voucher, an outage and the last closing; what is left out is more of the same. */
const steps = (days: number): Step[] =>
  stepsOf(days).filter(({ day }) => [3, 9, 14, days].includes(day))

let shop: Shop
let month: Month
beforeAll(async () => {
  shop = await openShop()
  month = await make()
}, 120_000)
afterAll(() => shop?.close())

function make(): Promise<Month> {
  const { config: poolConfig } = shop.database
  const env = { DATABASE_URL: 'postgresql://the.test.database', MASTER_KEY: inject('masterKey') }
  const database = { ...{ poolConfig, embedded: false, adopted: false }, stop: async () => {} }
  const context = { config: configOf(env), log: createLog('silent', false), database }
  return demoMonth({ ...context, store: shop.deps.store }, { demo: shop.demo, steps })
}

async function rowsOf(text: string): Promise<Record<string, unknown>[]> {
  return (await shop.deps.store.pool.query(text)).rows
}

it('makes three merchants with tills in each market that signed in that month', async () => {
  const markets = shop.demo.cashBoxes.map(({ market }) => market)
  expect(month.merchants.map(({ name }) => name)).toEqual(['Demo café', 'Demo shop', 'Demo hotel'])
  for (const { cashBoxes } of month.merchants) {
    expect(cashBoxes.map(({ market }) => market)).toEqual(markets)
  }
  expect(month.receipts).toBeGreaterThan(markets.length * 3 * 15)
  const queues = month.merchants.flatMap(({ cashBoxes }) => cashBoxes.map(({ queueId }) => queueId))
  const list = queues.map((id) => `'${id}'`).join(',')
  const items = await rowsOf(`select response as text from queue_item where queue_id in (${list})`)
  const moments = items.map(({ text }) => /"ftReceiptMoment":"(\d{4}-\d\d)/.exec(String(text))?.[1])
  expect(new Set(moments)).toEqual(new Set([month.month]))
  // refused was what is listed: a sale in an outage where the law wants no unsigned one, and what
  // an authority refuses that no dry run asks
  const failed = items.filter(({ text }) => /uncaught-exeption/.test(String(text)))
  expect(failed.filter(({ text }) => !/No signing unit|AADEError/.test(String(text)))).toEqual([])
  expect(month.without).toEqual(expect.arrayContaining(['FR outage', 'ES voucher-sold']))
  expect(month.without).not.toContain('AT outage')
})

it('has an outage that has ended in Austria, Germany and France', async () => {
  const open = await rowsOf('select * from outage where ended_at is null')
  expect(open).toEqual([])
})

it('makes nothing a second time', { timeout: 60_000 }, async () => {
  const count = async () => (await rowsOf('select count(*)::int as n from queue_item'))[0]?.n
  const before = await count()
  const again = await make()
  expect(again.merchants).toEqual(month.merchants)
  expect(await count()).toBe(before)
})
