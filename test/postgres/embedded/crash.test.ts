import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../../scripts/throw-away-cluster.js'
import type { Database } from '../../../src/postgres/database.js'
import { open, openInChild, postmasterOf, query } from '../../support/data-folder.js'

let dataDir: string

beforeAll(async () => {
  dataDir = makeThrowAwayFolder()
  const database = await open(dataDir)
  await query(database.poolConfig, 'create table receipt (n int)')
  await database.stop()
})

afterAll(() => removeThrowAwayFolder(dataDir))

function killPostgres(): number {
  const pid = postmasterOf(dataDir)
  if (pid === undefined) throw new Error('PostgreSQL does not run')
  process.kill(pid, 'SIGKILL')
  return pid
}

/** The connection that watches, and the key of the lock that it holds. */
async function lockHolder(database: Database): Promise<{ key: string; pid: number }> {
  const [found] = await query(
    database.poolConfig,
    `select (classid::int8 << 32 | objid::int8)::text as key, pid from pg_locks
     where locktype = 'advisory' and granted`,
  )
  if (found === undefined) throw new Error('nobody holds the lock')
  return found as { key: string; pid: number }
}

async function insert(database: Database, n: number): Promise<void> {
  await query(database.poolConfig, `insert into receipt values (${n})`)
}

/** Asks until the database answers again. */
async function rowsAfterwards(database: Database): Promise<unknown> {
  const ask = () => query(database.poolConfig, 'select n from receipt order by n').catch(() => [])
  await expect.poll(ask).not.toEqual([])
  return ask()
}

describe('PostgreSQL is killed while the server runs', () => {
  it('it is started again, every acknowledged row is there, and a pool goes on', async () => {
    const database = await open(dataDir)
    const pool = new pg.Pool(database.poolConfig)
    pool.on('error', () => undefined)
    await pool.query('insert into receipt values (1)')
    const before = killPostgres()
    expect(await rowsAfterwards(database)).toEqual([{ n: 1 }])
    expect(postmasterOf(dataDir)).not.toBe(before)
    await pool.query('insert into receipt values (2)')
    await pool.end()
    await database.stop()
    expect(postmasterOf(dataDir)).toBeUndefined()
  })

  it('also while a statement is at work', async () => {
    const database = await open(dataDir)
    const busy = query(database.poolConfig, 'select pg_sleep(60)').catch((error) => error)
    await insert(database, 3)
    killPostgres()
    expect(await busy).toBeInstanceOf(Error)
    expect(await rowsAfterwards(database)).toHaveLength(3)
    await database.stop()
  })

  it('a process of PostgreSQL that crashes does not end our watch', async () => {
    const database = await open(dataDir)
    const { pid } = await lockHolder(database)
    process.kill(pid, 'SIGKILL')
    expect(await rowsAfterwards(database)).toHaveLength(3)
    killPostgres()
    expect(await rowsAfterwards(database)).toHaveLength(3)
    await database.stop()
  })
})

describe('our process is killed', () => {
  it('PostgreSQL goes on, the next start adopts it, and watches over it', async () => {
    const { child, said } = await openInChild(dataDir)
    await query(said.config, 'insert into receipt values (4)')
    const pid = postmasterOf(dataDir)
    await child.kill('SIGKILL')
    expect(postmasterOf(dataDir)).toBe(pid)

    const database = await open(dataDir)
    expect(database.adopted).toBe(true)
    expect(postmasterOf(dataDir)).toBe(pid)
    killPostgres()
    expect(await rowsAfterwards(database)).toHaveLength(4)
    await database.stop()
    expect(postmasterOf(dataDir)).toBeUndefined()
  })

  it('together with PostgreSQL: the next start finds every row', async () => {
    const { child, said } = await openInChild(dataDir)
    await query(said.config, 'insert into receipt values (5)')
    killPostgres()
    await child.kill('SIGKILL')
    const database = await open(dataDir)
    expect(await rowsAfterwards(database)).toHaveLength(5)
    await database.stop()
  })

  it('a postmaster.pid whose number is a stranger by now does not hinder the start', async () => {
    const stranger = spawn('sleep', ['60'])
    const owner = fs.statSync(path.join(dataDir, 'postgres'))
    const file = path.join(dataDir, 'postgres', 'postmaster.pid')
    const lines = [stranger.pid, path.dirname(file), 1, 5432, dataDir, '', '1 1', 'ready']
    fs.writeFileSync(file, `${lines.join('\n')}\n`)
    fs.chownSync(file, owner.uid, owner.gid)
    const database = await open(dataDir)
    expect(database.adopted).toBe(false)
    expect(await rowsAfterwards(database)).toHaveLength(5)
    expect(stranger.exitCode).toBeNull()
    stranger.kill()
    await database.stop()
  })
})

describe('another server takes the data folder', () => {
  it('while our connection was broken: we are told and leave PostgreSQL to it', async () => {
    let tell: (message: string) => void = () => undefined
    const told = new Promise<string>((resolve) => {
      tell = resolve
    })
    const database = await open(dataDir, { onLost: (error) => tell(error.message) })
    const other = new pg.Client(database.poolConfig)
    await other.connect()
    const { key, pid } = await lockHolder(database)
    // it waits in the queue for the lock, so it is the next one to hold it
    const taken = other.query('select pg_advisory_lock($1)', [key])
    await query(database.poolConfig, `select pg_terminate_backend(${pid})`)
    await taken
    expect(await told).toContain('another fiskalwerk server already runs')
    await database.stop()
    expect(postmasterOf(dataDir)).toBeDefined()
    await other.end()
  })
})
