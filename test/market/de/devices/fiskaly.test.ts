// The driver of the cloud service SIGN DE v2 against the strict simulator.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CredentialsRefused, DeviceError, UnitBroken } from '../../../../src/device/device.js'
import { TSE_STATES } from '../../../../src/device/tse/tse.js'
import { FISKALY_PACKAGE, fiskalyDriver } from '../../../../src/market/de/devices/fiskaly/driver.js'
import type { FiskalyTse } from '../../../../src/market/de/devices/fiskaly/tse.js'
import type { FiskalySimulator } from '../../../../src/simulator/devices/fiskaly/simulator.js'
import {
  type Bench,
  benchOf,
  CLIENT,
  expectClean,
  expectOnce,
  findingsOf,
  LIMIT,
  type Receipt,
  receiptOf,
  saleOf,
  startOf,
} from '../../../support/de/device-bench.js'
import {
  ADMIN_PIN,
  deploy,
  type FiskalyService,
  LOGIN,
  startFiskaly,
  TSS,
} from '../../../support/de/fiskaly-service.js'
import { tarBytes } from '../../../support/de/memory-tars.js'

let service: FiskalyService
let simulator: FiskalySimulator
let bench: Bench
let time: number

beforeEach(async () => {
  time = Date.now()
  const now = () => new Date(time)
  service = await startFiskaly({ now, tokenSeconds: 3600 })
  simulator = service.simulator
  bench = await benchWith({})
})
afterEach(() => service.close())

async function benchWith(settings: object): Promise<Bench> {
  const configuration = { ...LOGIN, tssId: TSS, adminPin: ADMIN_PIN, ...settings }
  const { url, port } = service
  const made = await benchOf(fiskalyDriver, FISKALY_PACKAGE, {
    ...{ url, port, configuration },
  })
  made.tools.now = () => new Date(time)
  return made
}

const unit = () => service.unit()

const open = (with_: Bench = bench): FiskalyTse => fiskalyDriver.open(with_.scu, with_.tools)

async function working(): Promise<FiskalyTse> {
  const tse = open()
  expect(await tse.setState(TSE_STATES.initialized, LIMIT)).toBe(TSE_STATES.initialized)
  expect(await tse.registerClient(CLIENT, LIMIT)).toEqual([CLIENT])
  simulator.watched.calls.length = 0
  return tse
}

async function failure(work: Promise<unknown>): Promise<DeviceError> {
  const error: unknown = await work.then(
    () => undefined,
    (one: unknown) => one,
  )
  if (error instanceof DeviceError) return error
  throw error ?? new Error('it succeeded')
}

describe('a unit of SIGN DE v2', () => {
  it('lives its whole life, and its export is the proof', async () => {
    const tse = await working()
    const info = await tse.info(LIMIT)
    expect(info).toMatchObject({ state: 1, clientIds: [CLIENT], openTransactions: [] })
    expect(info.identity.certificationId).toBe('BSI-K-TR-0490-2021')
    const receipts = [await receiptOf(tse), await receiptOf(tse)]
    const first = await tse.exportMemory(true, LIMIT)
    expect(first).toMatchObject({ from: 1, to: 7, erased: false, without: [] })
    expect(await findingsOf(await tarBytes(first.tar))).toEqual([])
    expectOnce(unit(), receipts)
    await receiptOf(tse)
    // nothing is erased: the next export begins behind the last one
    expect(await tse.exportMemory(true, LIMIT)).toMatchObject({ from: 8, to: 9 })
    expect(await tse.unregisterClient(CLIENT, LIMIT)).toEqual([])
    expect((await failure(tse.startTransaction(startOf(saleOf()), LIMIT))).kind).toBe('refused')
    expect(await tse.setState(TSE_STATES.terminated, LIMIT)).toBe(TSE_STATES.terminated)
    expectClean(simulator.watched)
  })

  it('puts the messages that the device logged into the journal, byte for byte', async () => {
    const tse = await working()
    const sale = saleOf()
    const { transactionNumber } = await tse.startTransaction(startOf(sale), LIMIT)
    await tse.updateTransaction({ ...startOf(sale), transactionNumber }, LIMIT)
    await tse.finishTransaction({ ...sale, transactionNumber }, LIMIT)
    const seen = tse.takeLogs().map(({ der }) => der.toString('hex'))
    expect(seen).toEqual(
      unit()
        .entries.slice(-3)
        .map(({ der }) => der.toString('hex')),
    )
  })

  it('asks for a start and a finish alone once everything is known', async () => {
    const tse = await working()
    await receiptOf(tse)
    simulator.watched.calls.length = 0
    await receiptOf(tse)
    expect(simulator.watched.calls).toEqual(['start', 'finish'])
  })
})

