// Databases that hold the demo already, its keys and certificates made once in a run: what shops
// are copied from. The first test that wants one makes it.
import pg from 'pg'
import { inject } from 'vitest'
import { createTestDatabase, type TestDatabase } from './db.js'

/** A copy of the one with these countries; `fill` makes the demo and leaves the database. */
export async function copyDemo(
  countries: readonly string[],
  fill: (database: TestDatabase) => Promise<void>,
): Promise<TestDatabase> {
  const name = `demo_${countries.join('_').toLowerCase()}`
  const { config, superuser } = inject('cluster')
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    // of this session, which ends below
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      const made = await createTestDatabase()
      await fill(made)
      await made.left()
      await client.query(`alter database ${made.config.database} rename to ${name}`)
    }
    return await createTestDatabase({ of: { config: { ...config, database: name } } })
  } finally {
    await client.end()
  }
}
