// A server and the commands beside it, as processes: where it listens, what they print meanwhile,
// how both end, and what is left of them.
import * as fs from 'node:fs'
import * as net from 'node:net'
import * as path from 'node:path'
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { command, start } from '../support/command.js'
import { postmasterOf } from '../support/data-folder.js'
import { openTill } from '../support/grpc-client.js'

let folder: string
let dataDir: string
let env: Record<string, string>

beforeAll(() => {
  folder = makeThrowAwayFolder()
  dataDir = path.join(folder, 'a data folder')
})
afterAll(() => removeThrowAwayFolder(folder))
beforeEach(() => {
  env = { DATA_DIR: dataDir, PORT: '0' }
})

const READY = 'fiskalwerk is ready (sandbox)'

async function serving() {
  const server = start(['serve'], env)
  await server.until('first receipt')
  const address = /address +(\S+)/.exec(server.said.stdout)?.[1] ?? ''
  return { server, address }
}

describe('a server', () => {
  it('tells its address, which demo prints beside it, and ends in order', async () => {
    const { server, address } = await serving()
    expect(server.said.stdout).toContain(READY)
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d{4,5}$/)

    const { stdout, code } = await command(['demo'], env)
    expect(code).toBe(0)
    expect(stdout).toContain(` ${address}/`)
    const json = await command(['demo', '--json'], env)
    const [box] = JSON.parse(json.stdout).cashBoxes
    const headers = { cashboxid: box.cashBoxId, accesstoken: box.accessToken }
    const sign = `${address}/${box.queueId}/json/v1`
    const echo = await fetch(`${sign}/echo`, { method: 'POST', headers, body: '"hello"' })
    expect(await echo.text()).toBe('"hello"')

    server.signal('SIGTERM')
    server.signal('SIGINT')
    const { code: ended, stderr } = await server.ended
    expect([ended, stderr]).toEqual([0, ''])
    expect(postmasterOf(dataDir)).toBeUndefined()

    const stopped = await command(['demo', '--json'], env)
    expect(stopped.stdout).toBe(json.stdout)
    expect((await command(['demo'], { ...env, PORT: '9021' })).stdout).toContain(':9021/')
    expect(postmasterOf(dataDir)).toBeUndefined()
  })

  it('ends in order also when the signal comes before it is ready', async () => {
    const server = start(['serve'], { ...env, LOG_LEVEL: 'info' })
    while (postmasterOf(dataDir) === undefined) await new Promise((next) => setTimeout(next, 5))
    server.signal('SIGINT')
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
    expect(postmasterOf(dataDir)).toBeUndefined()
  })
})

describe('a server that goes on', () => {
  let running: Awaited<ReturnType<typeof serving>>
  let till: ReturnType<typeof openTill>
  beforeAll(async () => {
    env = { DATA_DIR: dataDir, PORT: '0', GRPC_PORT: '0' }
    running = await serving()
  }, 120_000)

  it('listens for gRPC where that has a port, and tells it', async () => {
    const address = /gRPC +(\S+)/.exec(running.server.said.stdout)?.[1] ?? ''
    expect(address).toMatch(/^127\.0\.0\.1:\d{4,5}$/)
    till = openTill(address)
    await expect(till.call('Echo', {})).rejects.toMatchObject({ code: status.UNAUTHENTICATED })
  })

  it('is left alone by a start that cannot be because it has the data folder', async () => {
    const second = await command(['serve'], env)
    expect(second.code).toBe(1)
    expect(second.stderr).toContain('another fiskalwerk server already runs on the data folder')
    expect((await fetch(`${running.address}/health`)).status).toBe(200)
  })

  it('leaves no PostgreSQL behind when its terminal is closed', async () => {
    running.server.signal('SIGHUP')
    expect(await running.server.ended).toMatchObject({ code: 0, stderr: '' })
    till.close()
    expect(postmasterOf(dataDir)).toBeUndefined()
  })
})

describe('a command of its own process', () => {
  it('prints one document, ends with its exit code, and leaves no PostgreSQL', async () => {
    const listed = await start(['dealer', 'list', '--json'], env).ended
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(listed.stdout)).toHaveLength(1)
    expect(postmasterOf(dataDir)).toBeUndefined()
  })

  it('that is interrupted stops the PostgreSQL that it started', async () => {
    const running = start(['demo'], env)
    while (postmasterOf(dataDir) === undefined) await new Promise((next) => setTimeout(next, 5))
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(130)
    expect(postmasterOf(dataDir)).toBeUndefined()
  })
})

/** One line on stderr, exit code 1, nothing started, no stack. */
async function faultOf(variables: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await command(['serve'], { ...env, ...variables })
  expect([code, stdout]).toEqual([1, expect.not.stringContaining(READY)])
  expect(stderr).toMatch(/^fiskalwerk: [^\n]+\n$/)
  const used = variables.DATA_DIR ?? dataDir
  if (fs.existsSync(used)) expect(postmasterOf(used)).toBeUndefined()
  return stderr
}

describe('a start that cannot be', () => {
  it('because the port is taken', async () => {
    const other = net.createServer()
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve)
    })
    const { port } = other.address() as net.AddressInfo
    expect(await faultOf({ PORT: String(port) })).toContain(`port ${port} is taken: set PORT to`)
    other.close()
  })

  it('because the port for gRPC is taken', async () => {
    const taken = net.createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as net.AddressInfo
    expect(await faultOf({ GRPC_PORT: String(port) })).toContain('set GRPC_PORT to another one')
    taken.close()
  })

  it('because HOST is no address of this machine', async () => {
    expect(await faultOf({ HOST: '192.0.2.77' })).toContain('HOST is no address of this machine')
  })

  it('because a setting is wrong', async () => {
    expect(await faultOf({ PORT: '70000' })).toMatch(/^fiskalwerk: PORT: /)
  })

  it('because the database is not there, without its password', async () => {
    const said = await faultOf({
      DATABASE_URL: 'postgresql://till:geheim@127.0.0.1:1/ledger',
      MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    })
    expect(said).toContain('127.0.0.1:1')
    expect(said).not.toContain('geheim')
  })

  it('because the data folder is none', async () => {
    const file = path.join(folder, 'a file')
    fs.writeFileSync(file, '')
    expect(await faultOf({ DATA_DIR: path.join(file, 'data') })).toContain('The data folder')
  })

  it('because the master key is gone, and the data stay as they are', async () => {
    const key = path.join(dataDir, 'master.key')
    const kept = fs.readFileSync(key)
    fs.writeFileSync(key, `${Buffer.alloc(32, 9).toString('base64')}\n`)
    expect(await faultOf({})).toContain('The master key is not the one')
    fs.writeFileSync(key, 'nonsense\n')
    expect(await faultOf({})).toContain('does not hold a master key')
    fs.writeFileSync(key, kept)
    expect((await command(['demo', '--json'], env)).code).toBe(0)
  })

  it('because migrations are wanted by hand and there were none yet', async () => {
    const fresh = path.join(folder, 'fresh')
    const byHand = { DATA_DIR: fresh, MIGRATE_ON_START: 'false' }
    expect(await faultOf(byHand)).toContain('run npx fiskalwerk migrate first')
    const listed = await command(['dealer', 'list'], byHand)
    expect(listed).toMatchObject({ code: 1, stderr: expect.stringContaining('migrate first') })
    expect((await command(['migrate'], byHand)).code).toBe(0)
    expect((await command(['dealer', 'list'], byHand)).code).toBe(0)
  })
})