describe('lost answers', () => {
  const steps = ['start', 'finish', 'transaction', 'clients', 'login', 'info'] as const
  const kinds = ['request-lost', 'answer-lost', 'half-answer', 'restart'] as const

  it('sign nothing twice and lose nothing, whatever is lost', async () => {
    const tse = await working()
    const receipts: Receipt[] = []
    for (const call of steps) {
      for (const kind of kinds) {
        simulator.watched.script([{ call, do: kind }])
        receipts.push(await receiptOf(tse))
        // a server that has just started knows nothing but its row
        simulator.watched.script([{ call: 'finish', do: 'answer-lost' }])
        receipts.push(await receiptOf(open()))
        simulator.watched.clear()
      }
    }
    expectOnce(unit(), receipts)
    expectClean(simulator.watched)
    const { tar } = await tse.exportMemory(true, LIMIT)
    expect(await findingsOf(await tarBytes(tar))).toEqual([])
  })

  it('of busy and broken lines are waited for, and no is an answer', async () => {
    const tse = await working()
    for (const [code, status, kind] of [
      ['E_MIDDLEWARE_PENDING_REQUEST', 409, 'busy'],
      ['E_TOO_MANY', 429, 'busy'],
      ['E_TSS_LOCKED', 503, 'unknown-outcome'],
      ['E_TSS_DEFECTIVE', 423, 'broken-unit'],
      ['E_ACCESS_DENIED', 403, 'refused'],
    ] as const) {
      simulator.watched.script([{ call: 'start', do: 'refuse', code, status }])
      expect((await failure(tse.startTransaction(startOf(saleOf()), LIMIT))).kind).toBe(kind)
    }
    expect(unit().open).toEqual([])
  })

  it('are not believed with another counter or the signature of another key', async () => {
    const tse = await working()
    for (const kind of ['wrong-counter', 'foreign-signature'] as const) {
      simulator.watched.script([{ call: 'start', do: kind }])
      const error = await failure(tse.startTransaction(startOf(saleOf()), LIMIT))
      expect(error.message).toContain('does not verify')
    }
  })

  it('refuse what another wants of a transaction that is over', async () => {
    const tse = await working()
    const { number } = await receiptOf(tse)
    const other = {
      ...saleOf({ processData: Buffer.from('Beleg^2.00') }),
      transactionNumber: number,
    }
    expect((await failure(tse.finishTransaction(other, LIMIT))).kind).toBe('refused')
    const again = failure(open().finishTransaction({ ...other, isRetry: true }, LIMIT))
    expect((await again).kind).toBe('refused')
  })
})

describe('credentials', () => {
  it('that are wrong are sent once', async () => {
    const wrong = await benchWith({ apiSecret: 'other_secret' })
    const error = await failure(open(wrong).info(LIMIT))
    expect(error).toBeInstanceOf(CredentialsRefused)
    expect(simulator.watched.wrongLogins).toBe(1)
    expect(error.message).not.toContain('other_secret')
  })

  it('of the administrator are tried once, and signing goes on without them', async () => {
    await working()
    const wrong = await benchWith({ adminPin: '9999999999' })
    const tse = open(wrong)
    const error = await failure(tse.registerClient('KASSE0002', LIMIT))
    expect(error).toBeInstanceOf(CredentialsRefused)
    expect(simulator.watched.wrongLogins).toBe(1)
    await receiptOf(tse)
    const without = await benchWith({ adminPin: undefined })
    await receiptOf(open(without))
    const refused = await failure(open(without).registerClient('KASSE0002', LIMIT))
    expect(refused).toBeInstanceOf(CredentialsRefused)
    expect(simulator.watched.wrongLogins).toBe(1)
  })

  it('are renewed before a token ends, and once where it ended early', async () => {
    const tse = await working()
    time += 3_590_000
    await receiptOf(tse)
    expect(simulator.watched.calls.filter((name) => name === 'login')).toHaveLength(1)
    simulator.watched.script([{ call: 'start', do: 'restart' }])
    await receiptOf(tse)
    expect(simulator.watched.calls.filter((name) => name === 'login')).toHaveLength(2)
    const next = await fiskalyDriver.maintain?.(tse, LIMIT)
    expect(next?.getTime()).toBeGreaterThan(time)
  })
})

describe('what the unit is', () => {
  it('is refused where receipts count, and used in a sandbox', async () => {
    await working()
    expect(fiskalyDriver.environment?.(bench.scu)).toBe('test')
    const real = await benchWith({})
    real.tools.production = true
    expect(await failure(open(real).info(LIMIT))).toBeInstanceOf(UnitBroken)
    real.tools.production = false
    await open(real).info(LIMIT)
  })

  it('is proved in one run, and nothing is signed for it', async () => {
    await working()
    const before = unit().counter
    const ask = { limit: LIMIT, probe: Buffer.alloc(32), holders: [] }
    const lines = (await fiskalyDriver.proof?.(bench.scu, bench.tools, ask)) ?? []
    const levels = Object.fromEntries(lines.map(({ name, level }) => [name, level]))
    expect(levels).toEqual({
      ...{ certificate: 'ok', chain: 'warn', identity: 'ok', certification: 'ok' },
      ...{ environment: 'ok', counters: 'ok' },
    })
    expect(unit().counter).toBe(before)
  })

  it('is another device: refused', async () => {
    await working()
    simulator.units.clear()
    await deploy(service.url)
    expect(await failure(open().info(LIMIT))).toBeInstanceOf(UnitBroken)
  })

  it('is at its end with its certificate', async () => {
    const tse = await working()
    time += 9 * 365 * 86_400_000
    expect(await failure(tse.startTransaction(startOf(saleOf()), LIMIT))).toBeInstanceOf(UnitBroken)
  })
})

describe('an export', () => {
  it('that takes longer than a closing waits is gone on with by the next one', async () => {
    const tse = await working()
    await receiptOf(tse)
    Object.assign(simulator, { options: { ...LOGIN, env: 'TEST', exportPolls: 4 } })
    const error = await failure(tse.exportMemory(true, { timeoutMs: 4_000 }))
    expect(error.kind).toBe('busy')
    const memory = await open().exportMemory(true, { timeoutMs: 60_000 })
    expect(memory).toMatchObject({ from: 1, to: 5 })
    expect(simulator.watched.calls.filter((name) => name === 'export')).toHaveLength(1)
    expect(simulator.units.get(TSS)?.exports.size).toBe(1)
  })
})
