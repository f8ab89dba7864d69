// The driver of Diebold Nixdorf devices against the strict simulator of their web service.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  CredentialsRefused,
  DeviceError,
  DeviceRefusal,
  UnitBroken,
} from '../../../../src/device/device.js'
import { certificatesIn } from '../../../../src/market/de/devices/diebold/certificates.js'
import { DIEBOLD_PACKAGE, dieboldDriver } from '../../../../src/market/de/devices/diebold/driver.js'
import { DieboldSimulator } from '../../../../src/simulator/devices/diebold/simulator.js'
import type { Listening } from '../../../../src/simulator/devices/http-door.js'
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

let simulator: DieboldSimulator
let listening: Listening
let bench: Bench
let time: number

beforeEach(async () => {
  time = Date.now()
  simulator = new DieboldSimulator({ now: () => new Date(time) })
  listening = await simulator.listen(0)
  bench = await benchWith('12345')
})
afterEach(() => listening.close())

function benchWith(timeAdminPassword: string): Promise<Bench> {
  const { port } = listening
  const place = { url: `ws://127.0.0.1:${port}`, port, configuration: { timeAdminPassword } }
  return benchOf(dieboldDriver, DIEBOLD_PACKAGE, place)
}

const open = ({ scu, tools }: Bench = bench) => dieboldDriver.open(scu, tools)

async function failure(work: Promise<unknown>): Promise<DeviceError> {
  const [ended] = await Promise.allSettled([work])
  if (ended.status === 'rejected' && ended.reason instanceof DeviceError) return ended.reason
  throw new Error('it did not fail as a device does')
}

describe('a Diebold Nixdorf device', () => {
  it('signs, and its log is the proof', async () => {
    const tse = open()
    expect(await tse.registerClient(CLIENT, LIMIT)).toEqual([CLIENT])
    const receipts = [await receiptOf(tse), await receiptOf(open())]
    expectOnce(simulator.unit, receipts)
    expect(await findingsOf(Buffer.concat([...simulator.unit.tar()]))).toEqual([])
    const info = await tse.info(LIMIT)
    expect(info).toMatchObject({ clientIds: [CLIENT], openTransactions: [] })
    expect(info.identity).toMatchObject({
      ...{ serialHex: simulator.unit.serialHex, algorithm: 'ecdsa-plain-SHA384' },
      certificationId: 'BSI-K-TR-0393-2020',
    })
    expect(await tse.unregisterClient(CLIENT, LIMIT)).toEqual([])
    expectClean(simulator.watched)
  })

  it('keeps no connection that came when the time was over', async () => {
    const sockets: Socket[] = []
    const { connect } = bench.tools
    bench.tools.connect = async (place) => {
      const socket = await connect?.(place)
      if (socket === undefined) throw new Error('no connection')
      sockets.push(socket)
      await sleep(60)
      return socket
    }
    await failure(open().registerClient(CLIENT, { timeoutMs: 50 }))
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  it('shows starts whose answers were lost by the numbers that were passed over', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    simulator.watched.script([{ call: 'StartTransaction', do: 'answer-lost', times: 2 }])
    await receiptOf(tse)
    expect((await tse.info(LIMIT)).openTransactions).toEqual([2, 3])
    for (const transactionNumber of [2, 3]) {
      await open().finishTransaction({ ...saleOf(), transactionNumber }, LIMIT)
    }
    expect((await open().info(LIMIT)).openTransactions).toEqual([])
    expect(simulator.unit.open).toEqual([])
  })

  it('says of a finish whose answer was lost that it does not know', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    const sale = saleOf()
    const { transactionNumber } = await tse.startTransaction(startOf(sale), LIMIT)
    const finish = { ...sale, transactionNumber }
    simulator.watched.script([{ call: 'FinishTransaction', do: 'half-answer' }])
    expect(await failure(tse.finishTransaction(finish, LIMIT))).toMatchObject({
      kind: 'unknown-outcome',
    })
    const again = await failure(tse.finishTransaction({ ...finish, isRetry: true }, LIMIT))
    expect(again).toBeInstanceOf(DeviceRefusal)
    expect((await tse.info(LIMIT)).openTransactions).toEqual([])
  })

  it('believes no answer that does not verify', async () => {
    const tse = open()
    await tse.registerClient(CLIENT, LIMIT)
    for (const how of ['foreign-signature', 'wrong-counter'] as const) {
      simulator.watched.script([{ call: 'StartTransaction', do: how }])
      const error = await failure(tse.startTransaction(startOf(saleOf()), LIMIT))
      expect(error.message).toContain('does not verify')
    }
  })

  it('sends a wrong password once, and none when it is blocked', async () => {
    const wrong = await benchWith('54321')
    expect(await failure(open(wrong).info(LIMIT))).toBeInstanceOf(CredentialsRefused)
    expect(simulator.watched.wrongLogins).toBe(1)
    simulator.watched.script([{ call: 'GetDeviceStatus', do: 'refuse', code: '32' }])
    expect(await failure(open().info(LIMIT))).toBeInstanceOf(UnitBroken)
  })

  it('keeps its line when there is much to do, and is silent about its memory', async () => {
    const tse = open()
    let asked = 0
    bench.tools.now = () => new Date(time + asked++ * 1_500)
    await tse.registerClient(CLIENT, { timeoutMs: 600_000 })
    expect(await failure(tse.exportMemory())).toMatchObject({ kind: 'refused' })
    expect(simulator.watched.offences).toEqual([])
  })

  it('reads certificates in either form', () => {
    const all = simulator.unit.key.certificates
    expect(certificatesIn(Buffer.concat([...all]))).toEqual([...all])
    const pem = all.map((der) => `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n`)
    const text = pem.map((one) => `${one}-----END CERTIFICATE-----\n`).join('')
    expect(certificatesIn(Buffer.from(text))).toHaveLength(all.length)
    expect(() => certificatesIn(Buffer.from('no certificate'))).toThrow(DeviceError)
  })
})

