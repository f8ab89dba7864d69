import { createHash, generateKeyPairSync, sign, verify, X509Certificate } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CredentialsRefused, DeviceError, type ScuHead } from '../../../src/device/device.js'
import { createOutbound } from '../../../src/device/outbound.js'
import type { Soon } from '../../../src/lib/soon.js'
import { REMOTE_PACKAGE, remoteDriver } from '../../../src/market/at/remote.js'
import { createProvider, LIVE_NAMES } from '../../../src/simulator/devices/rksv/chain.js'
import {
  SERVICE_CASH_BOX,
  SERVICE_TOKEN,
  type SigningService,
  send,
  signingService,
} from '../../support/remote-signer.js'
import { selfSigned } from '../../support/self-signed.js'
import vectors from './vectors/rksv-examples.json' with { type: 'json' }

const DATA = Buffer.from('eyJhbGciOiJFUzI1NiJ9.X1IxLUFUMTAw')
const LIMIT = { timeoutMs: 5000 }
let service: SigningService
let now: Date

beforeEach(async () => {
  service = await signingService()
  now = new Date('2025-01-05T07:00:00Z')
})
afterEach(() => service.close())

function unit(changes: Partial<ScuHead> = {}): ScuHead {
  return {
    accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
    id: '7a0f5a52-3f54-4f13-a1ab-6cf5b3e0a001',
    market: 'AT',
    package: REMOTE_PACKAGE,
    mode: 0,
    url: service.url,
    configuration: '{}',
    secrets: JSON.stringify({ cashBoxId: SERVICE_CASH_BOX, accessToken: SERVICE_TOKEN }),
    state: '{}',
    faultScript: null,
    version: 0n,
    changed: false,
    actions: [],
    ...changes,
  }
}

function device(scu: ScuHead = unit()) {
  return remoteDriver.open(scu, tools([`127.0.0.1:${service.port}`]))
}

function tools(allow: string[]) {
  return { fetch: createOutbound({ allow }), now: () => now, sleep: async () => {} }
}

async function fault(work: Soon<unknown>): Promise<string> {
  const error: unknown = await Promise.resolve(work).then(
    () => 'the call succeeded',
    (one: unknown) => one,
  )
  if (error instanceof DeviceError) return error.message
  throw error
}

/** Bends one operation: the test writes its answer. */
function bend(operation: string, write: (response: ServerResponse, body: string) => void) {
  service.bend = (asked, response, body) => {
    if (asked !== operation) return false
    write(response, body)
    return true
  }
}

