// The driver of a TSE behind another server, against a service that speaks the interface.
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DeviceError, type ScuHead } from '../../../../src/device/device.js'
import { createOutbound } from '../../../../src/device/outbound.js'
import { TSE_STATES, type Tse } from '../../../../src/device/tse/tse.js'
import { REMOTE_PACKAGE, remoteDriver } from '../../../../src/market/de/devices/remote.js'
import {
  type BentCall,
  SERVICE_CASH_BOX,
  SERVICE_TOKEN,
  send,
  TseService,
} from '../../../support/de/tse-service.js'
import { CLIENT, LIMIT, TseStand } from '../support/tse-stand.js'

let service: TseService
let slept: number[]

beforeEach(async () => {
  service = await TseService.start()
  slept = []
})
afterEach(() => service.close())

function unit(changes: Partial<ScuHead> = {}): ScuHead {
  return {
    accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
    id: '7a0f5a52-3f54-4f13-a1ab-6cf5b3e0a001',
    market: 'DE',
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

function device(scu: ScuHead = unit(), allow = [`127.0.0.1:${service.port}`]): Tse {
  return remoteDriver.open(scu, {
    fetch: createOutbound({ allow }),
    now: () => new Date(),
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
    },
  })
}

/** Initialized, with its client; the log so far is taken. */
async function working(scu: ScuHead = unit()): Promise<Tse> {
  const tse = device(scu)
  await tse.setState(TSE_STATES.initialized, LIMIT)
  await tse.info(LIMIT)
  await tse.registerClient(CLIENT, LIMIT)
  return tse
}

let items = 0
function call(members: object = {}) {
  items += 1
  const empty = { processType: '', processData: Buffer.alloc(0), isRetry: false }
  return { clientId: CLIENT, queueItemId: `item-${items}`, ...empty, ...members }
}

const sale = { processType: 'Kassenbeleg-V1', processData: Buffer.from('Beleg^1.19^1.19:Bar') }

async function fault(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'the call succeeded',
    (one: unknown) => one,
  )
  if (error instanceof DeviceError) return error.message
  throw error
}

/** Bends one operation: the test writes its answer. */
function bend(operation: string, write: (response: ServerResponse, bent: BentCall) => unknown) {
  service.bend = async (bent) => {
    if (bent.operation !== operation) return false
    await write(bent.response, bent)
    return true
  }
}

/** The real answer with other members. */
function change(operation: string, members: object, inner: object = {}) {
  bend(operation, async (response, { work }) => {
    const answer = await work()
    const data = { ...(answer.SignatureData as object), ...inner }
    send(response, { ...answer, SignatureData: data, ...members })
  })
}

describe('a remote TSE that works', () => {
  it('is unknown until it is reached, and then known without it', async () => {
    const scu = unit()
    const tse = device(scu)
    expect(() => tse.identity()).toThrow(DeviceError)
    expect(await remoteDriver.describe(scu)).toMatchObject({ serial: '', certificateBase64: '' })
    const { identity } = await tse.info(LIMIT)
    const real = service.stand.tse.identity()
    expect(identity).toEqual(real)
    expect(scu.changed).toBe(true)
    const later = device(unit({ state: scu.state, url: 'http://127.0.0.1:1' }))
    expect(later.identity()).toEqual(real)
    expect((await remoteDriver.describe(scu)).serial).toBe(real.serialHex)
  })

  it('tells everything about itself that the device tells', async () => {
    const tse = await working()
    await tse.startTransaction(call(), LIMIT)
    expect(await tse.info(LIMIT)).toEqual(await service.stand.info())
  })

  it('signs exactly the messages that are in the log of the device', async () => {
    const tse = await working()
    const start = await tse.startTransaction(call(), LIMIT)
    const { transactionNumber } = start
    await tse.updateTransaction({ ...call(), transactionNumber }, LIMIT)
    const finish = await tse.finishTransaction({ ...call(sale), transactionNumber }, LIMIT)
    expect(finish.startMoment).toEqual(start.moment)
    expect(finish.signatureCounter).toBe(start.signatureCounter + 2)
    const seen = tse.takeLogs()
    expect(seen).toHaveLength(3)
    expect(seen).toEqual(service.stand.log.slice(-3))
    expect(tse.takeLogs()).toEqual([])
  })

  it('is met before the first transaction, so that its signature can be verified', async () => {
    await working()
    service.calls.length = 0
    const tse = device()
    await tse.startTransaction(call(), LIMIT)
    expect(service.calls).toEqual(['tseinfo', 'starttransaction'])
  })

  it('gets its credentials, or none where none are configured', async () => {
    await device().info(LIMIT)
    expect(service.headers.at(-1)).toMatchObject({
      cashboxid: SERVICE_CASH_BOX,
      accesstoken: SERVICE_TOKEN,
    })
    await device(unit({ secrets: '{}' })).info(LIMIT)
    expect(service.headers.at(-1)).not.toHaveProperty('accesstoken')
  })

  it('registers, sets the time, tests itself and leaves', async () => {
    const tse = await working()
    expect(await tse.registerClient('KASSE-0002', LIMIT)).toEqual([CLIENT, 'KASSE-0002'])
    expect(await tse.unregisterClient('KASSE-0002', LIMIT)).toEqual([CLIENT])
    await tse.setTime(LIMIT)
    await tse.selfTest(LIMIT)
    expect(await tse.setState(TSE_STATES.terminated, LIMIT)).toBe(TSE_STATES.terminated)
    expect(service.calls.slice(-3)).toEqual(['executesettsetime', 'executeselftest', 'tsestate'])
  })

  it('may name its members in any case and its state in words', async () => {
    bend('tseinfo', async (response, { work }) => {
      const answer = { ...(await work()), CurrentState: 'Initialized', CurrentClientIds: null }
      const small = Object.entries(answer).map(([name, one]) => [
        (name[0] ?? '').toLowerCase() + name.slice(1),
        one,
      ])
      send(response, Object.fromEntries(small))
    })
    const { state, clientIds } = await device().info(LIMIT)
    expect([state, clientIds]).toEqual([TSE_STATES.initialized, []])
  })
})

