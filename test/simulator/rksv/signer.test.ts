// The emulated signing device: its key, its certificate, its signatures and its failures.
import { execFileSync } from 'node:child_process'
import { randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { DeviceError, type ScuHead } from '../../../src/device/device.js'
import type { NewScu } from '../../../src/device/driver.js'
import { SOFTWARE_PACKAGE } from '../../../src/device/rksv.js'
import { markets } from '../../../src/market/index.js'
import { type FaultStep, newFaultScript } from '../../../src/simulator/faults.js'
import { emulator } from '../../../src/simulator/rksv/signer.js'
import { at, sale, zeroReceipt } from '../../market/at/support/make.js'
import { scuHead } from '../../market/at/support/stub-device.js'
import { captionsOf, TestQueue } from '../../market/at/support/test-queue.js'

const SCU = '0192f0c1-0000-7000-8000-000000000001'
const now = new Date('2026-03-02T10:00:00Z')
const LIMIT = { timeoutMs: 2500 }
const data = Buffer.from([1, 2, 3, 4, 5])

let made: NewScu
let waited: number[] = []

beforeAll(async () => {
  made = await emulator.create({ id: SCU, configuration: {}, now, randomBytes })
})

function unit(steps: FaultStep[] = []): ScuHead {
  const faultScript = steps.length === 0 ? null : newFaultScript(steps)
  return { ...scuHead(SCU), package: SOFTWARE_PACKAGE, ...made, faultScript }
}

function open(scu: ScuHead) {
  waited = []
  const sleep = async (milliseconds: number) => {
    waited.push(milliseconds)
  }
  const fetch = () => Promise.reject(new Error('an emulator calls nobody'))
  return emulator.open(scu, { fetch, now: () => now, sleep })
}

function certificate(): X509Certificate {
  const { certificateBase64 } = JSON.parse(made.state) as { certificateBase64: string }
  return new X509Certificate(Buffer.from(certificateBase64, 'base64'))
}

async function verifiesWithWebCrypto(signature: Buffer, signed: Buffer): Promise<boolean> {
  const spki = certificate().publicKey.export({ format: 'der', type: 'spki' })
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const key = await webcrypto.subtle.importKey('spki', spki, algorithm, false, ['verify'])
  return webcrypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, signed)
}

