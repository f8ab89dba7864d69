// The driver of D-Trust units behind the connector (FCC) against the strict simulator.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CredentialsRefused, DeviceError, DeviceRefusal } from '../../../../src/device/device.js'
import { FCC_PACKAGE, fccDriver } from '../../../../src/market/de/devices/fcc/driver.js'
import { type FccOptions, FccSimulator } from '../../../../src/simulator/devices/fcc/simulator.js'
import { type Listening, listenHttp } from '../../../../src/simulator/devices/http-door.js'
import {
  type Bench,
  benchOf,
  CLIENT,
  expectClean,
  expectOnce,
  findingsOf,
  LIMIT,
  receiptOf,
  saleOf,
  startOf,
} from '../../../support/de/device-bench.js'
import { tarBytes } from '../../../support/de/memory-tars.js'
import { inFolder } from '../support/openssl.js'

const SECRETS = { ersCode: 'ers-code-for-tests', registrationToken: 'registration-token' }

let ahead = 0
const now = () => new Date(Date.now() + ahead)
let simulator: FccSimulator
let listening: Listening
let bench: Bench

beforeEach(async () => {
  ahead = 0
  await begin({})
})
afterEach(() => listening.close())

async function begin(options: Partial<FccOptions>): Promise<void> {
  await listening?.close()
  simulator = new FccSimulator({ ...SECRETS, now, ...options })
  listening = await listenHttp(simulator, 0)
  bench = await benchWith({})
}

async function benchWith(settings: object): Promise<Bench> {
  const { port } = listening
  const place = { url: `http://127.0.0.1:${port}`, port }
  const configuration = { ...SECRETS, ...settings }
  const made = await benchOf(fccDriver, FCC_PACKAGE, { ...place, configuration })
  Object.assign(made.tools, { now })
  return made
}

const open = ({ scu, tools }: Bench = bench) => fccDriver.open(scu, tools)
const calls = (name: string) => simulator.watched.calls.filter((one) => one === name).length

async function failure(work: Promise<unknown>): Promise<DeviceError> {
  const [ended] = await Promise.allSettled([work])
  if (ended.status === 'rejected' && ended.reason instanceof DeviceError) return ended.reason
  throw new Error('it did not fail as a device does')
}

describe('a D-Trust unit behind the connector', () => {
  it('lives its whole life, and its export is the proof', async () => {
    const tse = open()
    expect(await tse.registerClient(CLIENT, LIMIT)).toEqual([CLIENT])
    const receipts = [await receiptOf(tse), await receiptOf(open())]
    expectOnce(simulator.unit, receipts)
    const info = await tse.info(LIMIT)
    expect(info).toMatchObject({ clientIds: [CLIENT], openTransactions: [], state: 1 })
    expect(info.identity).toMatchObject({
      ...{ serialHex: simulator.unit.serialHex, algorithm: 'ecdsa-plain-SHA384' },
      certificationId: 'BSI-K-TR-0524-2024',
    })
    const memory = await tse.exportMemory(false, LIMIT)
    expect(memory).toMatchObject({ from: 1, to: simulator.unit.counter, erased: false })
    expect(await findingsOf(await tarBytes(memory.tar))).toEqual([])
    expect(await tse.unregisterClient(CLIENT, LIMIT)).toEqual([])
    expectClean(simulator.watched)
  })

  it('signs what stands for nothing where a message has no content', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    const start = simulator.unit.entries.find(({ name }) => name.includes('_Start_'))
    expect(start?.der.toString('latin1')).toContain('<none>')
  })

  it('finds a start again whose answer was lost, by the id that it was given', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    simulator.watched.script([{ call: 'start', do: 'answer-lost' }])
    const receipt = await receiptOf(tse)
    expectOnce(simulator.unit, [receipt])
    expect(calls('start')).toBe(1)
    expectClean(simulator.watched)
  })

  it('leaves it open where the connector lists no ids', async () => {
    await begin({ listsIds: false })
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    simulator.watched.script([{ call: 'start', do: 'answer-lost' }])
    const { number } = await receiptOf(tse)
    expect(number).toBe(2)
    expect((await tse.info(LIMIT)).openTransactions).toEqual([1])
  })

  it('finds a finish again whose answer was lost, and none that others made', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    simulator.watched.script([{ call: 'finish', do: 'answer-lost' }])
    const receipt = await receiptOf(tse)
    expectOnce(simulator.unit, [receipt])
    expect(calls('finish')).toBe(1)
    const sale = saleOf()
    const { transactionNumber } = await tse.startTransaction(startOf(sale), LIMIT)
    await open().finishTransaction({ ...sale, transactionNumber }, LIMIT)
    const other = { ...sale, transactionNumber, processData: Buffer.from('Beleg^2'), isRetry: true }
    expect(await failure(tse.finishTransaction(other, LIMIT))).toBeInstanceOf(DeviceRefusal)
    expectClean(simulator.watched)
  })

  it('tells the time of a start that another server made', async () => {
    await open().registerClient(CLIENT, LIMIT)
    const sale = saleOf()
    const { transactionNumber, moment } = await open().startTransaction(startOf(sale), LIMIT)
    ahead = 30_000
    const finish = await open().finishTransaction({ ...sale, transactionNumber }, LIMIT)
    expect(finish.startMoment).toEqual(moment)
    expect(finish.moment.getTime()).toBeGreaterThan(moment.getTime())
  })

  it('goes on with a new token where the connector was started anew', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    simulator.restart()
    await receiptOf(tse)
    ahead = 3_700_000
    await receiptOf(tse)
    expectClean(simulator.watched)
  })
})

