// The simulators that the command line starts: a line per device.
import { listenHttp } from './http-door.js'
import type { Watched } from './script.js'
import { type Found, type KeptRecord, StateFile } from './state-file.js'

export interface SimulatorOrder {
  port: number
  /** 127.0.0.1 unless told otherwise. */
  host: string
  /** End of its certificate. */
  until: Date | undefined
  /** Where it is kept what it knows; undefined: it is forgotten with the process. */
  state?: string | undefined
}

export interface Simulated {
  port: number
  /** What a caller needs, name by name. */
  access: Readonly<Record<string, string>>
  /** Left out: it takes no script from the command line. */
  watched?: Watched
  close(): Promise<void>
}

export interface SimulatorKind {
  title: string
  /** Port where the caller names none. */
  port: number
  start(order: SimulatorOrder): Promise<Simulated>
}

const until = ({ until: end }: SimulatorOrder) => (end === undefined ? {} : { until: end })

interface Stored {
  records(): Iterable<KeptRecord>
  restore(found: Found): void
}

/** Reads what it was, and returns what keeps it from then on. */
function kept(name: string, { state }: SimulatorOrder, of: Stored): (() => void) | undefined {
  if (state === undefined) return undefined
  const { file, found } = StateFile.open(state, name)
  of.restore(found)
  const save = () => file.save(of.records())
  save()
  return save
}

const stateOf = (name: string, { state }: Pick<SimulatorOrder, 'state'>) =>
  state === undefined ? {} : { state: StateFile.open(state, name) }

export const SIMULATORS: Readonly<Record<string, SimulatorKind>> = {
  fiskaly: {
    title: 'German cloud service SIGN DE v2, test environment',
    port: 9710,
    start: async (order) => {
      const { FiskalySimulator } = await import('./fiskaly/simulator.js')
      const login = { apiKey: 'test_key', apiSecret: 'test_secret' }
      const simulator = new FiskalySimulator({ ...login, env: 'TEST', ...until(order) })
      simulator.keep = kept('fiskaly', order, simulator)
      const { port, close } = await listenHttp(simulator, order.port, order.host)
      const url = `http://${order.host}:${port}/api/v2`
      return { port, close, access: { url, ...login }, watched: simulator.watched }
    },
  },
  epson: {
    title: 'Epson TSE (printer, device_id local_TSE), set up',
    port: 9711,
    start: async (order) => {
      const { EpsonSimulator } = await import('./epson/simulator.js')
      const pins = { admin: '11111', timeAdmin: '22222', puk: '123456' }
      const simulator = new EpsonSimulator({ pins, ...until(order) })
      simulator.keepState = kept('epson', order, simulator.storage)
      const { port, close } = await simulator.listen(order.port, { host: order.host })
      const url = `tcp://${order.host}:${port}`
      const access = { url, secretKey: 'EPSONKEY', timeAdminPin: '22222', adminPin: '11111' }
      return { port, close, access, watched: simulator.watched }
    },
  },
  atrust: {
    title: 'Austrian A-Trust RK Online and the appliance a.sign RK HSM, test certificates',
    port: 9712,
    start: async ({ port, ...order }) => {
      const { ACCOUNT, KEY_LABEL, simulateATrust } = await import('./rksv/atrust.js')
      const { online, appliance, close } = await simulateATrust({
        port,
        ...stateOf('atrust', order),
      })
      const access = { url: online, ...ACCOUNT, appliance, keyLabel: KEY_LABEL }
      return { port: Number(new URL(online).port), close, access }
    },
  },
  primesign: {
    title: 'Austrian PrimeSign RKSV HSM, test certificates',
    port: 9713,
    start: async ({ port, ...order }) => {
      const { PRIMESIGN_TOKEN, simulatePrimeSign } = await import('./rksv/primesign.js')
      const { url, close } = await simulatePrimeSign({ port, ...stateOf('primesign', order) })
      const access = { url, sharedSecret: PRIMESIGN_TOKEN }
      return { port: Number(new URL(url).port), close, access }
    },
  },
  diebold: {
    title: 'Diebold Nixdorf TSE behind its web service, set up',
    port: 9714,
    start: async (order) => {
      const { DieboldSimulator } = await import('./diebold/simulator.js')
      const simulator = new DieboldSimulator({ ...until(order) })
      simulator.keepState = kept('diebold', order, simulator)
      const { port, close } = await simulator.listen(order.port, { host: order.host })
      const access = { url: `ws://${order.host}:${port}`, timeAdminPassword: '12345' }
      return { port, close, access, watched: simulator.watched }
    },
  },
  swissbitcloud: {
    title: 'German cloud service web-tse (version 2), a unit in operation',
    port: 9715,
    start: async (order) => {
      const { SwissbitSimulator } = await import('./swissbit-cloud/simulator.js')
      const token = 'token-for-tests'
      const simulator = new SwissbitSimulator({ token, ...until(order) })
      simulator.keep = kept('swissbitcloud', order, simulator)
      const { port, close } = await listenHttp(simulator, order.port, order.host)
      const url = `http://${order.host}:${port}`
      const access = { url, serial: simulator.unit.serialHex, token, environment: 'test' }
      return { port, close, access, watched: simulator.watched }
    },
  },
  fcc: {
    title: 'connector of the Deutsche Fiskal (FCC) with a D-Trust unit',
    port: 9716,
    start: async (order) => {
      const { FccSimulator } = await import('./fcc/simulator.js')
      const secrets = { ersCode: 'ers-code-for-tests', registrationToken: 'registration-token' }
      const simulator = new FccSimulator({ ...secrets, maxClients: 100, ...until(order) })
      simulator.keep = kept('fcc', order, simulator)
      const { port, close } = await listenHttp(simulator, order.port, order.host)
      const access = { url: `http://${order.host}:${port}`, ...secrets }
      return { port, close, access, watched: simulator.watched }
    },
  },
  card: {
    title: 'Austrian card a.sign RK CHIP, put into the virtual reader of vpcd at this port',
    port: 35_963,
    start: async ({ port, host }) => {
      const { plugIn, RksvCard } = await import('./rksv/card.js')
      const card = await RksvCard.make()
      const unplug = await plugIn(card, { host, port })
      return { port, close: async () => unplug(), access: { pin: '123456', kind: 'ACOS-ID' } }
    },
  },
}
