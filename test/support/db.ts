// A database of its own for a test file: a clone of the template that global-setup.ts made.
// Called in beforeAll; every test file may write what it likes.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import type { LoginConfig } from '../../src/postgres/embedded/login.js'

export interface TestDatabase {
  /** The server's role: owner of the tables, no superuser. For pg.Pool and pg.Client. */
  config: LoginConfig
  superuser: LoginConfig
  /** Resolves when nobody is connected any more, or does not leave. */
  left(): Promise<void>
  /** Ends what is still connected. */
  drop(): Promise<void>
}

export interface TestDatabaseOptions {
  /** An empty database, without the migrations. */
  empty?: boolean
  /** A copy of this one, to which nobody may be connected. */
  of?: Pick<TestDatabase, 'config'>
}

export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  // also where another project of the same run has brought the cluster along
  if (inject('isUnit')) throw new Error('a test of parts: name its file in WITH_DATABASE')
  const { config, superuser } = inject('cluster')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const template = options.empty ? 'template0' : (options.of ?? { config }).config.database
  // without the log, which nothing here is ever brought back from
  const how = `template ${template} strategy file_copy`
  await command(superuser, `create database ${name} owner ${config.user} ${how}`)
  return {
    config: { ...config, database: name },
    superuser: { ...superuser, database: name },
    left: () => left(superuser, name),
    drop: async () => {
      await left(superuser, name)
      await command(superuser, `drop database ${name} with (force)`)
    },
  }
}

/**
 * Waits a moment for sessions that are about to end: a pool says that it is closed before its
 * sockets are, and nobody listens any more to what the server tells them when it throws them out.
 */
async function left(config: LoginConfig, database: string): Promise<void> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    for (let round = 0; round < 20; round += 1) {
      const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [
        database,
      ])
      if (rowCount === 0) return
      await sleep(25)
    }
  } finally {
    await client.end()
  }
}

async function command(config: LoginConfig, sql: string): Promise<void> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
