// doctor: says what is wrong and what to do, changes nothing, and ends with 1 only for what is bad.
import { createServer } from 'node:net'
import * as path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { clockCheck, standbyCheck } from '../../src/cli/doctor-database.js'
import { addressChecks, mailCheck, nodeCheck } from '../../src/cli/doctor-place.js'
import type { Database } from '../../src/postgres/database.js'
import { command } from '../support/command.js'
import { open } from '../support/data-folder.js'
import { prepareCluster } from '../support/prepared-cluster.js'
import { configOf, type TestSettings } from '../support/settings.js'

let folder: string
let env: Record<string, string>
let database: Database
let client: pg.Client
/** An Austrian unit in use. */
let scuId: string
let queueId: string
let accountId: string
beforeAll(async () => {
  folder = makeThrowAwayFolder()
  env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', MASTER_KEY: '', PORT: '9022' }
  database = await open(prepareCluster(env.DATA_DIR ?? ''))
  client = new pg.Client(database.poolConfig)
  const { stdout } = await command(['demo', '--json'], env)
  await client.connect()
  const { operator, cashBoxes } = JSON.parse(stdout) as Demo
  accountId = operator.accountId
  const box = cashBoxes.find(({ market }) => market === 'AT')
  scuId = box?.scuIds[0] ?? ''
  queueId = box?.queueId ?? ''
})
afterAll(async () => {
  await client.end()
  await database.stop()
  await removeThrowAwayFolder(folder)
})

interface Demo {
  operator: { accountId: string }
  cashBoxes: { market: string; queueId: string; scuIds: string[] }[]
}

const ask = async (sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows

interface Told {
  ok: boolean
  checks: { name: string; state: string; text: string; next: string | null }[]
}

async function doctor(variables: Record<string, string> = {}) {
  const { code, stdout, stderr } = await command(['doctor', '--json'], { ...env, ...variables })
  expect(stderr).toBe('')
  const told = JSON.parse(stdout) as Told
  const of = (name: string) => told.checks.filter((one) => one.name === name)
  return { code, ...told, of }
}

it('a server that is well: everything is looked at, nothing is bad', async () => {
  const { code, ok, checks } = await doctor()
  expect(checks.filter(({ state }) => state === 'bad')).toEqual([])
  expect({ code, ok }).toEqual({ code: 0, ok: true })
  const names = new Set(checks.map(({ name }) => name))
  for (const name of [
    ...['node', 'settings', 'address', 'proxy', 'secrets', 'disk', 'mail', 'database'],
    ...['durability', 'role', 'connections', 'clock', 'migrations', 'master key', 'units'],
    ...['certificates', 'jobs', 'events', 'webhooks', 'outages', 'problems'],
  ]) {
    expect(names).toContain(name)
  }
  for (const { state, next } of checks) expect(next === null).toBe(state === 'ok')
})

it('for people: a line for each, and the next step below', async () => {
  await ask(
    `insert into outage (account_id, id, queue_id, cause, began_at)
     values ($1, gen_random_uuid(), $2, 'device', now())`,
    [accountId, queueId],
  )
  const { code, stdout } = await command(['doctor'], env)
  await ask('delete from outage')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ok {4}node {11}Node\.js \d/)
  expect(stdout).toMatch(/^warn {2}outages {8}1 go on\n +-> Mend the units/m)
})

it('another master key, a database that is not there, settings nobody can read', async () => {
  const other = Buffer.from(Array.from({ length: 32 }, (_, at) => (at * 37) % 251)).toString(
    'base64',
  )
  const wrong = await doctor({ MASTER_KEY: other })
  expect(wrong.code).toBe(1)
  expect(wrong.of('master key')).toMatchObject([{ state: 'bad' }])
  const address = 'postgresql://till:s3cretword@127.0.0.1:9/none'
  const away = await doctor({ DATABASE_URL: address, MASTER_KEY: other })
  expect(away.code).toBe(1)
  expect(away.of('database')).toMatchObject([{ state: 'bad' }])
  expect(JSON.stringify(away)).not.toContain('s3cretword')
  const unread = await doctor({ PORT: 'eight' })
  expect(unread.code).toBe(1)
  expect(unread.of('settings')).toMatchObject([{ state: 'bad' }])
})

it('an archive that cannot be used is bad; none at all is a choice', async () => {
  expect((await doctor()).of('backups')).toEqual([])
  const kept = path.join(folder, 'kept')
  const good = await doctor({ BACKUP_STORE: kept })
  expect(good.of('backups')).toMatchObject([{ state: 'ok', text: `${kept} can be used` }])
  const away = await doctor({ BACKUP_STORE: 's3://key:s3cretword@127.0.0.1:9/months?tls=off' })
  expect([away.code, away.of('backups')[0]?.state]).toEqual([1, 'bad'])
  expect(JSON.stringify(away)).not.toContain('s3cretword')
  const wrong = await doctor({ BACKUP_STORE: 's3://key@host/s3cretword' })
  expect(wrong.of('settings')).toMatchObject([{ state: 'bad' }])
  expect(JSON.stringify(wrong)).not.toContain('s3cretword')
  const check = await command(['backups', 'check', '--json'], { ...env, BACKUP_STORE: kept })
  expect([check.code, JSON.parse(check.stdout)]).toEqual([0, { ok: true, read: 0, faults: [] }])
  const none = await command(['backups', 'check'], env)
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('BACKUP_STORE is not set')])
})