describe('its certificate', () => {
  it('is self-signed, for signatures only, from yesterday for twenty years', () => {
    const own = certificate()
    expect(own.subject).toBe(`CN=AT RKSV EMULATOR ${SCU}`)
    expect(own.issuer).toBe(own.subject)
    expect(own.verify(own.publicKey)).toBe(true)
    expect(own.ca).toBe(false)
    expect(new Date(own.validFrom)).toEqual(new Date('2026-03-01T10:00:00Z'))
    expect(new Date(own.validTo)).toEqual(new Date('2046-03-02T10:00:00Z'))
    expect(own.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
  })

  it('is read by OpenSSL with its critical extensions', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rksv-'))
    try {
      const file = join(folder, 'certificate.der')
      writeFileSync(file, certificate().raw)
      const text = execFileSync(
        'openssl',
        ['x509', '-inform', 'der', '-in', file, '-noout', '-text'],
        { encoding: 'utf8' },
      )
      expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE/)
      expect(text).toMatch(/Key Usage: critical\s+Digital Signature\n/)
      expect(text).toContain('ecdsa-with-SHA256')
      // and no other: the one of register owners is not made
      const extensions = /X509v3 extensions:\s*\n([\s\S]*?)\n {4}Signature Algorithm/.exec(
        text,
      )?.[1]
      expect(extensions?.match(/^ {12}\S.*:/gm)).toHaveLength(2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each([0x00, 0x0f, 0x6f, 0x70, 0x7f, 0x80, 0xff])(
    'has a serial of 8 bytes that begins with 1 to 7, whatever chance gives (%i)',
    async (first) => {
      const fixed = (count: number) => Buffer.alloc(count, first)
      const input = { id: SCU, configuration: {}, now, randomBytes: fixed }
      const scu = { ...scuHead(SCU), ...(await emulator.create(input)) }
      const { serialHex } = await open(scu).identity(LIMIT)
      expect(serialHex).toMatch(/^[1-7][0-9a-f]{15}$/)
      expect((await emulator.describe(scu)).serial).toBe(`0x${serialHex}`)
    },
  )
})

describe('its settings', () => {
  it('name AT100 unless told, and only providers that verifiers accept', async () => {
    expect((await open(unit()).identity(LIMIT)).zda).toBe('AT100')
    const create = (zda: string) =>
      emulator.create({ id: SCU, configuration: { zda }, now, randomBytes })
    for (const zda of ['AT1', 'AT2', 'AT3', 'AT9', 'AT100']) {
      const scu = { ...scuHead(SCU), ...(await create(zda)) }
      expect((await open(scu).identity(LIMIT)).zda).toBe(zda)
    }
    for (const zda of ['PFX', 'AT0', 'AT1000']) {
      await expect(create(zda)).rejects.toThrow()
    }
  })

  it('hold no secret', () => {
    const { privateKeyPkcs8Base64 } = JSON.parse(made.secrets) as Record<string, string>
    expect(privateKeyPkcs8Base64).toMatch(/^[A-Za-z0-9+/=]{100,}$/)
    expect(`${made.configuration}${made.state}`).not.toContain(privateKeyPkcs8Base64)
  })
})

describe('its signatures', () => {
  it('are 64 bytes that verify with the certificate', async () => {
    const { signature } = await open(unit()).sign(data, LIMIT)
    expect(signature.length).toBe(64)
    expect(await verifiesWithWebCrypto(signature, data)).toBe(true)
    expect(await verifiesWithWebCrypto(signature, Buffer.from('other'))).toBe(false)
  })

  it('are to be verified only while a script is set', () => {
    expect(open(unit()).mustVerify()).toBe(false)
    expect(open(unit([{ do: 'error' }])).mustVerify()).toBe(true)
  })
})

describe('its failures', () => {
  it.each(['unreachable', 'error', 'error-after', 'certificate-expired'] as const)(
    '%s gives no signature for as many calls as told',
    async (kind) => {
      const device = open(unit([{ do: kind, calls: 2 }]))
      await expect(device.sign(data, LIMIT)).rejects.toThrow(DeviceError)
      await expect(device.sign(data, LIMIT)).rejects.toThrow(DeviceError)
      const { signature } = await device.sign(data, LIMIT)
      expect(await verifiesWithWebCrypto(signature, data)).toBe(true)
    },
  )

  it('garbage has not the length of a signature', async () => {
    const { signature } = await open(unit([{ do: 'garbage' }])).sign(data, LIMIT)
    expect(signature.length).not.toBe(64)
  })

  it('a wrong signature has the length and does not verify', async () => {
    const { signature } = await open(unit([{ do: 'wrong-signature' }])).sign(data, LIMIT)
    expect(signature.length).toBe(64)
    expect(await verifiesWithWebCrypto(signature, data)).toBe(false)
  })

  it('a delay answers after its time, and not at all when the limit is shorter', async () => {
    const device = open(unit([{ do: 'delay', ms: 400 }]))
    const { signature } = await device.sign(data, LIMIT)
    expect(await verifiesWithWebCrypto(signature, data)).toBe(true)
    expect(waited).toEqual([400])
    await expect(device.sign(data, { timeoutMs: 100 })).rejects.toThrow('no answer within 100 ms')
    expect(waited).toEqual([400, 100])
  })
})

describe('a queue with an emulated device', () => {
  async function queueWith(steps: FaultStep[]) {
    const scu = unit()
    const queue = await TestQueue.started({ devices: [{ scu, device: open(scu) }] })
    scu.faultScript = steps.length === 0 ? null : newFaultScript(steps)
    return { queue, scu }
  }

  it.each(['unreachable', 'error-after', 'garbage', 'wrong-signature'] as const)(
    'makes failed receipts while the script says %s, and recovers after it',
    async (kind) => {
      const { queue, scu } = await queueWith([{ do: kind, calls: 4 }])
      const failed = await queue.accept(sale('1.00'))
      expect(captionsOf(failed)).toEqual(['Sicherheitseinrichtung ausgefallen'])
      expect([scu.faultScript, scu.changed, scu.actions.length]).toEqual([null, true, 1])
      const recovered = await queue.accept(zeroReceipt)
      expect([captionsOf(recovered), recovered.stateWord]).toEqual([['', 'Sammelbeleg'], at(0)])
    },
  )

  it('signs in the same receipt when a retry succeeds', async () => {
    const { queue } = await queueWith([{ do: 'error', calls: 3 }])
    const answer = await queue.accept(sale('1.00'))
    expect([captionsOf(answer), answer.stateWord]).toEqual([[''], at(0)])
  })

  it('notices a wrong signature even in the last call of the script', async () => {
    const { queue } = await queueWith([{ do: 'wrong-signature', calls: 1 }])
    await queue.accept(sale('1.00'))
    expect(queue.actions.at(-1)?.message).toContain('does not verify')
    expect(queue.state.sscdFailCount).toBe(0)
  })
})

describe('the driver', () => {
  it('is the emulator of the market, in the process, without faults of a TSE', () => {
    expect(markets.AT.drivers[SOFTWARE_PACKAGE]).toBe(emulator)
    expect(SOFTWARE_PACKAGE).toBe('fiskalwerk.SCU.AT.Software')
    expect(emulator.remote).toBe(false)
    expect(emulator.faults).not.toContain('memory-full')
  })
})
