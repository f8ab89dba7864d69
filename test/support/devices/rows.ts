// The rows of the table of certified devices: each simulator with what a dealer configures for it,
// and one set of words for what goes wrong with it.
import { DIEBOLD_PACKAGE } from '../../../src/market/de/devices/diebold/driver.js'
import { EPSON_PACKAGE } from '../../../src/market/de/devices/epson/driver.js'
import { FCC_PACKAGE } from '../../../src/market/de/devices/fcc/driver.js'
import { FISKALY_PACKAGE } from '../../../src/market/de/devices/fiskaly/driver.js'
import { SWISSBIT_CLOUD_PACKAGE } from '../../../src/market/de/devices/swissbit-cloud/driver.js'
import { DieboldSimulator } from '../../../src/simulator/devices/diebold/simulator.js'
import { EpsonSimulator } from '../../../src/simulator/devices/epson/simulator.js'
import { FccSimulator } from '../../../src/simulator/devices/fcc/simulator.js'
import { listenHttp } from '../../../src/simulator/devices/http-door.js'
import type { FaultKind, Watched } from '../../../src/simulator/devices/script.js'
import type { SecurityUnit } from '../../../src/simulator/devices/security-unit.js'
import { SwissbitSimulator } from '../../../src/simulator/devices/swissbit-cloud/simulator.js'
import { ADMIN_PIN, LOGIN, startFiskaly, TSS } from '../de/fiskaly-service.js'
import { rksvRows } from './rksv-rows.js'

/** What can happen to a call of any device. */
export type Mishap = Extract<
  FaultKind,
  'request-lost' | 'answer-lost' | 'half-answer' | 'restart' | 'foreign-signature' | 'slow'
>

export interface Planned {
  /** Name of the call; '': any. */
  call: string
  mishap: Mishap
  times?: number
  ms?: number
}

export interface Device {
  market: 'AT' | 'DE'
  package: string
  url: string
  port: number
  configuration: Record<string, unknown>
  /** The same with credentials that the device refuses. */
  wrong: Record<string, unknown>
  plan(...steps: readonly Planned[]): void
  clear(): void
  wrongLogins(): number
  /** What no correct driver sends. */
  offences(): readonly string[]
  /** Of the whole life of the device. */
  signatures(): number
  /** Later than it is, by so many milliseconds. */
  age(ms: number): void
  /** Of a device that keeps a log. */
  unit?: () => SecurityUnit
  /** Its log is exported by a program of its vendor alone. */
  noExport?: true
  close(): Promise<void>
}

export interface Row {
  name: string
  /** The calls of a receipt, each of which may be lost. */
  steps: readonly string[]
  make(): Promise<Device>
  /** Another row has the same driver but for the wire: the short form asks less of it. */
  isTwin?: boolean
  /** It gives no answer a second time: a receipt whose finish was lost is out. */
  tellsOnce?: boolean
}

const clock = () => {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    age: (ms: number) => {
      ahead = ms
    },
  }
}

function watching(watched: Watched): Pick<Device, 'plan' | 'clear' | 'wrongLogins' | 'offences'> {
  return {
    plan: (...steps) =>
      watched.script(
        steps.map(({ call, mishap, times = 1, ms = 0 }) => ({
          ...{ call: call === '' ? '*' : call, do: mishap, times, ms },
        })),
      ),
    clear: () => watched.clear(),
    wrongLogins: () => watched.wrongLogins,
    offences: () => watched.offences,
  }
}

const transactionsOf = ({ entries }: SecurityUnit) =>
  entries.filter(({ transaction }) => transaction !== undefined).length

async function fiskaly(): Promise<Device> {
  const { now, age } = clock()
  const { simulator, port, url, unit, close } = await startFiskaly({ now })
  const configuration = { ...LOGIN, tssId: TSS, adminPin: ADMIN_PIN }
  return {
    ...{ market: 'DE', package: FISKALY_PACKAGE, url, port, configuration },
    wrong: { ...configuration, apiSecret: 'old_secret' },
    ...watching(simulator.watched),
    ...{ age, unit, close },
    signatures: () => transactionsOf(unit()),
  }
}

