// German queues with certified devices through the sign path on a database: lost answers, wrong
// credentials, dead devices, killed servers. The log of the device is the proof.
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUnitLogins } from '../../../src/core/unit-logins.js'
import { createOutbound } from '../../../src/device/outbound.js'
import { createConnect } from '../../../src/device/socket.js'
import { EPSON_PACKAGE } from '../../../src/market/de/devices/epson/driver.js'
import { FISKALY_PACKAGE } from '../../../src/market/de/devices/fiskaly/driver.js'
import { EpsonSimulator } from '../../../src/simulator/devices/epson/simulator.js'
import { FAULT_KINDS, type Watched } from '../../../src/simulator/devices/script.js'
import type { SecurityUnit } from '../../../src/simulator/devices/security-unit.js'
import { Child } from '../../support/child.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { expectClean, findingsOf } from '../../support/de/device-bench.js'
import { ADMIN_PIN, LOGIN, startFiskaly, TSS } from '../../support/de/fiskaly-service.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  answer,
  createTill,
  job,
  openStand,
  type Stand,
  type Till,
  testKey,
} from '../../support/stand.js'

const START = 0x4445_0001_0000_0003n
const ZERO = 0x4445_0001_0000_0002n
const DAILY = 0x4445_0001_0000_0007n
const OUT = '(TSE) fehlgeschlagen'

const masterKey = testKey()
let database: TestDatabase
let client: pg.Client
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
})
afterAll(async () => {
  for (const end of ends) await end()
  await client.end()
  await database.drop()
})

/** A simulated device and what a dealer configures for it. */
interface Device {
  package: string
  url: string
  port: number
  configuration: Record<string, unknown>
  watched: Watched
  unit(): SecurityUnit
  /** Names of calls that a receipt makes. */
  steps: readonly string[]
}

async function fiskaly(): Promise<Device> {
  const { simulator, port, url, unit, close } = await startFiskaly()
  ends.push(close)
  const configuration = { ...LOGIN, tssId: TSS, adminPin: ADMIN_PIN }
  const steps = ['start', 'finish', 'transaction', 'info']
  const { watched } = simulator
  return { package: FISKALY_PACKAGE, url, port, configuration, watched, unit, steps }
}

async function epson(): Promise<Device> {
  const pins = { admin: '11111', timeAdmin: '22222', puk: '123456' }
  const simulator = new EpsonSimulator({ pins })
  const { port, close } = await simulator.listen(0)
  ends.push(close)
  const { watched, storage } = simulator
  // closings erase; the whole log is the proof
  storage.unit.erase = () => undefined
  return {
    ...{ package: EPSON_PACKAGE, url: `tcp://127.0.0.1:${port}`, port, watched },
    configuration: { timeAdminPin: '22222', adminPin: '11111' },
    unit: () => storage.unit,
    steps: ['StartTransaction', 'FinishTransaction', 'GetLastTransactionResponse'],
  }
}

/** A server of its own: its sessions are its own as well. */
function open(devices: readonly Device[]): Stand {
  const allow = devices.map(({ port }) => `127.0.0.1:${port}`)
  const made = openStand(database.config, { masterKey, allow })
  const outside = { fetch: createOutbound({ allow }), connect: createConnect({ allow }) }
  Object.assign(made.deps.tools, { ...outside, logins: createUnitLogins(made.store) })
  ends.unshift(() => made.close())
  return made
}

let tills = 0
function tillOf(
  on: Stand,
  device: Device,
  { shares, timeoutMs = 1_500 }: Shop = {},
): Promise<Till> {
  tills += 1
  const { package: name, url, configuration } = device
  const queue = {
    ...{ market: 'DE', identification: `KASSE${String(tills).padStart(4, '0')}` },
    configuration: { 'scu-timeout-ms': timeoutMs },
  }
  const scu = { market: 'DE', package: name, url, configuration }
  const unit = shares === undefined ? { market: 'DE', scu } : { market: 'DE', shares }
  return createTill(on, { ...unit, queue, started: false })
}

interface Shop {
  shares?: Till
  timeoutMs?: number
}

const send = (on: Stand, till: Till, receiptCase: bigint) =>
  answer(on.signing.sign(job(till, { receiptCase, reference: String(receiptCase), cents: null })))
const sell = (on: Stand, till: Till, reference: string) =>
  answer(on.signing.sign(job(till, { reference })))

