// The driver of Epson devices against the strict simulator.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { CredentialsRefused, DeviceError, UnitBroken } from '../../../../src/device/device.js'
import { EPSON_PACKAGE, epsonDriver } from '../../../../src/market/de/devices/epson/driver.js'
import type { EpsonTse } from '../../../../src/market/de/devices/epson/tse.js'
import { EpsonSimulator } from '../../../../src/simulator/devices/epson/simulator.js'
import type { Listening } from '../../../../src/simulator/devices/http-door.js'
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
import { tarBytes } from '../../../support/de/memory-tars.js'

const PINS = { admin: '11111', timeAdmin: '22222', puk: '123456' }

const text = (name: string) => `<xs:element name="${name}" type="xs:string"/>`
const group = (name: string, ...parts: string[]) =>
  `<xs:element name="${name}"><xs:complexType><xs:sequence>${parts.join('')}` +
  '</xs:sequence></xs:complexType></xs:element>'
/** What a host sends, as the maker's manual shows it. */
const MESSAGES = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${[
  group('open_device', text('device_id'), group('data', text('type'))),
  group('close_device', text('device_id')),
  group(
    'device_data',
    text('device_id'),
    group('data', text('type'), text('timeout'), text('requestdata')),
  ),
].join('')}</xs:schema>`

let simulator: EpsonSimulator
let listening: Listening
let bench: Bench
let time: number

beforeEach(async () => {
  time = Date.now()
  simulator = new EpsonSimulator({ pins: PINS, now: () => new Date(time) })
  listening = await simulator.listen(0)
  bench = await benchWith({})
})
afterEach(() => listening.close())

async function benchWith(settings: object): Promise<Bench> {
  const configuration = { timeAdminPin: '22222', adminPin: '11111', ...settings }
  const { port } = listening
  const place = { url: `tcp://127.0.0.1:${port}`, port, configuration }
  return benchOf(epsonDriver, EPSON_PACKAGE, place)
}

const open = (with_: Bench = bench): EpsonTse => epsonDriver.open(with_.scu, with_.tools)

