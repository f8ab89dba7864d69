import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCHEMA_FILE } from '../../scripts/schema-difference.js'
import { difference } from '../../scripts/schema-engine.js'
import { DatabaseError } from '../../src/postgres/database-error.js'
import {
  migrate,
  migrationsFolder,
  prepareSchema,
  readMigrations,
} from '../../src/postgres/migrate.js'
import { Child } from '../support/child.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'

const quiet = { info: () => undefined }
const SLOW = 'select pg_sleep(0.3)'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fiskalwerk-migrations-'))
})

afterEach(async () => {
  fs.rmSync(folder, { recursive: true })
  await database.drop()
})

function write(name: string, sql: string): void {
  fs.mkdirSync(path.join(folder, name), { recursive: true })
  fs.writeFileSync(path.join(folder, name, 'migration.sql'), sql)
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client(database.config)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function migrateFolder(): Promise<string[]> {
  return migrate(database.config, quiet, folder)
}

describe('migrate', () => {
  it('applies all migrations to an empty database, the second time none', async () => {
    const names = readMigrations(migrationsFolder).map((each) => each.name)
    expect(names[0]).toBe('20261120000000_first')
    expect(await migrate(database.config, quiet)).toEqual(names)
    expect(await migrate(database.config, quiet)).toEqual([])
  })

  it('three processes at once apply every migration exactly once', async () => {
    write('1_a', `${SLOW}; create table a (n int); insert into a values (1)`)
    write('2_b', 'insert into a values (2)')
    const args = [JSON.stringify(database.config), folder]
    const children = [1, 2, 3].map(() => new Child('migrate-script.ts', args))
    const applied = await Promise.all(children.map(async (child) => JSON.parse(await child.line())))
    expect(applied.flat().sort()).toEqual(['1_a', '2_b'])
    expect(await query('select n from a order by n')).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('a migration that was changed after it was applied stops the start', async () => {
    write('1_a', 'create table a ()')
    await migrateFolder()
    write('1_a', 'create table a (n int)')
    write('2_b', 'create table b ()')
    const failure = await migrateFolder().catch((error) => error)
    expect(failure).toBeInstanceOf(DatabaseError)
    expect(failure.message).toContain('1_a was changed after it was applied')
    expect(await query("select to_regclass('b') as b")).toEqual([{ b: null }])
  })

  it('a migration that fails leaves nothing behind; those before it stay', async () => {
    write('1_a', 'create table a ()')
    write('2_b', 'create table b (); select 1/0')
    const failure = await migrateFolder().catch((error) => error)
    expect(failure.message).toBe('The migration 2_b failed: division by zero.')
    expect(await query("select to_regclass('a')::text as a, to_regclass('b') as b")).toEqual([
      { a: 'a', b: null },
    ])
    write('2_b', 'create table b ()')
    expect(await migrateFolder()).toEqual(['2_b'])
  })

  it('a process that dies inside a migration leaves nothing behind', async () => {
    write('1_a', 'create table a (); select pg_sleep(60)')
    const child = new Child('migrate-script.ts', [JSON.stringify(database.config), folder])
    const sleeping = "from pg_stat_activity where query like 'create table a%'"
    await expect.poll(() => query(`select pid ${sleeping}`)).toHaveLength(1)
    await child.kill('SIGKILL')
    await query(`select pg_terminate_backend(pid) ${sleeping}`)
    write('1_a', 'create table a ()')
    expect(await migrateFolder()).toEqual(['1_a'])
  })
})

describe('the schema of the job queue', () => {
  const JOBS = 'select count(*)::int as count from graphile_worker.migrations where id = 19'

  it('comes with the migrations, also when several processes bring it', async () => {
    const args = [JSON.stringify(database.config), migrationsFolder]
    const children = [1, 2, 3].map(() => new Child('migrate-script.ts', args))
    await Promise.all(children.map((child) => child.line()))
    expect(await query(JOBS)).toEqual([{ count: 1 }])
  })

  it('is missed by a server that may not bring it', async () => {
    await migrate(database.config, quiet)
    await prepareSchema(database.config, { log: quiet, apply: false })
    await query('drop schema graphile_worker cascade')
    const refused = prepareSchema(database.config, { log: quiet, apply: false })
    await expect(refused).rejects.toThrow('lacks the migration of the job queue')
    await migrate(database.config, quiet)
    expect(await query(JOBS)).toEqual([{ count: 1 }])
  })
})

describe('the migrations of the release', () => {
  it('say exactly what prisma/schema.prisma says', async () => {
    await migrate(database.config, quiet)
    expect(await difference(database.config, SCHEMA_FILE)).toBe('')
  })

  it('a field that only the schema has is found missing', async () => {
    await migrate(database.config, quiet)
    const schema = path.join(folder, 'schema.prisma')
    const text = fs.readFileSync(SCHEMA_FILE, 'utf8')
    fs.writeFileSync(schema, text.replace('model Outlet {', 'model Outlet {\n  extra Int?'))
    expect(await difference(database.config, schema)).toContain(
      'ALTER TABLE "outlet" ADD COLUMN     "extra" INTEGER;',
    )
  })
})

describe('the migration that notes which cash box held which queue', () => {
  const NAME = '20261122171000_queue_membership'
  const account = randomUUID()
  const [now, published, called, first, last, gone] = Array.from({ length: 6 }, () => randomUUID())

  /** As far as the one before it; then the rest. */
  async function migrateWhere(fits: (name: string) => boolean): Promise<void> {
    for (const { name } of readMigrations(migrationsFolder)) {
      if (fits(name)) fs.cpSync(path.join(migrationsFolder, name), path.join(folder, name), COPY)
    }
    await migrateFolder()
  }
  const COPY = { recursive: true }

  /** Members that a row must have and that say nothing here are filled by their type. */
  async function insert(table: string, given: Record<string, unknown>): Promise<void> {
    const client = new pg.Client({ ...database.superuser, database: database.config.database })
    await client.connect()
    try {
      const { rows } = await client.query<{ name: string; type: string }>(
        `select column_name as name, data_type as type from information_schema.columns
          where table_name = $1 and is_nullable = 'NO' and column_default is null`,
        [table],
      )
      const filled = rows.map(({ name, type }) => [name, FILLED[type]])
      const row = Object.entries({ ...Object.fromEntries(filled), ...given })
      const names = row.map(([name]) => `"${name}"`)
      // foreign keys of what is left out here
      await client.query('set session_replication_role = replica')
      await client.query(
        `insert into ${table} (${names}) values (${row.map((_, at) => `$${at + 1}`)})`,
        row.map(([, value]) => value),
      )
    } finally {
      await client.end()
    }
  }
  const FILLED: Record<string, unknown> = {
    uuid: account,
    text: 'done',
    bytea: Buffer.alloc(32),
    boolean: false,
    integer: 1,
    bigint: 1,
    smallint: 1,
    'timestamp with time zone': '2026-01-31T10:00:00Z',
  }
  const response = (box: string | undefined) => ({
    response: `{"ftCashBoxID":"${box}","ftQueueRow":1}`,
    response_hash: Buffer.alloc(32),
  })

  it('finds every place that is on record, each once, and the present one as open', async () => {
    await migrateWhere((name) => name < NAME)
    for (const box of [now, published, called, first, last]) {
      await insert('cash_box', { id: box, account_id: account })
    }
    const [queue, homeless] = [randomUUID(), randomUUID()]
    await insert('queue', {
      ...{ id: queue, account_id: account, cash_box_id: now },
      identification: 'A1',
    })
    await insert('queue', { id: homeless, account_id: account, identification: 'A2' })
    const of = { account_id: account, queue_id: queue }
    await insert('issued_receipt', { ...of, cash_box_id: published, row: 2 })
    await insert('operation', { ...of, cash_box_id: called, id: randomUUID(), status: 201 })
    // the present place and one of a cash box that is no more are nothing new
    await insert('operation', { ...of, cash_box_id: now, id: randomUUID(), status: 201 })
    await insert('operation', { ...of, cash_box_id: gone, id: randomUUID(), status: 201 })
    await insert('queue_item', {
      ...of,
      id: randomUUID(),
      row: 1,
      time_stamp: 1,
      ...response(first),
    })
    await insert('queue_item', { ...of, id: randomUUID(), row: 2, time_stamp: 2, ...response(now) })
    await insert('queue_item', {
      ...of,
      id: randomUUID(),
      row: 3,
      time_stamp: 3,
      ...response(last),
    })
    // the last one was never answered
    await insert('queue_item', { ...of, id: randomUUID(), row: 4, time_stamp: 4 })
    const ofHomeless = { account_id: account, queue_id: homeless }
    await insert('queue_item', {
      ...ofHomeless,
      id: randomUUID(),
      row: 1,
      time_stamp: 1,
      ...response(first),
    })
    await migrateWhere(() => true)
    const found = await query(
      'select queue_id, cash_box_id, until is null as open from queue_membership',
    )
    const held = (id: string, box: string | undefined, open = false) => ({
      ...{ queue_id: id, cash_box_id: box, open },
    })
    expect(found).toHaveLength(6)
    expect(found).toEqual(
      expect.arrayContaining([
        held(queue, now, true),
        ...[published, called, first, last].map((box) => held(queue, box)),
        held(homeless, first),
      ]),
    )
  })
})
