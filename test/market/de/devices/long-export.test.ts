// Exports that are longer than memory, that break off anywhere, and that nobody ends: through the
// real place where they lie.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUnitTars } from '../../../../src/core/unit-tars.js'
import { DeviceError } from '../../../../src/device/device.js'
import { EPSON_PACKAGE, epsonDriver } from '../../../../src/market/de/devices/epson/driver.js'
import { EpsonSimulator } from '../../../../src/simulator/devices/epson/simulator.js'
import { FccSimulator } from '../../../../src/simulator/devices/fcc/simulator.js'
import { type Listening, listenHttp } from '../../../../src/simulator/devices/http-door.js'
import { SwissbitSimulator } from '../../../../src/simulator/devices/swissbit-cloud/simulator.js'
import type { Store } from '../../../../src/store/client.js'
import { Child, FIXED_HEAP } from '../../../support/child.js'
import { createTestDatabase, type TestDatabase } from '../../../support/db.js'
import {
  type Bench,
  benchOf,
  CLIENT,
  expectClean,
  findingsOf,
  LIMIT,
  receiptOf,
} from '../../../support/de/device-bench.js'
import { ADMIN_PIN, LOGIN, startFiskaly, TSS } from '../../../support/de/fiskaly-service.js'
import { tarBytes } from '../../../support/de/memory-tars.js'
import { testStore } from '../../../support/make.js'

/** `npm run soak` makes it a whole gigabyte. */
const MEBIBYTES = Number(process.env.TAR_MEBIBYTES ?? 80)
/** Less than the file, so that one that is held as a whole is found. */
const MOST_GROWTH = Math.min(64, 0.8 * MEBIBYTES)
const PINS = { admin: '11111', timeAdmin: '22222', puk: '123456' }
const PIN_SETTINGS = { timeAdminPin: '22222', adminPin: '11111' }

let database: TestDatabase
let store: Store
let simulator: EpsonSimulator
let listening: Listening

beforeAll(async () => {
  database = await createTestDatabase()
  store = testStore(database.config)
})
beforeEach(async () => {
  simulator = new EpsonSimulator({ pins: PINS })
  listening = await simulator.listen(0)
})
afterEach(() => listening.close())
afterAll(async () => {
  await store.close()
  await database.drop()
})

async function benchWith(scuId: string = randomUUID()): Promise<Bench> {
  const { port } = listening
  const place = { url: `tcp://127.0.0.1:${port}`, port, configuration: PIN_SETTINGS }
  const bench = await benchOf(epsonDriver, EPSON_PACKAGE, place)
  bench.scu.id = scuId
  bench.tools.tars = createUnitTars(store, () => new Date())
  return bench
}

const open = ({ scu, tools }: Bench) => epsonDriver.open(scu, tools)

async function fault(work: Promise<unknown>): Promise<DeviceError> {
  const [ended] = await Promise.allSettled([work])
  if (ended.status === 'rejected' && ended.reason instanceof DeviceError) return ended.reason
  throw new Error('it did not fail as a device does')
}

/** Rows and parts of exports on their way. */
async function kept(scuId: string) {
  const { rows } = await store.pool.query<{ tars: number; parts: number }>(
    `select count(distinct t.id)::int as tars, count(p.number)::int as parts from unit_tar t
      left join unit_tar_part p on p.tar_id = t.id where t.scu_id = $1`,
    [scuId],
  )
  return rows[0]
}