async function working(): Promise<EpsonTse> {
  const tse = open()
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

describe('an Epson device', () => {
  it('lives its whole life, and its export is the proof', async () => {
    const tse = await working()
    const receipts = [await receiptOf(tse), await receiptOf(tse)]
    const info = await tse.info(LIMIT)
    expect(info).toMatchObject({ state: 1, clientIds: [CLIENT], maxSignatures: 20_000_000 })
    expect(info.identity.certificationId).toBe('BSI-K-TR-0373-2019')
    expectOnce(simulator.storage.unit, receipts)
    const memory = await tse.exportMemory(true, LIMIT)
    expect(memory).toMatchObject({ from: 1, without: [], erased: true })
    expect(await findingsOf(await tarBytes(memory.tar))).toEqual([])
    expect(simulator.storage.unit.entries).toEqual([])
    expect(await tse.unregisterClient(CLIENT, LIMIT)).toEqual([])
    expect(await tse.setState(2, LIMIT)).toBe(2)
    expect(await failure(tse.startTransaction(startOf(saleOf()), LIMIT))).toBeInstanceOf(UnitBroken)
    expectClean(simulator.watched)
  })

  it('gets messages that xmllint finds valid', async () => {
    const tse = await working()
    await receiptOf(tse)
    expect(simulator.messages.length).toBeGreaterThan(10)
    const xml = [...new Set(simulator.messages)].map((contents, at) => ({
      ...{ fileName: `${at}.xml`, contents },
    }))
    const schema = [{ fileName: 'messages.xsd', contents: MESSAGES }]
    const { valid, errors } = await validateXML({ xml, schema })
    expect([valid, errors]).toEqual([true, []])
  })

  it('signs with two calls when it is logged in, and opens and closes around each', async () => {
    const tse = await working()
    await receiptOf(tse)
    simulator.watched.calls.length = 0
    await receiptOf(tse)
    expect(simulator.watched.calls).toEqual(['StartTransaction', 'FinishTransaction'])
    await receiptOf(open())
  })

  it('that lost its power is tested, told the time and logged in to again', async () => {
    const tse = await working()
    await receiptOf(tse)
    simulator.watched.script([{ call: 'StartTransaction', do: 'restart' }])
    await receiptOf(tse)
    simulator.watched.script([{ call: 'FinishTransaction', do: 'restart' }])
    await receiptOf(tse)
    time += 26 * 3_600_000
    await receiptOf(tse)
    expectClean(simulator.watched)
  })
})

it('signs also while the clock of the server is set forward', async () => {
  const tse = await working()
  let hours = 0
  bench.tools.now = () => {
    hours += 1
    return new Date(time + hours * 3_600_000)
  }
  const { counter } = await receiptOf(tse)
  expect(counter).toBe(simulator.storage.unit.counter)
})

describe('lost answers', () => {
  const steps = ['StartTransaction', 'FinishTransaction', 'GetLastTransactionResponse'] as const
  const others = ['GetChallenge', 'AuthenticateUserForTimeAdmin', 'UpdateTime'] as const
  const kinds = ['request-lost', 'answer-lost', 'half-answer'] as const

  it('sign nothing twice and lose nothing, whatever is lost', async () => {
    const tse = await working()
    const receipts: Receipt[] = []
    for (const call of [...steps, ...others]) {
      for (const kind of kinds) {
        simulator.storage.restart()
        simulator.watched.script([
          { call, do: kind },
          { call: 'FinishTransaction', do: 'answer-lost' },
        ])
        receipts.push(await receiptOf(tse))
        simulator.watched.clear()
      }
    }
    expectOnce(simulator.storage.unit, receipts)
    expectClean(simulator.watched)
    const { tar } = await tse.exportMemory(false, LIMIT)
    expect(await findingsOf(await tarBytes(tar))).toEqual([])
  })

  it('of a start do not take the start of another transaction for its own', async () => {
    const tse = await working()
    const first = await tse.startTransaction(startOf(saleOf()), LIMIT)
    simulator.watched.script([{ call: 'StartTransaction', do: 'request-lost' }])
    const call = startOf(saleOf())
    await failure(tse.startTransaction(call, LIMIT))
    const second = await tse.startTransaction({ ...call, isRetry: true }, LIMIT)
    expect(second.transactionNumber).toBe(first.transactionNumber + 1)
  })

  it('are not believed with another counter or the signature of another key', async () => {
    const tse = await working()
    await receiptOf(tse)
    for (const kind of ['wrong-counter', 'foreign-signature'] as const) {
      simulator.watched.script([{ call: 'StartTransaction', do: kind }])
      const error = await failure(tse.startTransaction(startOf(saleOf()), LIMIT))
      expect(error.message).toContain('does not verify')
    }
  })

  it('of a slow device end with the limit, and the next call takes the device over', async () => {
    const tse = await working()
    const { number } = await receiptOf(tse)
    simulator.watched.script([{ call: 'StartTransaction', do: 'slow', ms: 200 }])
    const call = { ...startOf(saleOf()), isRetry: true }
    await failure(tse.startTransaction(call, { timeoutMs: 100 }))
    expect((await failure(tse.startTransaction(call, LIMIT))).kind).toBe('busy')
    const started = async () => {
      const [ended] = await Promise.allSettled([tse.startTransaction(call, LIMIT)])
      return ended.status === 'fulfilled' ? ended.value : undefined
    }
    const signed = await vi.waitUntil(started, { timeout: 5_000 })
    expect(signed.transactionNumber).toBe(number + 1)
    expect(simulator.storage.unit.open).toEqual([number + 1])
  })
})

describe('a line that breaks while another one is taken over', () => {
  const MESSAGES_LOST = ['reconnect', 'open_device', 'close_device'].flatMap((call) =>
    (['request-lost', 'answer-lost', 'slow'] as const).map((kind) => ({ call, kind })),
  )

  it.each(MESSAGES_LOST)('$call, $kind: the device is had again at once', async (lost) => {
    const tse = await working()
    const { number } = await receiptOf(tse)
    simulator.watched.script([
      ...([{ call: 'StartTransaction', do: 'answer-lost' }] as const),
      // the first line has opened the device before
      { call: lost.call, do: lost.kind, ms: 60_000, after: lost.call === 'open_device' ? 1 : 0 },
    ])
    const call = { ...startOf(saleOf()), isRetry: true }
    await failure(tse.startTransaction(call, LIMIT))
    // the second line breaks, wherever it is by then
    await failure(tse.startTransaction(call, { timeoutMs: 300 }))
    const signed = await tse.startTransaction(call, LIMIT)
    expect(signed.transactionNumber).toBe(number + 1)
    expectClean(simulator.watched)
  })

  it.each(['answer-lost', 'request-lost'] as const)(
    'reconnect, %s: also whoever has read the unit anew has the device at once',
    async (kind) => {
      bench.tools.kept = new Map()
      const tse = await working()
      const { number } = await receiptOf(tse)
      simulator.watched.script([
        { call: 'StartTransaction', do: 'answer-lost' },
        { call: 'reconnect', do: kind },
      ])
      const call = { ...startOf(saleOf()), isRetry: true }
      await failure(tse.startTransaction(call, LIMIT))
      await failure(open().startTransaction(call, LIMIT))
      const signed = await open().startTransaction(call, LIMIT)
      expect(signed.transactionNumber).toBe(number + 1)
      expectClean(simulator.watched)
    },
  )

  it.each(['request-lost', 'slow'] as const)(
    'a farewell that is not answered (%s) keeps nobody waiting',
    async (kind) => {
      const tse = await working()
      await receiptOf(tse)
      simulator.watched.script([{ call: 'close_device', do: kind, ms: 60_000 }])
      await receiptOf(tse)
      expectClean(simulator.watched)
    },
  )
})

describe('PINs', () => {
  it('that are wrong are shown once', async () => {
    await working()
    const wrong = open(await benchWith({ timeAdminPin: '99999' }))
    simulator.storage.restart()
    const error = await failure(wrong.startTransaction(startOf(saleOf()), LIMIT))
    expect(error).toBeInstanceOf(CredentialsRefused)
    expect(error.message).not.toContain('99999')
    expect(simulator.storage.tries).toEqual({ admin: 3, timeAdmin: 2, puk: 3 })
  })

  it('of the administrator are not needed for signing', async () => {
    await working()
    const without = open(await benchWith({ adminPin: undefined }))
    await receiptOf(without)
    simulator.storage.restart()
    const error = await failure(without.registerClient('KASSE0002', LIMIT))
    expect(error).toBeInstanceOf(CredentialsRefused)
    expect(simulator.storage.wrongLogins).toBe(0)
  })

  it('that are blocked end the unit for the receipt', async () => {
    const tse = await working()
    simulator.storage.restart()
    simulator.storage.tries.timeAdmin = 0
    expect(await failure(tse.startTransaction(startOf(saleOf()), LIMIT))).toBeInstanceOf(UnitBroken)
  })
})

describe('what the device is', () => {
  it('is one for tests, by its certificates', async () => {
    await (await working()).info(LIMIT)
    expect(epsonDriver.environment?.(bench.scu)).toBe('test')
    const real = await benchWith({})
    real.tools.production = true
    expect(await failure(open(real).info(LIMIT))).toBeInstanceOf(UnitBroken)
  })

  it('is proved in one run, and nothing is signed for it', async () => {
    await working()
    const { counter } = simulator.storage.unit
    const ask = { limit: LIMIT, probe: Buffer.alloc(32), holders: [] }
    const lines = (await epsonDriver.proof?.(bench.scu, bench.tools, ask)) ?? []
    const levels = Object.fromEntries(lines.map(({ name, level }) => [name, level]))
    expect(levels).toEqual({
      // nobody has confirmed its root
      ...{ certificate: 'ok', chain: 'warn', identity: 'ok', certification: 'ok' },
      ...{ environment: 'ok', counters: 'ok' },
      // it was switched on, and has signed nothing yet
      clock: 'warn',
    })
    expect(simulator.storage.unit.counter).toBe(counter)
  })

  it('ends with a full memory and with its certificate', async () => {
    const tse = await working()
    await receiptOf(tse)
    simulator.storage.capacity = 0
    expect(await failure(tse.startTransaction(startOf(saleOf()), LIMIT))).toBeInstanceOf(UnitBroken)
    simulator.storage.capacity = 1_000
    time += 9 * 365 * 86_400_000
    expect(await failure(tse.startTransaction(startOf(saleOf()), LIMIT))).toBeInstanceOf(UnitBroken)
  })

  it('is another host’s for a while: busy, nothing was done', async () => {
    const tse = await working()
    const { Socket } = await import('node:net')
    const other = new Socket()
    await new Promise<void>((resolve) => other.connect(listening.port, '127.0.0.1', resolve))
    const opening = '<open_device><device_id>local_TSE</device_id>'
    other.write(`${opening}<data><type>type_storage</type></data></open_device>\0`)
    await new Promise((resolve) => other.once('data', resolve))
    const error = await failure(tse.startTransaction(startOf(saleOf()), LIMIT))
    expect(error.kind).toBe('busy')
    other.destroy()
  })
})