it('production: software units are bad; sandbox: a fault script is worth a word', async () => {
  const script = JSON.stringify({ steps: [{ do: 'unreachable' }] })
  await ask('update scu set fault_script = $1 where id = $2', [script, scuId])
  const { of, code } = await doctor()
  await ask('update scu set fault_script = null')
  expect(code).toBe(0)
  expect(of('units')).toMatchObject([{ state: 'ok' }, { state: 'warn' }])
  const live = await doctor({ ENVIRONMENT: 'production', PUBLIC_URL: 'https://f.example.com' })
  expect(live.code).toBe(1)
  expect(live.of('units').filter(({ state }) => state === 'bad').length).toBeGreaterThan(0)
})

it('a remote unit that does not answer is bad; nothing is signed to find out', async () => {
  const heads = 'select sum(queued_row) as rows, sum(version) as v from queue'
  const before = await ask(heads)
  await ask(
    `update scu set package = 'fiskalwerk.SCU.AT.Remote', url = 'http://127.0.0.1:9'
     where id = $1`,
    [scuId],
  )
  const { of, code } = await doctor()
  expect(code).toBe(1)
  expect(of('units').at(-1)).toMatchObject({ state: 'bad' })
  expect(await ask(heads)).toEqual(before)
  await ask(`update scu set package = 'fiskalwerk.SCU.AT.Software', url = null where id = $1`, [
    scuId,
  ])
})

it('a job that failed for good is told with the next step', async () => {
  await ask(`select graphile_worker.add_job('message', '{}'::json, max_attempts => 1)`)
  await ask('update graphile_worker._private_jobs set attempts = max_attempts')
  const { of } = await doctor()
  await ask('delete from graphile_worker._private_jobs')
  expect(of('jobs')).toMatchObject([{ state: 'warn', next: expect.stringContaining('jobs retry') }])
})

it('addresses and proxies by sense', () => {
  const states = (settings: TestSettings) =>
    addressChecks(configOf(settings)).map(({ state }) => state)
  const live = { ENVIRONMENT: 'production' }
  expect(states({})).toEqual(['ok', 'ok'])
  expect(states({ HOST: '0.0.0.0' })).toEqual(['warn', 'ok'])
  expect(states({ HOST: '0.0.0.0', TRUST_PROXY: 'true' })).toEqual(['warn', 'warn'])
  expect(states(live)).toEqual(['bad', 'ok'])
  expect(states({ ...live, PUBLIC_URL: 'http://f.example.com' })).toEqual(['warn', 'ok'])
  expect(states({ ...live, PUBLIC_URL: 'https://f.example.com' })).toEqual(['ok', 'warn'])
  const behind = { PUBLIC_URL: 'https://f.example.com', TRUST_PROXY: '10.0.0.1' }
  expect(states({ ...live, ...behind })).toEqual(['ok', 'ok'])
})

it('clock and version of Node.js', () => {
  expect([400, -5_000, 70_000].map((ms) => clockCheck(ms).state)).toEqual(['ok', 'warn', 'bad'])
  const versions = ['18.20.1', '20.18.3', '20.19.0', '22.1.0']
  expect(versions.map((version) => nodeCheck(version).state)).toEqual(['bad', 'bad', 'ok', 'ok'])
})

it('a standby is worth what commits wait for', () => {
  const of = (synchronousCommit: string, standbys: string, production = true) => {
    const { state, next } = standbyCheck({ synchronousCommit, standbys }, production)
    expect(next ?? '').not.toContain('/ha/')
    return state
  }
  expect([of('on', 'pg2'), of('remote_apply', 'pg2'), of('on', '', false)]).toEqual(
    Array.from({ length: 3 }, () => 'ok'),
  )
  expect([of('on', ''), of('remote_write', 'pg2'), of('local', 'pg2')]).toEqual([
    ...['warn', 'warn', 'bad'],
  ])
})

it('a mail server that closes at once is bad, and its password is not shown', async () => {
  const closing = createServer((socket) => socket.end('554 no\r\n'))
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
  const { port } = closing.address() as { port: number }
  const found = await mailCheck(
    configOf({
      SMTP_URL: `smtp://me:s3cretword@127.0.0.1:${port}`,
      MAIL_FROM: 'a@example.com',
      PUBLIC_URL: 'https://f.example.com',
    }),
  )
  closing.close()
  expect(found).toMatchObject({ state: 'bad' })
  expect(JSON.stringify(found)).not.toContain('s3cretword')
})
