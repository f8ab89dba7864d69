import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Semaphore } from '../../../src/lib/semaphore.js'
import { Precedence } from '../../../src/lib/slices.js'
import type { Store } from '../../../src/store/client.js'
import { untilLeft } from '../../../src/store/journal/abandoned.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { testStore } from '../../support/make.js'

let database: TestDatabase
let store: Store

beforeAll(async () => {
  database = await createTestDatabase()
  store = testStore(database.config)
})

afterAll(async () => {
  await store.close()
  await database.drop()
})

/** A store for one reader at a time. */
function reading(precedence = new Precedence()) {
  const leaving = new AbortController()
  const turns = new Semaphore(1)
  const { pool } = untilLeft(store, { left: leaving.signal, turns, precedence })
  return { pool, leave: () => leaving.abort() }
}

const SLEPT_MS = 30
/** Began by the clock of the database, in milliseconds. */
const SLEEP = `with b as materialized (select clock_timestamp() as at)
  select extract(epoch from b.at)::float8 * 1000 as began, pg_sleep(${SLEPT_MS / 1000}) from b`

describe('reading beside the signing', () => {
  it('keeps its turn for four times a statement more while receipts are signed', async () => {
    const precedence = new Precedence()
    const { pool } = reading(precedence)
    const claiming = setInterval(() => precedence.claim(), 5)
    precedence.claim()
    const steps = await Promise.all([pool.query(SLEEP), pool.query(SLEEP)])
    clearInterval(claiming)
    const [first = Number.NaN, second = Number.NaN] = steps.map(({ rows }) => rows[0].began)
    expect(second - first).toBeGreaterThanOrEqual(5 * SLEPT_MS - 2)
  })

  it('hands on what a statement found before the rest that follows it', async () => {
    const precedence = new Precedence()
    const { pool } = reading(precedence)
    const claiming = setInterval(() => precedence.claim(), 5)
    precedence.claim()
    const order: string[] = []
    await Promise.all([
      pool.query(SLEEP).then(() => order.push('first')),
      pool.query('select 1').then(() => order.push('second')),
      new Promise((over) => setTimeout(over, 2 * SLEPT_MS)).then(() => order.push('in between')),
    ])
    clearInterval(claiming)
    expect(order).toEqual(['first', 'in between', 'second'])
  })

  it('fails with what the database says, and its turn is free again', async () => {
    const { pool } = reading()
    await expect(pool.query('select 1 / 0')).rejects.toThrow('division by zero')
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('cancels the statement under way as soon as nobody waits for it', async () => {
    const { pool, leave } = reading()
    const waiting = pool.query('select pg_sleep(600)')
    setTimeout(leave, 50)
    await expect(waiting).rejects.toThrow()
    await expect(pool.query('select 1')).rejects.toThrow()
  })
})