describe('a repeated call', () => {
  it('of a lost answer gives what the device signed the first time', async () => {
    const tse = await working()
    const first = call()
    bend('starttransaction', async (response, { work }) => {
      await work()
      response.destroy()
    })
    expect(await fault(tse.startTransaction(first, LIMIT))).toContain('cannot be reached')
    service.bend = () => false
    const again = await tse.startTransaction({ ...first, isRetry: true }, LIMIT)
    expect(service.bodies.at(-1)).toMatchObject({ IsRetry: true, QueueItemId: first.queueItemId })
    expect((await service.stand.info()).openTransactions).toEqual([again.transactionNumber])
    expect(tse.takeLogs()).toEqual(service.stand.log.slice(-1))
  })

  it('is never made by itself: a start that is cut off is sent once', async () => {
    const tse = await working()
    bend('starttransaction', (response) => response.destroy())
    await fault(tse.startTransaction(call(), LIMIT))
    expect(service.count('starttransaction')).toBe(1)
  })
})

describe('an answer that is not believed', () => {
  const never = 'does not verify'
  it.each<[string, object, object, string]>([
    ['another moment', { TimeStamp: '2026-01-01T09:00:01Z' }, {}, never],
    ['another number', { TransactionNumber: 77 }, {}, never],
    ['another counter', {}, { SignatureCounter: 4711 }, never],
    ['no base64', {}, { SignatureBase64: '?' }, 'cannot be read'],
    ['an empty signature', {}, { SignatureBase64: '' }, 'cannot be read'],
    ['a short signature', {}, { SignatureBase64: 'AAAA' }, never],
    ['a number too large', { TransactionNumber: 2 ** 53 }, {}, 'cannot be read'],
    ['a negative number', { TransactionNumber: -1 }, {}, 'cannot be read'],
    ['no moment', { TimeStamp: 'now' }, {}, 'cannot be read'],
    ['another device', { TseSerialNumberOctet: '00'.repeat(32) }, {}, 'another device'],
  ])('start with %s', async (_name, members, inner, expected) => {
    const tse = await working()
    change('starttransaction', members, inner)
    expect(await fault(tse.startTransaction(call(), LIMIT))).toContain(expected)
    expect(tse.takeLogs()).toEqual([])
  })

  it('is a finish of other data, another transaction or an impossible start', async () => {
    const tse = await working()
    const finish = async () => {
      const { transactionNumber } = await tse.startTransaction(call(), LIMIT)
      return fault(tse.finishTransaction({ ...call(sale), transactionNumber }, LIMIT))
    }
    bend('finishtransaction', async (response, { body, work }) => {
      body.ProcessDataBase64 = Buffer.from('Beleg^9.99').toString('base64')
      send(response, await work())
    })
    expect(await finish()).toContain(never)
    change('finishtransaction', { TransactionNumber: 1 })
    expect(await finish()).toContain('another transaction')
    change('finishtransaction', { StartTransactionTimeStamp: '2031-01-01T00:00:00Z' })
    expect(await finish()).toContain('began after its end')
  })

  it('is one that another key signed', async () => {
    const tse = await working()
    const other = await TseStand.working({ maxClients: 7 })
    const stranger = await other.start()
    const base64 = stranger.signature.toString('base64')
    change('starttransaction', {}, { SignatureBase64: base64 })
    expect(await fault(tse.startTransaction(call(), LIMIT))).toContain(never)
  })
})

