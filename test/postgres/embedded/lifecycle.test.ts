import * as fs from 'node:fs'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../../scripts/throw-away-cluster.js'
import { DatabaseError } from '../../../src/postgres/database-error.js'
import { openCluster } from '../../../src/postgres/embedded/embedded.js'
import {
  open,
  openInChild,
  postmasterOf,
  query,
  quietLog,
  type Refused,
} from '../../support/data-folder.js'

let folder: string
let dataDir: string

beforeAll(() => {
  folder = makeThrowAwayFolder()
  dataDir = path.join(folder, 'a data folder')
})

afterAll(() => removeThrowAwayFolder(folder))

describe('the embedded database', () => {
  it('is made at the first start, and rows outlive a stop', async () => {
    const first = await open(dataDir)
    expect(first.adopted).toBe(false)
    await query(first.poolConfig, 'create table kept as select 7 as n')
    await first.stop()
    expect(postmasterOf(dataDir)).toBeUndefined()

    const second = await open(dataDir)
    expect(await query(second.poolConfig, 'select n from kept')).toEqual([{ n: 7 }])
    await second.stop()
  })

  it('comes up and stops while the clock of the machine is set', async () => {
    let hours = 0
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      hours += 1
      return hours * 3_600_000
    })
    try {
      const database = await open(dataDir)
      await database.stop()
      expect(postmasterOf(dataDir)).toBeUndefined()
    } finally {
      clock.mockRestore()
    }
  })

  it('works as a role that owns its database and is no superuser', async () => {
    const database = await open(dataDir)
    const sql = `select rolname as role, rolsuper as super, current_database() as database,
      pg_get_userbyid(datdba) as owner
      from pg_roles, pg_database where rolname = current_user and datname = current_database()`
    expect(await query(database.poolConfig, sql)).toEqual([
      { role: 'fiskalwerk', super: false, database: 'fiskalwerk', owner: 'fiskalwerk' },
    ])
    await database.stop()
  })

  it('is durable, sorts the same everywhere and listens on no network', async () => {
    const database = await open(dataDir)
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']
    const sql = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join()},
      current_setting('listen_addresses') as addresses, datlocale as locale
      from pg_database where datname = current_database()`
    expect(await query(database.poolConfig, sql)).toEqual([
      {
        fsync: 'on',
        synchronous_commit: 'on',
        full_page_writes: 'on',
        data_checksums: 'on',
        addresses: '',
        locale: 'C.UTF-8',
      },
    ])
    expect(fs.statSync(String(database.poolConfig.host)).mode & 0o777).toBe(0o700)
    await database.stop()
  })

  it('starts below a path too long for a socket, with the same address every time', async () => {
    const deep = path.join(folder, 'x'.repeat(60), 'y'.repeat(60))
    const first = await open(deep)
    const address = String(first.poolConfig.host)
    expect(address.length).toBeLessThan(60)
    await first.stop()
    fs.rmSync(address, { recursive: true })
    const second = await open(deep)
    expect(second.poolConfig.host).toBe(address)
    expect(await query(second.poolConfig, 'select 1 as n')).toEqual([{ n: 1 }])
    await second.stop()
    fs.rmSync(address, { recursive: true })
  })

  it('made by another major version is refused in a sentence', async () => {
    const other = path.join(folder, 'other')
    fs.mkdirSync(path.join(other, 'postgres'), { recursive: true })
    fs.writeFileSync(path.join(other, 'postgres', 'PG_VERSION'), '17\n')
    const failure = await open(other).catch((error) => error)
    expect(failure).toBeInstanceOf(DatabaseError)
    expect(failure.message).toContain('was made by PostgreSQL 17, this release brings 18')
  })
})

describe('one data folder', () => {
  it('has one server: a second one is refused and harms nothing', async () => {
    const first = await open(dataDir)
    const { child, said } = await openInChild<Refused>(dataDir)
    expect(said).toEqual({
      fault: 'another-server',
      message:
        `another fiskalwerk server already runs on the data folder ${fs.realpathSync(dataDir)}: ` +
        'stop it first, or set DATA_DIR to another folder.',
    })
    expect(await child.ended).toBe(0)
    expect(await query(first.poolConfig, 'select 1 as n')).toEqual([{ n: 1 }])
    await first.stop()
  })

  it('has room for tools beside the server, which do not stop its PostgreSQL', async () => {
    const server = await open(dataDir)
    const tool = await open(dataDir, { mode: 'tool' })
    expect(tool.adopted).toBe(true)
    await tool.stop()
    expect(await query(server.poolConfig, 'select 1 as n')).toEqual([{ n: 1 }])
    await server.stop()
  })

  it('needs no server for tools: the last one stops PostgreSQL', async () => {
    const first = await open(dataDir, { mode: 'tool' })
    const second = await open(dataDir, { mode: 'tool' })
    expect([first.adopted, second.adopted]).toEqual([false, true])
    await first.stop()
    expect(await query(second.poolConfig, 'select 1 as n')).toEqual([{ n: 1 }])
    await second.stop()
    expect(postmasterOf(dataDir)).toBeUndefined()
  })

  it('may be new to two processes at once', async () => {
    const fresh = path.join(folder, 'fresh')
    const both = await Promise.all([
      openInChild(fresh, { mode: 'tool' }),
      openInChild(fresh, { mode: 'tool' }),
    ])
    expect(both.map(({ said }) => said.adopted).sort()).toEqual([false, true])
    await Promise.all(both.map(({ child }) => child.kill('SIGTERM')))
    expect(fs.readdirSync(fresh).sort()).toEqual(['postgres', 'postgres.log', 'socket'])
  })

  it('is not served by a PostgreSQL that may lose data', async () => {
    const unsafe = await openCluster({ dataDir, durable: false, log: quietLog })
    await unsafe.client.end()
    const failure = await open(dataDir).catch((error) => error)
    expect(failure.message).toBe(
      'This PostgreSQL cannot be used: fsync and synchronous_commit and full_page_writes ' +
        'must be on, or a crash could lose receipts.',
    )
  })
})
