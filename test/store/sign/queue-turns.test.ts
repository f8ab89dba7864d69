// Turns among servers: one has a queue at a time, and who is gone has none.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openQueueTurns, type QueueTurns } from '../../../src/store/sign/queue-turns.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected } from '../../support/ledger.js'
import { pausedDatabase } from '../../support/paused-database.js'

const ONE = '3f0f6b0e-7d6f-4a53-9d2e-000000000001'
const OTHER = '3f0f6b0e-7d6f-4a53-9d2e-000000000002'
const UNIT = '3f0f6b0e-7d6f-4a53-9d2e-000000000003'

let database: TestDatabase
let client: pg.Client
let here: QueueTurns
let there: QueueTurns
beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  here = openQueueTurns({ connection: database.config })
  there = openQueueTurns({ connection: database.config })
})
afterAll(async () => {
  await here.close()
  await there.close()
  await client.end()
  await database.drop()
})

it('a queue is one server’s until it is given back; another queue is free', async () => {
  expect(await here.take(ONE)).toBe(true)
  expect(await there.take(ONE)).toBe(false)
  expect(await there.take(OTHER)).toBe(true)
  await here.give(ONE)
  expect(await there.take(ONE)).toBe(true)
  await there.give(ONE)
  await there.give(OTHER)
  // what was never taken can be given
  await here.give(ONE)
})

it('turns that are taken and given at once are asked for one after the other', async () => {
  const warned: Error[] = []
  const note = (warning: Error) => warned.push(warning)
  process.on('warning', note)
  const all = [ONE, OTHER, UNIT]
  expect(await Promise.all(all.map((id) => here.take(id)))).toEqual([true, true, true])
  await Promise.all(all.map((id) => here.give(id)))
  expect(await Promise.all(all.map((id) => there.take(id)))).toEqual([true, true, true])
  await Promise.all(all.map((id) => there.give(id)))
  process.off('warning', note)
  // the driver warns of statements that are sent while another one runs
  expect(warned).toEqual([])
})

it('the turn of a connection that breaks is free, and the server takes turns again', async () => {
  expect(await here.take(ONE)).toBe(true)
  await client.query(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and classid = 72707371
       and database = (select oid from pg_database where datname = current_database())`,
  )
  await expect.poll(() => there.take(ONE)).toBe(true)
  await here.give(ONE)
  expect(await here.take(ONE)).toBe(false)
  await there.give(ONE)
  expect(await here.take(ONE)).toBe(true)
})

it('a connection that broke while nobody had a turn costs nobody his next one', async () => {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  // what it breaks arrives by itself
  await sleep(200)
  expect(await here.take(OTHER)).toBe(true)
  await here.give(OTHER)
})

it('a closed one opens again with its next turn', async () => {
  await here.close()
  expect(await there.take(ONE)).toBe(true)
  await there.close()
  expect(await here.take(ONE)).toBe(true)
})

it('a turn is waited for in the order of arrival, and no longer than told', async () => {
  expect(await here.take(UNIT)).toBe(true)
  expect(await there.wait(UNIT, 50)).toBe(false)
  const order: string[] = []
  const later = async (name: string, turns: QueueTurns) => {
    expect(await turns.wait(UNIT, 20_000)).toBe(true)
    order.push(name)
  }
  const third = openQueueTurns({ connection: database.config })
  const waiting = () =>
    client.query(`select count(*)::int4 as waits from pg_locks
      where locktype = 'advisory' and not granted and classid = 72707371`)
  const first = later('first', there)
  await expect.poll(async () => (await waiting()).rows[0].waits).toBe(1)
  const second = later('second', third)
  await expect.poll(async () => (await waiting()).rows[0].waits).toBe(2)
  await here.give(UNIT)
  await first
  // who comes now comes behind who waits
  expect(await here.take(UNIT)).toBe(false)
  await there.give(UNIT)
  await second
  await third.close()
  expect(order).toEqual(['first', 'second'])
  await expect.poll(() => here.take(UNIT)).toBe(true)
  await here.give(UNIT)
})

it('a database that says nothing any more keeps nobody who gives his turn back', async () => {
  const own = openQueueTurns({ connection: database.config })
  expect(await own.wait(UNIT, 5_000)).toBe(true)
  const paused = await pausedDatabase(database.config)
  try {
    await own.give(UNIT)
  } finally {
    paused.resume()
  }
  await expect.poll(() => here.take(UNIT)).toBe(true)
  await here.give(UNIT)
  await own.close()
})