describe('the memory of a D-Trust unit', () => {
  async function twoReceipts(): Promise<void> {
    await open().registerClient(CLIENT, LIMIT)
    await receiptOf(open())
    ahead += 10_000
    await receiptOf(open())
  }

  it('is erased only as far as it is older than what was fetched', async () => {
    await twoReceipts()
    const { counter } = simulator.unit
    ahead += 300_000
    const memory = await open().exportMemory(true, LIMIT)
    expect(memory).toMatchObject({ from: 1, to: counter, erased: true })
    // the newest messages stay: one of the same second may have come behind the export
    const left = simulator.unit.entries.map((one) => one.counter)
    expect([left.length > 0, Math.max(...left)]).toEqual([true, counter])
    expect(Math.min(...left)).toBeGreaterThan(1)
    expectClean(simulator.watched)
  })

  it('is not erased while it is young, or a transaction is open', async () => {
    await twoReceipts()
    const before = simulator.unit.entries.length
    expect(await open().exportMemory(true, LIMIT)).toMatchObject({ erased: false })
    ahead += 300_000
    await open().startTransaction(startOf(saleOf()), LIMIT)
    ahead += 300_000
    expect(await open().exportMemory(true, LIMIT)).toMatchObject({ erased: false })
    expect(simulator.unit.entries.length).toBe(before + 1)
  })

  it('comes in halves where it is too much at once, and is one file', async () => {
    await begin({ mostExportBytes: 9_000 })
    await twoReceipts()
    ahead += 10_000
    await receiptOf(open())
    const memory = await open().exportMemory(false, { timeoutMs: 60_000 })
    expect(memory).toMatchObject({ from: 1, to: simulator.unit.counter, without: [] })
    const bytes = await tarBytes(memory.tar)
    expect(await findingsOf(bytes)).toEqual([])
    const names = inFolder((folder) => {
      const file = join(folder, 'export.tar')
      writeFileSync(file, bytes)
      return execFileSync('tar', ['-tf', file]).toString('utf8').trim().split('\n')
    })
    expect(names).toHaveLength(new Set(names).size)
    expect(names.filter((one) => one.includes('_Sig-'))).toHaveLength(simulator.unit.counter)
    expect(calls('export')).toBeGreaterThan(4)
  })

  it('that breaks off, or has nothing, leaves the unit as it is', async () => {
    await twoReceipts()
    const before = simulator.unit.entries.length
    ahead += 300_000
    simulator.watched.script([{ call: 'export', do: 'half-answer' }])
    await failure(open().exportMemory(true, LIMIT))
    expect(simulator.unit.entries.length).toBe(before)
    const memory = await open().exportMemory(true, LIMIT)
    expect([memory.erased, await findingsOf(await tarBytes(memory.tar))]).toEqual([true, []])
    await begin({ now: () => new Date('2019-06-01T00:00:00Z') })
    expect(await failure(open().exportMemory(true, LIMIT))).toMatchObject({ kind: 'refused' })
  })
})

describe('what the connector is told', () => {
  it('a wrong secret once, also of a unit that is known and has clients', async () => {
    await open().registerClient(CLIENT, LIMIT)
    await receiptOf(open())
    const wrong = await benchWith({ ersCode: 'of-last-year' })
    wrong.scu.state = bench.scu.state
    const refused = new Set<string>()
    wrong.tools.logins = {
      claim: async ({ credentials }) => (refused.has(credentials) ? 'refused' : 'mine'),
      settle: async ({ credentials }, outcome) => {
        if (outcome === 'refused') refused.add(credentials)
      },
    }
    const tse = open(wrong)
    for (let nth = 0; nth < 3; nth += 1) {
      const error = await failure(tse.startTransaction(startOf(saleOf()), LIMIT))
      expect(error).toBeInstanceOf(CredentialsRefused)
    }
    expect(await failure(tse.info(LIMIT))).toBeInstanceOf(CredentialsRefused)
    expect(simulator.watched.wrongLogins).toBe(1)
  })

  it('no client without a token of registration, and none too many', async () => {
    const { registrationToken: _, ...bare } = SECRETS
    const without = await benchWith({ registrationToken: undefined, ...bare })
    const error = await failure(open(without).registerClient(CLIENT, LIMIT))
    expect(error.message).toContain('registrationToken')
    await open().registerClient(CLIENT, LIMIT)
    const second = await failure(open().registerClient('KASSE0002', LIMIT))
    expect(second).toBeInstanceOf(DeviceRefusal)
    expect(second.message).toContain('ERS_INVALID_REGISTRATION_KEY')
  })

  it('is believed only where it verifies', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    simulator.watched.script([{ call: 'start', do: 'foreign-signature' }])
    const error = await failure(tse.startTransaction(startOf(saleOf()), LIMIT))
    expect(error.message).toContain('does not verify')
  })

  it('a client that is not registered is refused, and the secret is not', async () => {
    const tse = open()
    await tse.info(LIMIT)
    expect(await failure(tse.startTransaction(startOf(saleOf()), LIMIT))).toBeInstanceOf(
      DeviceRefusal,
    )
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    expectClean(simulator.watched)
  })
})