describe('a long export', { timeout: 600_000 + MEBIBYTES * 3_000 }, () => {
  it('of an Epson device is fetched in little memory', async () => {
    simulator.storage.unit.age(MEBIBYTES * 1024)
    const url = `tcp://127.0.0.1:${listening.port}`
    const told = await measured('epson', url, PIN_SETTINGS)
    expect(told).toMatchObject({ isSame: true, without: [] })
    expect(told.mebibytes).toBeGreaterThan(MEBIBYTES)
    expect(told.growth).toBeLessThan(MOST_GROWTH)
  })

  it('of the cloud service is fetched in little memory', async () => {
    const service = await startFiskaly({ now: () => new Date() })
    try {
      service.unit().age(MEBIBYTES * 1024)
      const settings = { ...LOGIN, tssId: TSS, adminPin: ADMIN_PIN }
      const told = await measured('fiskaly', service.url, settings)
      expect(told).toMatchObject({ isSame: true, without: [], erased: false })
      // of a gibibyte, as much as one export of the service may have
      expect(told.mebibytes).toBeGreaterThan(Math.min(MEBIBYTES, 970))
      expect(told.growth).toBeLessThan(MOST_GROWTH)
    } finally {
      await service.close()
    }
  })

  it('of a connector, in Base64, is fetched in little memory', async () => {
    const secrets = { ersCode: 'ers-code', registrationToken: 'token' }
    const connector = new FccSimulator(secrets)
    const { port, close } = await listenHttp(connector, 0)
    try {
      connector.unit.age(MEBIBYTES * 1024)
      const told = await measured('fcc', `http://127.0.0.1:${port}`, secrets)
      expect(told).toMatchObject({ isSame: true, without: [], erased: false })
      expect(told.mebibytes).toBeGreaterThan(MEBIBYTES)
      expect(told.growth).toBeLessThan(MOST_GROWTH)
    } finally {
      await close()
    }
  })

  it('of a service that gives an address for it is fetched in little memory', async () => {
    const token = 'token-of-the-unit'
    const service = new SwissbitSimulator({ token })
    const { port, close } = await listenHttp(service, 0)
    try {
      service.unit.age(MEBIBYTES * 1024)
      const settings = { environment: 'test', serial: service.unit.serialHex, token }
      const told = await measured('swissbit', `http://127.0.0.1:${port}`, settings)
      expect(told).toMatchObject({ isSame: true, without: [], erased: true })
      expect(told.mebibytes).toBeGreaterThan(MEBIBYTES)
      expect(told.growth).toBeLessThan(MOST_GROWTH)
    } finally {
      await close()
    }
  })

  async function measured(device: string, url: string, settings: object) {
    const connection = JSON.stringify(database.config)
    const args = [connection, device, url, JSON.stringify(settings)]
    const child = new Child('de/tar-memory.ts', args, FIXED_HEAP)
    const line = await child.line()
    expect(await child.ended).toBe(0)
    if (MEBIBYTES > 100) console.log(device, line)
    return JSON.parse(line) as { mebibytes: number; growth: number }
  }
})

/** A clock that each look moves, so that the time of a closing ends in the middle. */
function stepping({ tools }: Bench): number {
  let time = 0
  tools.steady = () => {
    time += 50
    return time
  }
  return 2_500
}

describe('an export that takes longer than its closing', () => {
  it('is gone on with behind it, and the next closing has it, once', async () => {
    const bench = await benchWith()
    const tse = open(bench)
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    simulator.storage.unit.age(10_000)
    const error = await fault(tse.exportMemory(true, { timeoutMs: stepping(bench) }))
    expect(error).toMatchObject({ kind: 'busy' })
    expect(error.message).toContain('gone on with')
    await open(bench).maintain({ timeoutMs: 200_000 })
    expect(simulator.storage.unit.entries).toEqual([])
    const memory = await tse.exportMemory(true, LIMIT)
    expect(memory).toMatchObject({ from: 1, without: [], erased: true })
    expect(memory.to).toBeGreaterThan(10_000)
    expect(simulator.watched.calls.filter((name) => name === 'ArchiveExport')).toHaveLength(1)
    expectClean(simulator.watched)
  })

  it('is given up where a register signs meanwhile', async () => {
    const bench = await benchWith()
    const tse = open(bench)
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    simulator.storage.unit.age(10_000)
    const timeoutMs = stepping(bench)
    expect(await fault(tse.exportMemory(true, { timeoutMs }))).toMatchObject({ kind: 'busy' })
    const { counter } = await receiptOf(tse)
    await fault(open(bench).maintain({ timeoutMs: 200_000 }))
    expect(await kept(bench.scu.id)).toEqual({ tars: 0, parts: 0 })
    bench.tools.steady = () => performance.now()
    const memory = await tse.exportMemory(true, { timeoutMs: 60_000 })
    expect(memory).toMatchObject({ to: counter, erased: true })
    expectClean(simulator.watched)
  })

  it('whose device was erased waits for the closing that gets it', async () => {
    const bench = await benchWith()
    const tse = open(bench)
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    const first = await tse.exportMemory(true, LIMIT)
    expect(first.erased).toBe(true)
    await receiptOf(tse)
    // the commit of the first closing was lost: no archive names it
    const again = await tse.exportMemory(true, LIMIT)
    expect(again.tar?.id).toBe(first.tar?.id)
    expect(await tarBytes(again.tar)).toEqual(await tarBytes(first.tar))
    await nameIt(bench, again.tar?.id)
    const second = await tse.exportMemory(true, LIMIT)
    expect(second.from).toBeGreaterThan(first.to)
    expect(await findingsOf(await tarBytes(second.tar))).toEqual(['COUNTER_ERASED'])
  })

  async function nameIt({ scu }: Bench, id = '') {
    const now = (BigInt(Date.now()) * 10_000n + 621_355_968_000_000_000n).toString()
    await store.pool.query(
      `insert into market_journal values ($1, $2, $3, $2, 'archive', 1, $4, $2, null, $5)`,
      [scu.accountId, randomUUID(), now, scu.id, JSON.stringify({ kept: { id } })],
    )
  }
})

