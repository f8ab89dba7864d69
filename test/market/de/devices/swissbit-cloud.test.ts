// The driver of Swissbit's cloud service against the strict simulator.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CredentialsRefused, DeviceError, DeviceRefusal } from '../../../../src/device/device.js'
import {
  SWISSBIT_CLOUD_PACKAGE,
  swissbitCloudDriver,
} from '../../../../src/market/de/devices/swissbit-cloud/driver.js'
import { type Listening, listenHttp } from '../../../../src/simulator/devices/http-door.js'
import { SwissbitSimulator } from '../../../../src/simulator/devices/swissbit-cloud/simulator.js'
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

const TOKEN = 'token-of-the-unit'
/** Exports are asked for every five seconds. */
const LONG = { timeoutMs: 60_000 }
let simulator: SwissbitSimulator
let listening: Listening
let bench: Bench

beforeEach(async () => {
  simulator = new SwissbitSimulator({ token: TOKEN, exportPolls: 2 })
  listening = await listenHttp(simulator, 0)
  bench = await benchWith({})
})
afterEach(() => listening.close())

function benchWith(settings: object): Promise<Bench> {
  const { port } = listening
  const configuration = { serial: simulator.unit.serialHex, token: TOKEN, ...settings }
  const place = { url: `http://127.0.0.1:${port}`, port, configuration }
  return benchOf(swissbitCloudDriver, SWISSBIT_CLOUD_PACKAGE, place)
}

const open = ({ scu, tools }: Bench = bench) => swissbitCloudDriver.open(scu, tools)

async function failure(work: Promise<unknown>): Promise<DeviceError> {
  const [ended] = await Promise.allSettled([work])
  if (ended.status === 'rejected' && ended.reason instanceof DeviceError) return ended.reason
  throw new Error('it did not fail as a device does')
}

describe("a unit of Swissbit's cloud service", () => {
  it('lives its whole life, and its export is the proof', async () => {
    const tse = open()
    expect(await tse.registerClient(CLIENT, LIMIT)).toEqual([CLIENT])
    const receipts = [await receiptOf(tse), await receiptOf(open())]
    expectOnce(simulator.unit, receipts)
    const info = await tse.info(LIMIT)
    expect(info).toMatchObject({ clientIds: [CLIENT], openTransactions: [] })
    expect(info.identity).toMatchObject({
      ...{ serialHex: simulator.unit.serialHex, certificationId: 'BSI-K-TR-0612-2024' },
    })
    const memory = await tse.exportMemory(true, LONG)
    expect(memory).toMatchObject({ from: 1, to: simulator.unit.counter, erased: true })
    expect(await findingsOf(await tarBytes(memory.tar))).toEqual([])
    expect(simulator.unit.entries).toEqual([])
    expectClean(simulator.watched)
  })

  it('tells of a lost finish that its number is gone', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    const sale = saleOf()
    const { transactionNumber } = await tse.startTransaction(startOf(sale), LIMIT)
    const finish = { ...sale, transactionNumber }
    simulator.watched.script([{ call: 'finishTransaction', do: 'answer-lost' }])
    expect(await failure(tse.finishTransaction(finish, LIMIT))).toMatchObject({
      kind: 'unknown-outcome',
    })
    const signed = simulator.unit.counter
    const again = await failure(tse.finishTransaction({ ...finish, isRetry: true }, LIMIT))
    expect(again).toBeInstanceOf(DeviceRefusal)
    expect(simulator.unit.counter).toBe(signed)
    simulator.watched.script([{ call: 'startTransaction', do: 'answer-lost' }])
    await failure(tse.startTransaction(startOf(saleOf()), LIMIT))
    expect((await tse.info(LIMIT)).openTransactions).toEqual([2])
  })

  it('goes on with an export that nobody has fetched to its end', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    simulator.watched.script([{ call: 'file', do: 'half-answer' }])
    await failure(tse.exportMemory(true, LONG))
    expect(simulator.unit.entries).not.toEqual([])
    const fresh = await benchWith({})
    const { tar, erased } = await open(fresh).exportMemory(true, LONG)
    expect([erased, await findingsOf(await tarBytes(tar))]).toEqual([true, []])
    expectClean(simulator.watched)
  })

  it('hears a wrong token once, and is believed only where it verifies', async () => {
    const wrong = await benchWith({ token: 'another' })
    expect(await failure(open(wrong).info(LIMIT))).toBeInstanceOf(CredentialsRefused)
    expect(simulator.watched.wrongLogins).toBe(1)
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    simulator.watched.script([{ call: 'startTransaction', do: 'foreign-signature' }])
    const error = await failure(tse.startTransaction(startOf(saleOf()), LIMIT))
    expect(error.message).toContain('does not verify')
  })

  it('is one for tests by its setting, whatever its certificates say', async () => {
    await open().info(LIMIT)
    expect(swissbitCloudDriver.environment?.(bench.scu)).not.toBe('live')
    const named = await benchWith({ environment: 'test' })
    await open(named).info(LIMIT)
    expect(swissbitCloudDriver.environment?.(named.scu)).toBe('test')
  })
})
