import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import type { Database } from '../../src/postgres/database.js'
import { ACCOUNT, type ATrust, simulateATrust } from '../../src/simulator/devices/rksv/atrust.js'
import { LIVE_NAMES } from '../../src/simulator/devices/rksv/chain.js'
import { command } from '../support/command.js'
import { open, query } from '../support/data-folder.js'
import { prepareCluster } from '../support/prepared-cluster.js'

let folder: string
let env: Record<string, string>
let database: Database
let service: ATrust
let live: ATrust
let queue: string

beforeAll(async () => {
  folder = makeThrowAwayFolder()
  env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', MASTER_KEY: '', PORT: '9023' }
  database = await open(prepareCluster(env.DATA_DIR ?? ''))
  service = await simulateATrust()
  live = await simulateATrust({ names: LIVE_NAMES })
  const { cashBoxes } = await json('demo')
  queue = String((cashBoxes as Record<string, string>[])[0]?.queueId)
})
afterAll(async () => {
  expect([...service.line.offences, ...live.line.offences]).toEqual([])
  await service.close()
  await live.close()
  await database.stop()
  await removeThrowAwayFolder(folder)
})

const run = (words: string[], more: Record<string, string> = {}) =>
  command(words, { ...env, ...more })

async function json(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...words, '--json'])
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Record<string, unknown>
}

async function add(at: ATrust, more: object = {}, untried: string[] = []): Promise<string> {
  const configuration = JSON.stringify({ ...ACCOUNT, ...more })
  const unit = ['--package', 'fiskalwerk.SCU.AT.ATrust', '--url', at.online, ...untried]
  const made = await json('scu', 'add', '--queue', queue, ...unit, '--configuration', configuration)
  return String(made.scuId)
}

describe('scu check', () => {
  it('proves a unit for tests in a sandbox, with one signature and no secret', async () => {
    const scu = await add(service)
    const before = service.signatures()
    const { code, stdout, stderr } = await run(['scu', 'check', '--scu', scu])
    expect([code, stderr]).toEqual([0, ''])
    const words = ['certificate', 'chain', 'identity', 'possession', 'unit is test', 'clock']
    for (const word of words) {
      expect(stdout).toContain(word)
    }
    expect(stdout).toContain(service.leaf().serialHex)
    expect(stdout).not.toContain(`"${ACCOUNT.password}"`)
    expect(service.signatures()).toBe(before + 1)
  })

  it('lets production use a live unit with a confirmed issuer, and a sandbox never', async () => {
    const scu = await add(live, {}, ['--untried'])
    const production = { ENVIRONMENT: 'production' }
    const first = await run(['scu', 'check', '--scu', scu, '--json'], production)
    const { lines } = JSON.parse(first.stdout) as { lines: Record<string, string>[] }
    expect(lines.find(({ level }) => level === 'bad')).toMatchObject({ name: 'environment' })
    const wrong = ['scu', 'check', '--scu', scu, '--confirm', '0'.repeat(64)]
    expect((await run(wrong, production)).stderr).toContain('confirm')
    const issuer = /SHA-256 ([0-9a-f]{64})/.exec(
      lines.find(({ name }) => name === 'chain')?.text ?? '',
    )
    const confirm = ['scu', 'check', '--scu', scu, '--confirm', issuer?.[1] ?? '']
    const second = await run(confirm, production)
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('unit is live')])
    const sandbox = await run(['scu', 'check', '--scu', scu])
    expect([sandbox.code, sandbox.stdout]).toEqual([1, expect.stringContaining('a sandbox')])
  })

  it('tells of refused credentials, which scu configure replaces and --again tries', async () => {
    const scu = await add(service)
    service.setPassword('new')
    for (let round = 0; round < 3; round += 1) {
      const { code, stdout } = await run(['scu', 'check', '--scu', scu])
      expect([code, stdout]).toEqual([1, expect.stringContaining('scu configure')])
    }
    expect(service.wrongLogins()).toBe(1)
    await run(['scu', 'check', '--scu', scu, '--again'])
    expect(service.wrongLogins()).toBe(2)
    const configure = (password: string) => [
      ...['scu', 'configure', '--scu', scu, '--configuration'],
      JSON.stringify({ user: ACCOUNT.user, password }),
    ]
    expect((await run(configure('worse'))).code).toBe(1)
    expect((await run(configure('new'))).code).toBe(0)
    expect((await run(['scu', 'check', '--scu', scu])).code).toBe(0)
    const stored = await query(
      database.poolConfig,
      `select configuration from scu where id = '${scu}'`,
    )
    expect(JSON.stringify(stored)).not.toContain('password')
    service.setPassword(ACCOUNT.password)
  })
})