async function started(on: Stand, device: Device, shop: Shop = {}): Promise<Till> {
  const till = await tillOf(on, device, shop)
  expect(await send(on, till, START)).toContain('In-Betriebnahme-Beleg')
  return till
}

async function checked(on: Stand, till: Till) {
  const ledger = await readLedger(client, till.queueId)
  verifyLedger(ledger, on.store.sealer)
  return ledger
}

/** The whole log holds, and nothing is left open. */
async function expectLog({ unit, watched }: Device): Promise<void> {
  const { open: left, entries } = unit()
  expect(left).toEqual([])
  expect(await findingsOf(Buffer.concat([...unit().tar(entries)]))).toEqual([])
  expectClean(watched)
}

describe.each([
  ['fiskaly', fiskaly],
  ['an Epson device', epson],
] as const)('%s', (_, make) => {
  it('signs through answers that are lost at every step, each receipt once', async () => {
    const device = await make()
    const on = open([device])
    const till = await started(on, device)
    const kinds = FAULT_KINDS.filter((kind) => kind !== 'slow' && kind !== 'refuse')
    let receipts = 1
    let numbers = 0
    for (const call of device.steps) {
      for (const kind of kinds) {
        device.watched.script([{ call, do: kind }])
        const text = await sell(on, till, `${call} ${kind}`)
        numbers += text.includes(OUT) ? 0 : 1
        device.watched.clear()
        receipts += 1
      }
    }
    expect(await send(on, till, ZERO)).not.toContain(OUT)
    await send(on, till, DAILY)
    const ledger = await checked(on, till)
    expect(ledger.receipts).toHaveLength(receipts + 2)
    expect(numbers).toBeGreaterThan(receipts / 2)
    await expectLog(device)
  })

  it('is out for the receipts of an outage, and back with the zero receipt', async () => {
    const device = await make()
    const on = open([device])
    const till = await started(on, device)
    device.watched.script([{ call: '*', do: 'answer-lost', times: 40 }])
    expect(await sell(on, till, 'lost')).toContain(OUT)
    device.watched.clear()
    expect(await send(on, till, ZERO)).not.toContain(OUT)
    expect(await sell(on, till, 'back')).not.toContain(OUT)
    await send(on, till, DAILY)
    await expectLog(device)
  })
})

describe('credentials that are wrong', () => {
  it('are sent once by several queues on two servers', async () => {
    const device = await fiskaly()
    const [one, two] = [open([device]), open([device])]
    device.configuration = { ...device.configuration, apiSecret: 'old_secret' }
    const first = await tillOf(one, device)
    const second = await tillOf(one, device, { shares: first })
    const start = { receiptCase: START, cents: null }
    await Promise.all([
      one.signing.sign(job(first, start)),
      two.signing.sign(job(second, start)),
      one.signing.sign(job(second, { ...start, reference: 'again' })),
    ])
    expect(device.watched.wrongLogins).toBe(1)
  })
})

describe('a device that does not answer', () => {
  it('delays no queue of another', async () => {
    const [dead, well] = [await fiskaly(), await epson()]
    const on = open([dead, well])
    const stuck = await started(on, dead)
    const till = await started(on, well)
    dead.watched.script([{ call: '*', do: 'slow', ms: 3_000, times: 50 }])
    let isAnswered = false
    const late = sell(on, stuck, 'late').finally(() => {
      isAnswered = true
    })
    for (let nth = 0; nth < 3; nth += 1) expect(await sell(on, till, `w${nth}`)).not.toContain(OUT)
    expect(isAnswered).toBe(false)
    expect(await late).toContain(OUT)
    await checked(on, stuck)
  })
})

describe('a server that is killed', () => {
  it.each(['before-commit=kill@5', 'after-device=kill@3', 'after-commit=kill@6'])(
    'at %s loses nothing, and the closing ends what it left open',
    async (failPoints) => {
      const device = await fiskaly()
      const on = open([device])
      const till = await started(on, device, { timeoutMs: 2_500 })
      const input = { connection: database.config, masterKey: masterKey.toString('base64') }
      const allow = [`127.0.0.1:${device.port}`]
      const child = new Child('sign-script.ts', [
        JSON.stringify({ ...input, allow, failPoints, till }),
      ])
      await child.ended
      expect(child.process.signalCode).toBe('SIGKILL')
      expect(await sell(on, till, 'after')).not.toContain(OUT)
      await send(on, till, DAILY)
      await checked(on, till)
      await expectLog(device)
    },
  )
})
