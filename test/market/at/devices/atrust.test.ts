import { execFileSync } from 'node:child_process'
import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DeviceError, type DriverTools, type ScuHead } from '../../../../src/device/device.js'
import type { Logins } from '../../../../src/device/logins.js'
import { createOutbound } from '../../../../src/device/outbound.js'
import { ATRUST_PACKAGE, atrustDriver } from '../../../../src/market/at/devices/atrust.js'
import {
  ACCOUNT,
  type ATrust,
  BLOCKED,
  KEY_LABEL,
  simulateATrust,
} from '../../../../src/simulator/devices/rksv/atrust.js'
import { LIVE_NAMES } from '../../../../src/simulator/devices/rksv/chain.js'

const DATA = Buffer.from('eyJhbGciOiJFUzI1NiJ9.X1IxLUFUMQ')
const LIMIT = { timeoutMs: 3000 }
let now: Date
let service: ATrust
let stop: (() => Promise<void>)[]

beforeEach(async () => {
  now = new Date('2026-11-25T10:00:00Z')
  stop = []
  service = await simulated()
})
afterEach(async () => {
  expect(service.line.offences).toEqual([])
  for (const end of stop) await end()
})

async function simulated(options: Parameters<typeof simulateATrust>[0] = {}): Promise<ATrust> {
  const made = await simulateATrust({ now: () => now, ...options })
  stop.push(() => made.close())
  return made
}

/** What all servers know of logins, without a database. */
function memoryLogins(): Logins {
  const refused = new Set<string>()
  return {
    claim: async ({ credentials }) => (refused.has(credentials) ? 'refused' : 'mine'),
    settle: async ({ credentials }, outcome) => {
      if (outcome === 'refused') refused.add(credentials)
    },
  }
}

function tools(more: Partial<DriverTools> = {}): DriverTools {
  return {
    fetch: createOutbound({ allow: [`127.0.0.1:${service.port}`] }),
    now: () => now,
    sleep: async () => undefined,
    logins: memoryLogins(),
    kept: new Map(),
    ...more,
  }
}

async function unit(
  configuration: Record<string, unknown> = {},
  url = service.online,
): Promise<ScuHead> {
  const given = { environment: 'live', ...ACCOUNT, ...configuration }
  const made = await atrustDriver.create({
    id: 'unit',
    configuration: atrustDriver.configuration.parse(given),
    now,
    randomBytes: Buffer.alloc,
  })
  return {
    ...made,
    accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
    id: '7a0f5a52-3f54-4f13-a1ab-6cf5b3e0a001',
    market: 'AT',
    package: ATRUST_PACKAGE,
    mode: 0,
    url,
    faultScript: null,
    version: 0n,
    changed: false,
    actions: [],
  }
}

async function fault(work: Promise<unknown>): Promise<DeviceError> {
  const error: unknown = await work.then(
    () => new Error('the call succeeded'),
    (one: unknown) => one,
  )
  if (error instanceof DeviceError) return error
  throw error
}

const isGood = (signature: Buffer, one = service) =>
  verify(
    'sha256',
    DATA,
    { key: new X509Certificate(one.leaf().der).publicKey, dsaEncoding: 'ieee-p1363' },
    signature,
  )

