// What detectors look at in the states of Queues: read piece by piece, each Queue once.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerPaths } from '../../src/core/event/problem/watched.js'
import { everyFacts } from '../../src/market/index.js'
import { readRegisters } from '../../src/store/event/problem/registers.js'
import { inTransaction } from '../../src/store/transaction.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { createTill, openStand, type Stand, testKey } from '../support/stand.js'

let database: TestDatabase
let stand: Stand
beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config, { masterKey: testKey() })
})
afterAll(async () => {
  await stand.close()
  await database.drop()
})

const read = (piece: number) =>
  inTransaction(stand.store, (client) => readRegisters(client, registerPaths(everyFacts), piece))

const watched = async () => {
  const { rows } = await stand.store.pool.query<{ id: string }>(
    'select queue_id as id from queue_watch order by 1',
  )
  return rows.map(({ id }) => id)
}

it('has every Queue of every account once, whatever pieces they are read in', async () => {
  const queues: string[] = []
  const first = await createTill(stand)
  for (let nth = 0; nth < 5; nth += 1) {
    queues.push((await createTill(stand, nth % 2 === 0 ? {} : { shares: first })).queueId)
  }
  const all = [first.queueId, ...queues].sort()
  for (const piece of [1, 2, 3, 6, 100]) {
    await stand.store.pool.query('delete from queue_watch')
    expect(await read(piece)).toBe(all.length)
    expect(await watched()).toEqual(all)
    // nothing is written again that stands there
    expect(await read(piece)).toBe(0)
  }
})