async function epson(): Promise<Device> {
  const { now, age } = clock()
  const pins = { admin: '11111', timeAdmin: '22222', puk: '123456' }
  const simulator = new EpsonSimulator({ pins, now })
  const { port, close } = await simulator.listen(0)
  const { watched, storage } = simulator
  // closings erase; the whole log is the proof
  storage.unit.erase = () => undefined
  const configuration = { timeAdminPin: '22222', adminPin: '11111' }
  return {
    ...{ market: 'DE', package: EPSON_PACKAGE, url: `tcp://127.0.0.1:${port}`, port },
    ...{ configuration, wrong: { ...configuration, timeAdminPin: '33333' } },
    ...watching(watched),
    ...{ age, close, unit: () => storage.unit },
    signatures: () => transactionsOf(storage.unit),
  }
}

async function diebold(): Promise<Device> {
  const { now, age } = clock()
  const simulator = new DieboldSimulator({ now })
  const { port, close } = await simulator.listen(0)
  const { watched, unit } = simulator
  return {
    ...{ market: 'DE', package: DIEBOLD_PACKAGE, url: `ws://127.0.0.1:${port}`, port },
    configuration: { timeAdminPassword: '12345' },
    wrong: { timeAdminPassword: '54321' },
    ...watching(watched),
    ...{ age, close, unit: () => unit, noExport: true },
    signatures: () => transactionsOf(unit),
  }
}

async function swissbitCloud(): Promise<Device> {
  const { now, age } = clock()
  const token = 'token-of-the-unit'
  const simulator = new SwissbitSimulator({ token, now })
  // closings erase; the whole log is the proof
  simulator.erases = false
  const { port, close } = await listenHttp(simulator, 0)
  const { watched, unit } = simulator
  const configuration = { environment: 'test', serial: unit.serialHex, token }
  return {
    ...{ market: 'DE', package: SWISSBIT_CLOUD_PACKAGE, url: `http://127.0.0.1:${port}`, port },
    ...{ configuration, wrong: { ...configuration, token: 'token-of-another' } },
    ...watching(watched),
    ...{ age, close, unit: () => unit },
    signatures: () => transactionsOf(unit),
  }
}

async function fcc(): Promise<Device> {
  const { now, age } = clock()
  const secrets = { ersCode: 'ers-code-for-tests', registrationToken: 'registration-token' }
  const simulator = new FccSimulator({ ...secrets, maxClients: 100, now })
  // closings erase; the whole log is the proof
  simulator.erases = false
  const { port, close } = await listenHttp(simulator, 0)
  const { watched, unit } = simulator
  return {
    ...{ market: 'DE', package: FCC_PACKAGE, url: `http://127.0.0.1:${port}`, port },
    ...{ configuration: secrets, wrong: { ...secrets, ersCode: 'ers-code-of-last-year' } },
    ...watching(watched),
    ...{ age, close, unit: () => unit },
    signatures: () => transactionsOf(unit),
  }
}

export const ROWS: readonly Row[] = [
  { name: 'fiskaly', steps: ['start', 'finish', 'transaction', 'login', 'info'], make: fiskaly },
  {
    name: 'Epson',
    steps: [
      ...['StartTransaction', 'FinishTransaction', 'GetLastTransactionResponse'],
      ...['GetChallenge', 'AuthenticateUserForTimeAdmin'],
    ],
    make: epson,
  },
  {
    name: 'Diebold Nixdorf',
    steps: [
      ...['StartTransaction', 'FinishTransaction', 'SetDefaultClientID'],
      ...['GetDeviceStatus', 'GetDeviceInfo'],
    ],
    make: diebold,
    tellsOnce: true,
  },
  {
    name: 'Swissbit Cloud',
    steps: ['startTransaction', 'finishTransaction', 'info', 'transactions', 'clients'],
    make: swissbitCloud,
    tellsOnce: true,
  },
  {
    name: 'Deutsche Fiskal',
    steps: ['start', 'finish', 'transactions', 'exportOne', 'token'],
    make: fcc,
  },
  ...rksvRows(clock),
]