describe('the simulator of its web service', () => {
  async function said(...frames: readonly string[]): Promise<unknown[]> {
    const web = new WebSocket(`ws://127.0.0.1:${listening.port}/`)
    await new Promise((done) => web.once('open', done))
    const heard: unknown[] = []
    for (const frame of frames) {
      const answer = new Promise<string>((done) => {
        web.once('message', (data) => done(String(data)))
        web.once('close', () => done(''))
      })
      web.send(frame)
      const text = await answer
      heard.push(text === '' ? 'closed' : JSON.parse(text.slice(1, -2)))
    }
    web.terminate()
    return heard
  }
  const frame = (Command: string, members: object = {}, PingPong = 1) =>
    `\u0002${JSON.stringify({ Command, PingPong, ...members })}\u0003\n`
  const Password = Buffer.from('12345').toString('base64')
  const begin = frame('SetDefaultClientID', { ClientID: 'DummyDefaultClientId' })
  const codes = (heard: unknown[]) => heard.map((one) => Reflect.get(Object(one), 'Code') ?? one)

  it('refuses what the real one refuses', async () => {
    expect(await said('{"Command":"PingPong","PingPong":1}')).toEqual(['closed'])
    expect(codes(await said(frame('GetDeviceInfo')))).toEqual([4])
    const client = { ClientID: 'KASSE0001' }
    const start = (more: object) => frame('StartTransaction', { ...client, ...more })
    expect(codes((await said(begin, start({ Password: '12345!' }))).slice(1))).toEqual([9])
    expect(codes((await said(begin, start({ Password }))).slice(1))).toEqual([19])
    expect(codes((await said(begin, frame('Export', { Password }))).slice(1))).toEqual([1])
    simulator.unit.register('KASSE0001')
    simulator.unit.register('OTHER')
    const finish = { TransactionNumber: 1, Typ: 'Kassenbeleg-V1', Data: 'x', Password }
    const other = frame('FinishTransaction', { ...finish, ClientID: 'OTHER' })
    const heard = await said(begin, start({ Password }), other)
    expect(codes(heard.slice(2))).toEqual([5017])
  })

  it('blocks its user after three wrong passwords', async () => {
    const wrong = frame('GetDeviceStatus', { Password: Buffer.from('1').toString('base64') })
    const right = frame('GetDeviceStatus', { Password })
    expect(codes((await said(begin, wrong, wrong, wrong, right)).slice(1))).toEqual([
      30, 30, 30, 32,
    ])
    expect(simulator.watched.wrongLogins).toBe(3)
  })
})
