import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCHEMA_FILE } from '../../scripts/schema-difference.js'
import { difference } from '../../scripts/schema-engine.js'
import { DatabaseError } from '../../src/store/database-error.js'
import {
  migrate,
  migrationsFolder,
  prepareSchema,
  readMigrations,
} from '../../src/store/migrate.js'
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