describe('an export that breaks off', () => {
  it('at any answer leaves nothing behind, and the next one is whole', async () => {
    const bench = await benchWith()
    const tse = open(bench)
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    const steps = ['ArchiveExport', 'GetExportData', 'GetStartedTransactionList', 'GetStorageInfo']
    for (const call of steps) {
      for (const how of ['request-lost', 'answer-lost', 'half-answer'] as const) {
        simulator.watched.script([{ call, do: how }])
        await fault(tse.exportMemory(false, LIMIT))
        simulator.watched.clear()
        const next = await tse.exportMemory(false, LIMIT)
        expect(await findingsOf(await tarBytes(next.tar))).toEqual([])
      }
    }
    expectClean(simulator.watched)
  })

  it('at its very end is kept: the device may have erased what it gave', async () => {
    const bench = await benchWith()
    const tse = open(bench)
    await tse.registerClient(CLIENT, LIMIT)
    const before = await receiptOf(tse)
    simulator.watched.script([{ call: 'FinalizeExport', do: 'answer-lost' }])
    const memory = await tse.exportMemory(true, LIMIT)
    expect(memory).toMatchObject({ to: before.counter, erased: true })
    expect(simulator.storage.unit.entries).toEqual([])
    expect(await findingsOf(await tarBytes(memory.tar))).toEqual([])
  })

  it('with its process is given up by the next one, which begins anew', async () => {
    const bench = await benchWith()
    const tse = open(bench)
    await tse.registerClient(CLIENT, LIMIT)
    await receiptOf(tse)
    const { tars } = bench.tools
    // a process that has died: it holds the export, and wrote half of it
    const dead = await tars?.begin(bench.scu, -10_000)
    await dead?.write(Buffer.alloc(600_000))
    expect(await kept(bench.scu.id)).toEqual({ tars: 1, parts: 1 })
    const { tar } = await open(bench).exportMemory(false, LIMIT)
    expect(await findingsOf(await tarBytes(tar))).toEqual([])
    expect(await kept(bench.scu.id)).toEqual({ tars: 1, parts: 1 })
    // who comes back late writes nothing into it
    expect(await fault(dead?.keep('x') ?? Promise.resolve())).toMatchObject({ kind: 'busy' })
  })

  it('while another process fetches it waits, and says so', async () => {
    const bench = await benchWith()
    const other = await bench.tools.tars?.begin(bench.scu, 60_000)
    const error = await fault(open(bench).exportMemory(false, { timeoutMs: 500 }))
    expect(error).toMatchObject({ kind: 'busy', message: expect.stringContaining('under way') })
    await other?.drop()
    expect(await kept(bench.scu.id)).toEqual({ tars: 0, parts: 0 })
  })
})
