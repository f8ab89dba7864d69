import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/client.js'
import { findOperations } from '../../src/store/operations.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { connected } from '../support/ledger.js'

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

describe('the look-up of operations', () => {
  it('is planned for its first calls only, whether it asks for one or for several', async () => {
    // one connection, whose prepared statements can be looked at
    const store = { pool: client } as unknown as Store
    for (let call = 0; call < 20; call += 1) {
      const keys = Array.from({ length: 1 + (call % 3) }, () => ({
        accountId: randomUUID(),
        cashBoxId: randomUUID(),
        id: randomUUID(),
      }))
      expect(await findOperations(store, keys)).toEqual([])
    }
    const { rows } = await client.query(
      `select custom_plans::int as custom, generic_plans::int as kept
       from pg_prepared_statements where statement like '%from operation%'`,
    )
    // PostgreSQL compares five plans of single calls with the one that it may keep
    expect(rows).toEqual([{ custom: 5, kept: 15 }])
  })
})