describe('a start as devices of the field log it', () => {
  it('is proven with a blank as processType', async () => {
    const tse = await working()
    bend('starttransaction', async (response, { body, work }) => {
      body.ProcessType = ' '
      send(response, await work())
    })
    await tse.startTransaction(call(), LIMIT)
    expect(tse.takeLogs()).toEqual(service.stand.log.slice(-1))
  })
})

describe('a device that says who it is', () => {
  it.each<[string, object, string]>([
    ['without the certificate of its key', { SerialNumberOctet: 'ab'.repeat(32) }, 'serial number'],
    ['with a broken certificate', { CertificatesBase64: ['AAAA'] }, 'cannot be read'],
    ['without certificate', { CertificatesBase64: [] }, 'cannot be read'],
    ['in an unknown state', { CurrentState: 9 }, 'cannot be read: currentstate'],
  ])('%s is refused', async (_name, members, expected) => {
    bend('tseinfo', async (response, { work }) => send(response, { ...(await work()), ...members }))
    const scu = unit()
    expect(await fault(device(scu).info(LIMIT))).toContain(expected)
    expect(scu.state).toBe('{}')
  })

  it('is not another one later', async () => {
    const scu = unit()
    await working(scu)
    const state = scu.state
    const other = await TseService.start({ maxClients: 7 })
    scu.url = other.url
    const tse = device(scu, [`127.0.0.1:${other.port}`])
    expect(await fault(tse.info(LIMIT))).toContain('another device')
    expect(scu.state).toBe(state)
    await other.close()
  })

  it('may order its certificates as it likes', async () => {
    bend('tseinfo', async (response, { work }) => {
      const answer = await work()
      const certificates = [...(answer.CertificatesBase64 as string[])].reverse()
      send(response, { ...answer, CertificatesBase64: certificates })
    })
    expect((await device().info(LIMIT)).identity).toEqual(service.stand.tse.identity())
  })

  it('may have limits without limit', async () => {
    bend('tseinfo', async (response, { work }) => {
      const text = JSON.stringify(await work())
      response.end(text.replace(/("MaxNumberOfSignatures":)\d+/, '$19223372036854775807'))
    })
    expect((await device().info(LIMIT)).maxSignatures).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('a service that fails', () => {
  it.each<[string, (response: ServerResponse) => void, string]>([
    ['500', (response) => response.writeHead(500).end('{}'), 'status 500'],
    ['401', (response) => response.writeHead(401).end(), 'status 401'],
    ['no JSON', (response) => response.end('<html>'), 'cannot be read'],
    ['a list', (response) => response.end('[]'), 'cannot be read'],
    ['nothing', (response) => response.end(), 'cannot be read'],
    ['a redirect', (response) => response.writeHead(307, { location: '/' }).end(), '307'],
    ['a cut connection', (response) => response.destroy(), 'cannot be reached'],
  ])('with %s is a failed device', async (_name, write, expected) => {
    const tse = await working()
    bend('starttransaction', write)
    expect(await fault(tse.startTransaction(call(), LIMIT))).toContain(expected)
  })

  it('by not answering is waited for no longer than the limit', async () => {
    const tse = await working()
    bend('starttransaction', () => undefined)
    const began = performance.now()
    expect(await fault(tse.startTransaction(call(), { timeoutMs: 60 }))).toContain('in time')
    expect(performance.now() - began).toBeLessThan(2000)
  })

  it('with an endless answer is read no further than the bound', async () => {
    bend('tseinfo', (response) => response.end('x'.repeat(3 * 1024 * 1024)))
    expect(await fault(device().info(LIMIT))).toContain('more than')
  })

  it('is not called at a closed address', async () => {
    expect(await fault(device(unit(), []).info(LIMIT))).toContain('not a public address')
    expect(await fault(device(unit({ url: null })).info(LIMIT))).toContain('no http')
    expect(service.calls).toEqual([])
  })
})

describe('the settings of a remote TSE', () => {
  it('are credentials or none, and the secret ones are sealed', async () => {
    const input = { CashBoxId: SERVICE_CASH_BOX, AccessToken: SERVICE_TOKEN }
    const randomBytes = (n: number) => Buffer.alloc(n)
    const made = await remoteDriver.create({
      id: '',
      configuration: input,
      now: new Date(),
      randomBytes,
    })
    expect(made).toEqual({
      configuration: '{}',
      secrets: JSON.stringify({ cashBoxId: SERVICE_CASH_BOX, accessToken: SERVICE_TOKEN }),
      state: '{}',
    })
    expect(remoteDriver.configuration.safeParse({}).success).toBe(true)
    expect(remoteDriver.configuration.safeParse({ accesstoken: 'x' }).success).toBe(false)
    expect(remoteDriver.configuration.safeParse({ ...input, cashboxid: '1' }).success).toBe(false)
  })
})
