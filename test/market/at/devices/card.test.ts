// The helper of RKSV cards and the driver before it, against a strict card. With CARD_SOCKET (of a
// pcscd) and CARD_VPCD (host:port of its virtual reader) a real service stands between them.
import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDoor } from '../../../../card/src/server.js'
import { Signer, type SignerOptions } from '../../../../card/src/signer.js'
import type { DeviceError, ScuHead } from '../../../../src/device/device.js'
import { createOutbound } from '../../../../src/device/outbound.js'
import { CARD_PACKAGE, cardDriver } from '../../../../src/market/at/devices/card.js'
import { type CardName, plugIn, RksvCard } from '../../../../src/simulator/devices/rksv/card.js'
import { type Pcscd, startPcscd } from '../../../support/devices/pcscd.js'

const TOKEN = 'token-of-the-helper-0001'
const LIMIT = { timeoutMs: 5_000 }
const HASH = createHash('sha256').update('a receipt').digest()
const NAMES: readonly CardName[] = ['ACOS', 'CardOS', 'ACOS-ID']

let folder: string
const ends: (() => unknown)[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'card-'))
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  rmSync(folder, { recursive: true })
})

interface Bench {
  card: RksvCard
  service: Pcscd
  signer: Signer
}

function signerOn(socket: string, options: Partial<SignerOptions> = {}): Signer {
  const signer = new Signer({ pin: '123456', state: join(folder, 'state'), socket, ...options })
  ends.push(() => signer.close())
  return signer
}

async function bench(name: CardName = 'ACOS-ID', options: Partial<SignerOptions> = {}) {
  const card = await RksvCard.make({ name })
  const service = await startPcscd(card)
  ends.push(() => service.close())
  return { card, service, signer: signerOn(service.socket, options) } satisfies Bench
}

function isOwn(card: RksvCard, signature: Buffer, data: string): boolean {
  const key = new X509Certificate(card.leaf.der).publicKey
  return verify('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }, signature)
}

const reason = (work: Promise<unknown>) =>
  work.then(
    () => 'it worked',
    (error: { reason?: string }) => error.reason,
  )

describe.each(NAMES)('a card %s', (name) => {
  it('tells its certificate and signs, each time with its PIN', async () => {
    const { card, service, signer } = await bench(name)
    const { zda, certificate } = await signer.identity()
    expect([zda, Buffer.from(certificate, 'base64')]).toEqual(['AT1', card.leaf.der])
    for (let nth = 0; nth < 3; nth += 1) {
      expect(isOwn(card, await signer.sign(HASH), 'a receipt')).toBe(true)
    }
    expect([card.offences, service.offences, card.signatures]).toEqual([[], [], 3])
  })
})

describe('a card', () => {
  it('hears a wrong PIN once, of helpers that come and go, until it is another', async () => {
    const { card, service, signer } = await bench('ACOS', { pin: '654321' })
    expect(await reason(signer.sign(HASH))).toBe('pin')
    expect(await reason(signer.sign(HASH))).toBe('pin')
    expect(await reason(signerOn(service.socket, { pin: '654321' }).sign(HASH))).toBe('pin')
    expect(card.wrongPins).toBe(1)
    expect(isOwn(card, await signerOn(service.socket).sign(HASH), 'a receipt')).toBe(true)
  })

  it('that is taken out or reset by others is used again when it is there', async () => {
    const { card, service, signer } = await bench()
    await signer.sign(HASH)
    service.isIn = false
    expect(await reason(signer.sign(HASH))).toBe('away')
    expect(await reason(signer.identity())).toBe('away')
    service.isIn = true
    await signer.sign(HASH)
    card.reset()
    await signer.sign(HASH)
    service.breaks = true
    expect(await reason(signer.sign(HASH))).toBe('away')
    expect(isOwn(card, await signer.sign(HASH), 'a receipt')).toBe(true)
    service.isTaken = true
    service.breaks = true
    await reason(signer.sign(HASH))
    expect(await reason(signer.sign(HASH))).toBe('away')
    expect([card.wrongPins, card.offences]).toEqual([0, []])
  })

  it('is found by its serial number', async () => {
    const { card, service } = await bench()
    const serial = `0x${card.leaf.serialHex}`
    await signerOn(service.socket, { serial }).sign(HASH)
    expect(await reason(signerOn(service.socket, { serial: '0x77' }).sign(HASH))).toBe('away')
  })
})

describe('the driver of cards', () => {
  async function unitOn(signer: Signer, token = TOKEN) {
    const door: Server = createDoor(signer, TOKEN)
    await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
    const { port } = door.address() as AddressInfo
    ends.push(() => door.close())
    const configuration = cardDriver.configuration.parse({ token })
    const made = await cardDriver.create({
      id: 'unit',
      configuration,
      now: new Date(),
      randomBytes,
    })
    const scu: ScuHead = {
      accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
      ...{ id: 'unit', market: 'AT', package: CARD_PACKAGE, mode: 0, ...made, version: 0n },
      ...{ url: `http://127.0.0.1:${port}`, faultScript: null, changed: false, actions: [] },
    }
    const tools = {
      fetch: createOutbound({ allow: [`127.0.0.1:${port}`] }),
      now: () => new Date(),
      sleep: () => Promise.resolve(),
    }
    return { scu, tools, unit: cardDriver.open(scu, tools) }
  }

  it('signs through the helper, and knows a card for tests', async () => {
    const { card, signer } = await bench()
    const { scu, tools, unit } = await unitOn(signer)
    const { signature, zda } = await unit.sign(Buffer.from('a receipt'), LIMIT)
    expect([zda, isOwn(card, signature, 'a receipt')]).toEqual(['AT1', true])
    await unit.identity(LIMIT)
    expect(cardDriver.environment?.(scu)).toBe('test')
    const ask = { limit: LIMIT, probe: randomBytes(32), holders: ['ATU12345678'] }
    const lines = (await cardDriver.proof?.(scu, tools, ask)) ?? []
    expect(lines.find(({ name }) => name === 'possession')?.level).toBe('ok')
  })

  it('tells a wrong token, a refused PIN and a card that is away apart', async () => {
    const { service, signer } = await bench('ACOS', { pin: '654321' })
    const kind = async (on: Awaited<ReturnType<typeof unitOn>>) => {
      const [ended] = await Promise.allSettled([on.unit.sign(Buffer.from('x'), LIMIT)])
      return ended.status === 'rejected' ? (ended.reason as DeviceError).kind : 'it worked'
    }
    expect(await kind(await unitOn(signer, 'token-of-somebody-else'))).toBe('credentials')
    expect(await kind(await unitOn(signer))).toBe('broken-unit')
    service.isIn = false
    signer.close()
    expect(await kind(await unitOn(signerOn(service.socket)))).toBe('unavailable')
  })
})

const { CARD_SOCKET, CARD_VPCD } = process.env

if (CARD_SOCKET !== undefined && CARD_VPCD !== undefined) {
  describe.each(NAMES)('a card %s behind a real service of PC/SC', (name) => {
    it('signs', async () => {
      const [host = '', port = ''] = CARD_VPCD.split(':')
      const card = await RksvCard.make({ name })
      ends.push(await plugIn(card, { host, port: Number(port) }))
      // the service looks for cards once in a while
      await sleep(2_000)
      const signer = signerOn(CARD_SOCKET)
      for (let nth = 0; nth < 20; nth += 1) {
        expect(isOwn(card, await signer.sign(HASH), 'a receipt')).toBe(true)
      }
      expect([card.offences, card.signatures, card.wrongPins]).toEqual([[], 20, 0])
    })
  })
}
