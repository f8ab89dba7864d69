// Events of issued receipts in the action journal: each of them once, in the order of the queue,
// and nobody who signs there is disturbed.
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkData } from '../../../src/core/audit/check/check.js'
import { createRetrievalNotes } from '../../../src/core/receipts/journal.js'
import { marketOf } from '../../../src/market/index.js'
import { type Desk, openDesk } from '../../support/issue-desk.js'
import { type Pair, unknownPair } from '../../support/pairs.js'
import { openShop, type Shop } from '../../support/shop.js'
import { issueAddress, signedPair } from '../../support/signed-pair.js'

let shop: Shop
let desk: Desk
beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '6' }, undefined, { countries: ['AT'] })
  desk = await openDesk(shop)
})
afterAll(async () => {
  await desk.close()
  await shop.close()
})

async function issued(): Promise<Pair> {
  const pair = await signedPair(shop)
  expect((await desk.post('/issue', pair.body)).status).toBe(201)
  return pair
}

const open = ({ queueId, queueItemId }: Pair, agent: string) =>
  shop.app.inject({ url: `/${queueId}/${queueItemId}`, headers: { 'user-agent': agent } })

async function entries({ queueItemId }: Pair) {
  const { rows } = await shop.deps.store.pool.query<Record<string, unknown>>(
    `select type, priority, message, data_json, time_stamp from action_journal
     where queue_item_id = $1 and type = 'receipt-retrieved' order by time_stamp`,
    [queueItemId],
  )
  return rows
}

async function noted(): Promise<number> {
  await shop.deps.retrievals.settled()
  return shop.deps.retrievals.sweep()
}

describe('an event', () => {
  it('is an entry of the queue, with who and how', async () => {
    const pair = await issued()
    await open(pair, 'Firefox')
    await desk.put(issueAddress(pair), '{"Action":"accept"}', {
      headers: { 'user-agent': 'Till' },
    })
    await open(pair, 'WhatsApp/2')
    await noted()
    expect((await entries(pair)).map((row) => JSON.parse(String(row.data_json)))).toEqual([
      { method: 'viewed', kind: 'customer', appId: null, userAgent: 'Firefox' },
      { method: 'customeraccepted', kind: 'pos', appId: null, userAgent: 'Till' },
      { method: 'viewed', kind: 'robot', appId: null, userAgent: 'WhatsApp/2' },
    ])
    expect((await entries(pair))[0]).toMatchObject({
      type: 'receipt-retrieved',
      priority: 0x30,
      message: `Queue item ${pair.queueItemId}: viewed (customer).`,
    })
    expect(await noted()).toBe(0)
  })

  it('of a receipt that this server did not sign is none', async () => {
    const pair = unknownPair()
    await desk.post('/issue', pair.body)
    await open(pair, 'Firefox')
    await noted()
    expect(await entries(pair)).toEqual([])
  })

  it('is written once when two servers write at the same time', async () => {
    const pair = await issued()
    for (let at = 0; at < 20; at += 1) {
      await open(pair, `reader ${at}`)
      await nextMillisecond()
    }
    await shop.deps.retrievals.settled()
    const { store, log } = shop.deps
    const other = createRetrievalNotes({ store, log, now: () => new Date() })
    await Promise.all([other.sweep(), shop.deps.retrievals.sweep(), other.sweep()])
    const agents = (await entries(pair)).map(
      (row) => (JSON.parse(String(row.data_json)) as { userAgent: string }).userAgent,
    )
    expect(agents).toEqual(Array.from({ length: 20 }, (_, at) => `reader ${at}`))
  })
})

describe('a queue', () => {
  it('goes on signing while its receipts are read, chain and stamps in order', async () => {
    const pair = await issued()
    const readers = (async () => {
      for (let at = 0; at < 30; at += 1) {
        await open(pair, `reader ${at}`)
        await shop.deps.retrievals.sweep()
      }
    })()
    const signers = Array.from({ length: 4 }, async () => {
      for (let at = 0; at < 15; at += 1) await signedPair(shop)
    })
    await Promise.all([readers, ...signers])
    await noted()
    expect(await entries(pair)).toHaveLength(30)
    const violations: unknown[] = []
    const { store } = shop.deps
    const deps = { store, marketOf, now: () => new Date() }
    await checkData(deps, (violation) => violations.push(violation))
    expect(violations).toEqual([])
  })

  it('whose item waits for a remote device is left alone until the item is done', async () => {
    const pair = await issued()
    await noted()
    const { pool } = shop.deps.store
    const version = async (): Promise<unknown> =>
      (await pool.query('select version from queue where id = $1', [pair.queueId])).rows[0]
    const waiting = await waitingItem(pair)
    const before = await version()
    await open(pair, 'Firefox')
    expect(await noted()).toBe(0)
    expect(await version()).toEqual(before)
    const later = createRetrievalNotes({
      store: shop.deps.store,
      log: shop.deps.log,
      now: () => new Date(Date.now() + 2 * waiting.timeoutMs),
    })
    expect(await later.sweep()).toBe(1)
    expect(await entries(pair)).toHaveLength(1)
  })
})

/** Moments are kept in milliseconds: which of two in the same one was first, nobody can tell. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() <= now) await setImmediate()
}

/** An item without an answer, as a lane stores it before it asks a remote device. */
async function waitingItem({ queueId }: Pair): Promise<{ timeoutMs: number }> {
  const timeoutMs = 15_000
  await shop.deps.store.pool.query(
    `insert into queue_item (account_id, queue_id, row, id, queue_moment, timeout_ms,
       receipt_moment, country, version, request, request_hash, processing_version, time_stamp)
     select account_id, id, queued_row + 1, gen_random_uuid(), now(), $2, now(), 'AT', 'v1', '{}',
       sha256('{}'), '1', time_stamp + 1 from queue where id = $1`,
    [queueId, timeoutMs],
  )
  await shop.deps.store.pool.query(
    `update queue set queued_row = queued_row + 1, time_stamp = time_stamp + 1,
       version = version + 1 where id = $1`,
    [queueId],
  )
  return { timeoutMs }
}
