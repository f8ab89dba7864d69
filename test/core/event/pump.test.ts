// The mover of events beside somebody who waits: for nothing it writes nothing and holds no
// connection, and what comes later is told at once all the same.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPump, type Pump } from '../../../src/core/event/pump.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { openStand, type Stand } from '../../support/stand.js'

const INSERT = `insert into inbox (account_id, event_id, type, subject_kind, subject_id, data, at)
  values ($1, $2, 'queue.started', 'queue', $3, '{}', now())`
/** It looks fifty times a second; a busy machine takes longer. */
const TOLD_MS = 1_000

let database: TestDatabase
let stand: Stand
let pump: Pump
/** Connections that were taken out of the pool, as a transaction does. */
let taken = 0
beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config)
  const { pool } = stand.store
  const connect = pool.connect.bind(pool)
  // a query of the pool takes its connection by the other form of the same call
  Object.assign(pool, {
    connect: (...given: unknown[]): unknown => {
      if (given.length === 0) taken += 1
      return Reflect.apply(connect, pool, given)
    },
  })
  pump = createPump({ store: stand.store, log: { warn: () => undefined } })
  pump.start()
})
afterAll(async () => {
  await pump.stop()
  await stand.close()
  await database.drop()
})

/** Transactions of some ten looks. */
async function begunIn(): Promise<number> {
  const before = taken
  await sleep(200)
  return taken - before
}

it('with nothing to tell no transaction is begun; what comes is told at once', async () => {
  const accountId = randomUUID()
  for (let after = 0n; after < 3n; after += 1n) {
    const heard = pump.waitFor({ accountId, after, signal: new AbortController().signal })
    // behind a move that has found something there is one that has not
    await expect.poll(begunIn).toBe(0)
    expect(await begunIn()).toBe(0)
    const before = taken
    const began = performance.now()
    await stand.store.pool.query(INSERT, [accountId, randomUUID(), randomUUID()])
    expect(await heard).toBe('new')
    expect(performance.now() - began).toBeLessThan(TOLD_MS)
    expect(taken).toBeGreaterThan(before)
  }
  const { rows } = await stand.store.pool.query(
    'select seq::int4 from event where account_id = $1 order by seq',
    [accountId],
  )
  expect(rows).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }])
})