describe('RK Online', () => {
  it('signs in a session, which is opened once for all queues of the unit', async () => {
    const shared = tools()
    const scu = await unit()
    const [first, second] = [atrustDriver.open(scu, shared), atrustDriver.open({ ...scu }, shared)]
    const [one, two] = await Promise.all([first.sign(DATA, LIMIT), second.sign(DATA, LIMIT)])
    expect(isGood(one.signature) && isGood(two.signature)).toBe(true)
    expect(one).toMatchObject({ zda: 'AT1', serialHex: service.leaf().serialHex })
    expect(one.certificate.chain).toEqual(service.leaf().chain)
    expect(service.logins()).toBe(1)
    expect(service.line.calls.filter((call) => call.endsWith('/Certificate'))).toHaveLength(1)
  })

  it('keeps the password out of what is stored plain', async () => {
    const { configuration, secrets, state } = await unit({ password: 'secret' })
    expect(configuration + state).not.toContain('secret')
    expect(JSON.parse(secrets)).toEqual({ password: 'secret' })
  })

  it.each([
    ['after an hour', 3_600_001],
    ['after midnight', 14 * 3_600_000 + 1],
  ])('logs in once more when the session has ended %s', async (_, later) => {
    const device = atrustDriver.open(await unit(), tools())
    await device.sign(DATA, LIMIT)
    now = new Date(now.getTime() + later)
    expect(isGood((await device.sign(DATA, LIMIT)).signature)).toBe(true)
    expect(service.logins()).toBe(2)
  })

  it('signs on when the service was started anew', async () => {
    const device = atrustDriver.open(await unit(), tools())
    await device.sign(DATA, LIMIT)
    service.line.script({ call: 'Sign/Hash', fault: 'restart' })
    expect(isGood((await device.sign(DATA, LIMIT)).signature)).toBe(true)
  })

  it('sends a wrong password once, whoever asks, until it changes', async () => {
    const shared = tools()
    const wrong = await unit({ password: 'old' })
    for (let round = 0; round < 5; round += 1) {
      const device = atrustDriver.open({ ...wrong }, { ...shared, kept: new Map() })
      expect((await fault(device.sign(DATA, LIMIT))).kind).toBe('credentials')
      expect((await fault(device.reach(LIMIT))).kind).toBe('credentials')
    }
    expect(service.wrongLogins()).toBe(1)
    const right = atrustDriver.open(await unit(), shared)
    expect(isGood((await right.sign(DATA, LIMIT)).signature)).toBe(true)
  })

  it('asks a blocked account once', async () => {
    const device = atrustDriver.open(await unit(BLOCKED), tools())
    expect((await fault(device.sign(DATA, LIMIT))).kind).toBe('credentials')
    await fault(device.sign(DATA, LIMIT))
    expect(service.line.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(1)
  })

  it('tells what a failed answer means', async () => {
    const device = atrustDriver.open(await unit(), tools())
    await device.sign(DATA, LIMIT)
    const kinds = { error: 'unavailable', busy: 'busy', half: 'unknown-outcome' } as const
    for (const [name, kind] of Object.entries(kinds)) {
      service.line.script({ call: 'Sign/Hash', fault: name as keyof typeof kinds })
      expect((await fault(device.sign(DATA, LIMIT))).kind, name).toBe(kind)
    }
    service.line.script({ call: 'Sign/Hash', fault: 'busy' })
    expect((await fault(device.sign(DATA, LIMIT))).retryAfterMs).toBe(1000)
    expect(service.wrongLogins()).toBe(0)
  })

  it('believes no signature of another key', async () => {
    const device = atrustDriver.open(await unit(), tools())
    await device.identity(LIMIT)
    service.line.script({ call: 'Sign/Hash', fault: 'foreign' })
    expect((await fault(device.sign(DATA, LIMIT))).message).toContain('does not verify')
  })

  it('notices a new certificate of the account, and signs with it at the next try', async () => {
    const device = atrustDriver.open(await unit(), tools())
    await device.sign(DATA, LIMIT)
    await service.renew()
    await fault(device.sign(DATA, LIMIT))
    const answer = await device.sign(DATA, LIMIT)
    expect(answer.serialHex).toBe(service.leaf().serialHex)
    expect(isGood(answer.signature)).toBe(true)
  })

  it('keeps the session and the certificate fresh while no receipt waits', async () => {
    const device = atrustDriver.open(await unit(), tools())
    const next = await atrustDriver.maintain?.(device, LIMIT)
    expect(next).toEqual(new Date(now.getTime() + 600_000))
    expect([service.logins(), service.signatures()]).toEqual([1, 0])
  })
})

describe('what a unit is', () => {
  it('production refuses one for tests, and one whose issuer nobody has confirmed', async () => {
    const test = atrustDriver.open(await unit(), tools({ production: true }))
    expect(await fault(test.sign(DATA, LIMIT))).toMatchObject({
      kind: 'broken-unit',
      message: 'the unit is test, the server production',
    })
    service = await simulated({ names: LIVE_NAMES })
    const live = await unit()
    const unknown = atrustDriver.open(live, tools({ production: true }))
    expect((await fault(unknown.identity(LIMIT))).message).toContain('the unit is unknown')
    const [issuer] = service.leaf().chain
    const confirmed = [
      createHash('sha256')
        .update(issuer ?? '')
        .digest('hex'),
    ]
    const settings = JSON.stringify({ ...JSON.parse(live.configuration), confirmed })
    const known = { ...live, configuration: settings }
    const device = atrustDriver.open(known, tools({ production: true }))
    expect(isGood((await device.sign(DATA, LIMIT)).signature)).toBe(true)
    expect(atrustDriver.environment?.(known)).toBe('live')
    const sandbox = atrustDriver.open(known, tools({ production: false }))
    expect((await fault(sandbox.identity(LIMIT))).kind).toBe('broken-unit')
    expect(service.signatures()).toBe(1)
  })

  it('a certificate that has ended signs nothing', async () => {
    service = await simulated({ days: 1 })
    const device = atrustDriver.open(await unit(), tools())
    await device.sign(DATA, LIMIT)
    now = new Date(now.getTime() + 2 * 86_400_000)
    expect((await fault(device.identity(LIMIT))).kind).toBe('broken-unit')
  })

  it('is proved line by line, with one signature', async () => {
    const scu = await unit()
    const ask = { limit: LIMIT, probe: Buffer.from('probe'), holders: ['ATU12345678'] }
    const lines = await atrustDriver.proof?.(scu, tools({ production: true }), ask)
    const levels = Object.fromEntries((lines ?? []).map(({ name, level }) => [name, level]))
    expect(levels).toEqual({
      ...{ certificate: 'ok', chain: 'ok', identity: 'ok', possession: 'ok' },
      environment: 'bad',
    })
    expect(service.signatures()).toBe(1)
    expect(await atrustDriver.describe(scu)).toMatchObject({ serial: service.leaf().serialHex })
  })

  it('its chain holds for OpenSSL as well', async () => {
    const device = atrustDriver.open(await unit(), tools())
    const { certificate, signature } = await device.sign(DATA, LIMIT)
    const folder = mkdtempSync(join(tmpdir(), 'chain-'))
    const pem = (der: Buffer) => new X509Certificate(der).toString()
    const put = (name: string, text: string | Buffer) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const [issuer, root] = certificate.chain
    const files = ['-untrusted', put('issuer', pem(issuer ?? Buffer.of()))]
    const anchor = ['-CAfile', put('root', pem(root ?? Buffer.of()))]
    const leaf = put('leaf', pem(certificate.der))
    const at = ['-attime', String(now.getTime() / 1000)]
    const told = execFileSync('openssl', ['verify', ...at, ...anchor, ...files, leaf]).toString()
    rmSync(folder, { recursive: true })
    expect(told).toContain('OK')
    expect(signature).toHaveLength(64)
  })
})

describe('the appliance', () => {
  const basic = { user: 'till', password: 'of the web server' }

  it('signs by its key label, without a login or with one', async () => {
    const open = atrustDriver.open(
      await unit({ keylabel: KEY_LABEL, user: undefined, password: undefined }, service.appliance),
      tools(),
    )
    expect(isGood((await open.sign(DATA, LIMIT)).signature)).toBe(true)
    service = await simulated({ basic })
    const closed = await unit({ keylabel: KEY_LABEL, ...basic }, service.appliance)
    const device = atrustDriver.open(closed, tools())
    expect(isGood((await device.sign(DATA, LIMIT)).signature)).toBe(true)
  })

  it('gets a wrong password once', async () => {
    service = await simulated({ basic })
    const scu = await unit({ keylabel: KEY_LABEL, user: 'till', password: 'x' }, service.appliance)
    const device = atrustDriver.open(scu, tools())
    for (let round = 0; round < 3; round += 1) await fault(device.sign(DATA, LIMIT))
    expect(service.wrongLogins()).toBe(1)
  })
})
