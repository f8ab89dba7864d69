import { verify, X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DeviceError, type DriverTools, type ScuHead } from '../../../../src/device/device.js'
import type { Logins } from '../../../../src/device/logins.js'
import { createOutbound } from '../../../../src/device/outbound.js'
import { PRIMESIGN_PACKAGE, primesignDriver } from '../../../../src/market/at/devices/primesign.js'
import {
  PRIMESIGN_TOKEN,
  type PrimeSign,
  simulatePrimeSign,
} from '../../../../src/simulator/devices/rksv/primesign.js'

const DATA = Buffer.from('header.payload')
const LIMIT = { timeoutMs: 3000 }
let service: PrimeSign

beforeEach(async () => {
  service = await simulatePrimeSign()
})
afterEach(async () => {
  expect(service.line.offences).toEqual([])
  await service.close()
})

function tools(): DriverTools {
  const refused = new Set<string>()
  const logins: Logins = {
    claim: async ({ credentials }) => (refused.has(credentials) ? 'refused' : 'mine'),
    settle: async ({ credentials }, outcome) => {
      if (outcome === 'refused') refused.add(credentials)
    },
  }
  const fetch = createOutbound({ allow: [`127.0.0.1:${service.port}`] })
  return { fetch, now: () => new Date(), sleep: async () => undefined, logins, kept: new Map() }
}

async function unit(sharedSecret = PRIMESIGN_TOKEN): Promise<ScuHead> {
  const certificateChain = service.leaf().chain.map((der) => der.toString('base64'))
  const made = await primesignDriver.create({
    id: 'unit',
    configuration: primesignDriver.configuration.parse({ sharedSecret, certificateChain }),
    now: new Date(),
    randomBytes: Buffer.alloc,
  })
  return {
    ...made,
    accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
    id: '7a0f5a52-3f54-4f13-a1ab-6cf5b3e0a001',
    market: 'AT',
    package: PRIMESIGN_PACKAGE,
    mode: 0,
    url: service.url,
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

describe('the PrimeSign HSM', () => {
  it('signs the raw hash, with the issuers that were configured', async () => {
    const device = primesignDriver.open(await unit(), tools())
    const answer = await device.sign(DATA, LIMIT)
    const key = new X509Certificate(service.leaf().der).publicKey
    expect(verify('sha256', DATA, { key, dsaEncoding: 'ieee-p1363' }, answer.signature)).toBe(true)
    expect(answer).toMatchObject({ zda: 'AT3', serialHex: service.leaf().serialHex })
    expect(answer.certificate.chain).toEqual(service.leaf().chain)
  })

  it('gets a wrong token once', async () => {
    const shared = tools()
    const scu = await unit('another')
    for (let round = 0; round < 4; round += 1) {
      const device = primesignDriver.open({ ...scu }, { ...shared, kept: new Map() })
      expect((await fault(device.sign(DATA, LIMIT))).kind).toBe('credentials')
    }
    expect(service.wrongTokens()).toBe(1)
  })

  it('refuses a disabled user and a service of another provider', async () => {
    service.setEnabled(false)
    const device = primesignDriver.open(await unit(), tools())
    expect((await fault(device.sign(DATA, LIMIT))).kind).toBe('broken-unit')
    service.setEnabled(true)
    service.setTspId('AT1')
    expect((await fault(device.sign(DATA, LIMIT))).kind).toBe('broken-unit')
    service.setTspId('PrimeSign')
    expect((await device.sign(DATA, LIMIT)).signature).toHaveLength(64)
  })

  it('believes no signature of another key, and signs on with a new certificate', async () => {
    const device = primesignDriver.open(await unit(), tools())
    await device.identity(LIMIT)
    service.line.script({ call: 'r1raw', fault: 'foreign' })
    expect((await fault(device.sign(DATA, LIMIT))).message).toContain('does not verify')
    await service.renew()
    expect((await device.sign(DATA, LIMIT)).serialHex).toBe(service.leaf().serialHex)
  })
})