describe('a remote signing device that works', () => {
  it('signs the bytes as they are, with the service it was told', async () => {
    const answer = await device().sign(DATA, LIMIT)
    const key = new X509Certificate(Buffer.from(vectors.input.certificateBase64, 'base64'))
      .publicKey
    const how = { key, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', DATA, how, answer.signature)).toBe(true)
    expect(answer.zda).toBe('AT100')
    expect(answer.serialHex).toBe(vectors.input.serialHex)
    const der = Buffer.from(vectors.input.certificateBase64, 'base64')
    const fingerprint = createHash('sha256').update(der).digest()
    expect(answer.certificate).toEqual({ der, fingerprint, chain: [] })
    expect([...service.calls].sort()).toEqual([
      'GET /api/v0/iatsscd/certificate',
      'GET /api/v0/iatsscd/zda',
      'POST /api/v0/iatsscd/sign',
    ])
  })

  it('is known by its identity, which signatures share', async () => {
    const remote = device()
    const identity = await remote.identity(LIMIT)
    const { signature, ...rest } = await remote.sign(DATA, LIMIT)
    expect(signature).toHaveLength(64)
    expect(rest).toEqual(identity)
    expect(service.calls).toHaveLength(3)
  })

  it('is asked for its identity again after five minutes, not before', async () => {
    const remote = device()
    await remote.identity(LIMIT)
    now = new Date(now.getTime() + 299_999)
    await remote.identity(LIMIT)
    expect(service.calls).toHaveLength(2)
    now = new Date(now.getTime() + 1)
    service.zda = 'AT1'
    expect((await remote.identity(LIMIT)).zda).toBe('AT1')
    expect(service.calls).toHaveLength(4)
    // a clock that was set back says nothing about age
    now = new Date(now.getTime() - 3_600_000)
    await remote.identity(LIMIT)
    expect(service.calls).toHaveLength(6)
  })

  it('never swaps the identity under bytes that name the old one', async () => {
    const remote = device()
    await remote.identity(LIMIT)
    now = new Date(now.getTime() + 3_600_000)
    service.zda = 'AT1'
    expect((await remote.sign(DATA, LIMIT)).zda).toBe('AT100')
  })

  it('refuses a signature of a new certificate once, and then knows that certificate', async () => {
    const remote = device()
    await remote.identity(LIMIT)
    const fresh = await selfSigned('0badcafe')
    service.key = fresh.privateKey
    service.certificateBase64 = fresh.der.toString('base64')
    expect(await fault(remote.sign(DATA, LIMIT))).toContain('does not verify')
    expect((await remote.identity(LIMIT)).serialHex).toBe('badcafe')
    expect((await remote.sign(DATA, LIMIT)).serialHex).toBe('badcafe')
  })

  it('may answer with member names in any case and base64 without padding', async () => {
    bend('sign', (response, body) => {
      const data = Buffer.from(JSON.parse(body).dataBase64, 'base64')
      const how = { key: service.key, dsaEncoding: 'ieee-p1363' } as const
      const bare = sign('sha256', data, how).toString('base64').replace(/=+$/, '')
      send(response, { SignedDataBase64: bare })
    })
    expect((await device().sign(DATA, LIMIT)).signature).toHaveLength(64)
  })

  it('carries the issuers that its configuration names', async () => {
    const chain = [vectors.input.certificateBase64]
    const scu = unit({ configuration: JSON.stringify({ certificateChain: chain }) })
    const { certificate } = await device(scu).identity(LIMIT)
    expect(certificate.chain).toEqual([Buffer.from(vectors.input.certificateBase64, 'base64')])
  })

  it('works with a base address that ends in slashes', async () => {
    await device(unit({ url: `${service.url}//` })).identity(LIMIT)
    expect(service.calls).toContain('GET /api/v0/iatsscd/zda')
  })

  it('leaves its last identity in the row for status exports, and marks the row once', async () => {
    const scu = unit()
    expect(await remoteDriver.describe(scu)).toEqual({
      certificateBase64: '',
      serial: '',
      members: { ZDA: '' },
    })
    await device(scu).identity(LIMIT)
    expect(scu.changed).toBe(true)
    expect(await remoteDriver.describe(scu)).toEqual({
      certificateBase64: vectors.input.certificateBase64,
      serial: vectors.input.serialHex,
      members: { ZDA: 'AT100' },
    })
    scu.changed = false
    await device(scu).identity(LIMIT)
    expect(scu.changed).toBe(false)
  })
})

describe('a remote signing device that fails', () => {
  it('is out of service when it does not answer in time', async () => {
    bend('sign', () => {})
    expect(await fault(device().sign(DATA, { timeoutMs: 40 }))).toContain(
      'no complete answer in time',
    )
    bend('certificate', (response) => response.writeHead(200).write('{'))
    expect(await fault(device().identity({ timeoutMs: 40 }))).toContain(
      'no complete answer in time',
    )
  })

  it('is out of service when nobody listens', async () => {
    const remote = device()
    await service.close()
    expect(await fault(remote.sign(DATA, LIMIT))).toContain('ECONNREFUSED')
    service = await signingService()
  })

  it.each([
    ['no JSON', 'hello', 'no JSON object'],
    ['empty', '', 'no JSON object'],
    ['a list', '[]', 'no JSON object'],
    ['a bare text', '"AAAA"', 'no JSON object'],
    ['other members', '{"signature":"AAAA"}', 'signedDataBase64 is missing'],
    ['null', '{"signedDataBase64":null}', 'signedDataBase64 is missing'],
    ['a number', '{"signedDataBase64":1}', 'signedDataBase64 is missing'],
    ['an empty text', '{"signedDataBase64":""}', 'signedDataBase64 is missing'],
    ['no base64', '{"signedDataBase64":"!!!!"}', 'is not base64'],
    ['base64url', `{"signedDataBase64":"${'_'.repeat(86)}=="}`, 'is not base64'],
    ['loose bits', '{"signedDataBase64":"AB"}', 'is not base64'],
    [
      '63 bytes',
      `{"signedDataBase64":"${Buffer.alloc(63).toString('base64')}"}`,
      '63 bytes, not 64',
    ],
    [
      '72 bytes',
      `{"signedDataBase64":"${Buffer.alloc(72).toString('base64')}"}`,
      '72 bytes, not 64',
    ],
    [
      '64 zeros',
      `{"signedDataBase64":"${Buffer.alloc(64).toString('base64')}"}`,
      'does not verify',
    ],
    ['broken UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'no JSON object'],
  ])('is out of service when its signature is %s', async (_, text, reason) => {
    bend('sign', (response) => response.end(text))
    expect(await fault(device().sign(DATA, LIMIT))).toContain(reason)
  })

  it('is out of service when the signature is of another key or other bytes', async () => {
    service.key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    expect(await fault(device().sign(DATA, LIMIT))).toContain('does not verify')
    const right = await signingService()
    bend('sign', (response) => {
      const how = { key: right.key, dsaEncoding: 'ieee-p1363' } as const
      const other = sign('sha256', Buffer.from('other bytes'), how)
      send(response, { signedDataBase64: other.toString('base64') })
    })
    expect(await fault(device().sign(DATA, LIMIT))).toContain('does not verify')
    await right.close()
  })

  it.each([400, 404, 500, 503, 204])('is out of service on status %i', async (status) => {
    bend('sign', (response) => response.writeHead(status).end())
    expect(await fault(device().sign(DATA, LIMIT))).toBe(`sign was answered with status ${status}`)
  })

  it.each([401, 403, 407])('says that it does not let this server in: %i', async (status) => {
    bend('sign', (response) => response.writeHead(status).end())
    const signing = device().sign(DATA, LIMIT)
    await expect(signing).rejects.toBeInstanceOf(CredentialsRefused)
  })

  it('is out of service with wrong credentials, and the reason shows none', async () => {
    const secrets = JSON.stringify({ cashBoxId: SERVICE_CASH_BOX, accessToken: 'canary' })
    const reason = await fault(device(unit({ secrets })).sign(DATA, LIMIT))
    expect(reason).toContain('status 401')
    expect(reason).not.toContain('canary')
  })

  it('is out of service when it redirects or answers without end', async () => {
    bend('zda', (response) => response.writeHead(307, { location: service.url }).end())
    expect(await fault(device().identity(LIMIT))).toContain('answered 307')
    bend('zda', (response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', more)
      more()
    })
    expect(await fault(device().identity(LIMIT))).toContain('more than 65536 bytes')
  })

  it.each(['PFX', 'AT0', 'at1', 'AT01', 'AT1_', 'AT100\n', 'A1'])(
    'is out of service with the provider %j, which no verification tool accepts',
    async (zda) => {
      service.zda = zda
      expect(await fault(device().identity(LIMIT))).toMatch(/^zda .* is none$/)
    },
  )

  it('is out of service when its certificate is none, or has no P-256 key', async () => {
    service.certificateBase64 = Buffer.from('no certificate').toString('base64')
    expect(await fault(device().identity(LIMIT))).toContain('no X.509 certificate')
    service.certificateBase64 = (await selfSigned('01', 'P-384')).der.toString('base64')
    expect(await fault(device().identity(LIMIT))).toContain('no P-256 key')
  })

  it('is out of service without address, credentials or readable settings', async () => {
    for (const url of [null, '', 'ftp://example.com', 'example.com']) {
      expect(await fault(device(unit({ url })).identity(LIMIT))).toContain(
        'no http or https address',
      )
    }
    for (const secrets of ['', '{}', 'null', '{"cashBoxId":"x","accessToken":"y"}']) {
      expect(await fault(device(unit({ secrets })).sign(DATA, LIMIT))).toContain('access token')
    }
    expect(await fault(device(unit({ configuration: '[' })).identity(LIMIT))).toContain('not valid')
  })

  it('may not be inside when nobody allowed that', async () => {
    const remote = remoteDriver.open(unit(), tools([]))
    expect(await fault(remote.identity(LIMIT))).toContain('not in OUTBOUND_ALLOW')
    expect(service.calls).toEqual([])
  })
})

describe('a new remote signing unit', () => {
  const given = { cashboxid: SERVICE_CASH_BOX, accesstoken: SERVICE_TOKEN }
  const create = (configuration: unknown) =>
    remoteDriver.create({ id: 'x', configuration, now, randomBytes: () => Buffer.alloc(0) })

  it('keeps its credentials among the secrets only, and makes no key', async () => {
    const chain = [vectors.input.certificateBase64]
    const made = await create({ ...given, CertificateChain: chain })
    expect(JSON.parse(made.secrets)).toEqual({
      cashBoxId: SERVICE_CASH_BOX,
      accessToken: SERVICE_TOKEN,
    })
    expect(JSON.parse(made.configuration)).toEqual({ certificateChain: chain })
    expect(made.state).toBe('{}')
    const { configuration, secrets, state } = made
    await device(unit({ configuration, secrets, state })).sign(DATA, LIMIT)
    expect(remoteDriver.remote).toBe(true)
  })

  it('takes the names of its settings in any case', () => {
    for (const names of [given, { cashBoxId: given.cashboxid, accessToken: given.accesstoken }]) {
      expect(remoteDriver.configuration.safeParse(names).success).toBe(true)
    }
  })

  it.each([
    [{}],
    [null],
    ['text'],
    [{ ...given, cashboxid: 'no guid' }],
    [{ ...given, accesstoken: '' }],
    [{ ...given, accesstoken: 'a\r\nb: c' }],
    [{ ...given, accesstoken: 'with blank' }],
    [{ ...given, certificatechain: 'text' }],
    [{ ...given, certificatechain: ['AAAA'] }],
    [{ ...given, certificatechain: ['no base64!'] }],
  ])('is refused with %j', async (configuration) => {
    expect(remoteDriver.configuration.safeParse(configuration).success).toBe(false)
    await expect(create(configuration)).rejects.toThrow()
  })
})

describe('what a remote signing device is', () => {
  const ask = { limit: LIMIT, probe: Buffer.alloc(32, 7), holders: [] }
  const server = (production: boolean) => ({ ...tools([`127.0.0.1:${service.port}`]), production })

  it('is told by its certificate and its issuers, and decides who may use it', async () => {
    const scu = unit()
    expect(remoteDriver.environment?.(scu)).toBeUndefined()
    service.zda = 'AT3'
    const lines = (await remoteDriver.proof?.(scu, server(true), ask)) ?? []
    const levels = Object.fromEntries(lines.map(({ name, level }) => [name, level]))
    expect(levels).toMatchObject({ possession: 'ok', chain: 'bad', environment: 'bad' })
    expect(remoteDriver.environment?.(scu)).toBe('unknown')
    const calls = service.calls.length
    await expect(remoteDriver.open(scu, server(true)).identity(LIMIT)).rejects.toMatchObject({
      kind: 'broken-unit',
    })
    expect(service.calls.length).toBeGreaterThan(calls)
    await remoteDriver.open(scu, server(false)).identity(LIMIT)
  })

  it('is one for tests where its provider is one', async () => {
    const scu = unit()
    await remoteDriver.open(scu, server(false)).identity(LIMIT)
    expect(remoteDriver.environment?.(scu)).toBe('test')
    await expect(remoteDriver.open(scu, server(true)).identity(LIMIT)).rejects.toThrow('is test')
  })

  it('is live behind an issuer that was configured and confirmed', async () => {
    service.zda = 'AT3'
    const issued = await issuedCertificate()
    service.certificateBase64 = issued.leaf
    service.key = issued.key
    const certificateChain = [issued.issuer]
    const confirmed = [
      createHash('sha256').update(Buffer.from(issued.issuer, 'base64')).digest('hex'),
    ]
    const scu = unit({ configuration: JSON.stringify({ certificateChain, confirmed }) })
    await remoteDriver.open(scu, server(true)).identity(LIMIT)
    expect(remoteDriver.environment?.(scu)).toBe('live')
    expect(remoteDriver.issuers?.(scu)).toEqual(confirmed)
    await expect(remoteDriver.open(scu, server(false)).identity(LIMIT)).rejects.toThrow('sandbox')
  })

  async function issuedCertificate() {
    const provider = await createProvider(LIVE_NAMES, now)
    const { der, chain, key } = await provider.issue(LIVE_NAMES.subject)
    return { leaf: der.toString('base64'), issuer: chain[0]?.toString('base64') ?? '', key }
  }
})
