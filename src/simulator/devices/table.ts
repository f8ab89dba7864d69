// The simulators that the command line starts: a line per device.
import { listenHttp } from './http-door.js'
import type { Watched } from './script.js'

export interface SimulatorOrder {
  port: number
  /** 127.0.0.1 unless told otherwise. */
  host: string
  /** End of its certificate. */
  until: Date | undefined
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

export const SIMULATORS: Readonly<Record<string, SimulatorKind>> = {
  fiskaly: {
    title: 'German cloud service SIGN DE v2, test environment',
    port: 9710,
    start: async (order) => {
      const { FiskalySimulator } = await import('./fiskaly/simulator.js')
      const login = { apiKey: 'test_key', apiSecret: 'test_secret' }
      const simulator = new FiskalySimulator({ ...login, env: 'TEST', ...until(order) })
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
      const { port, close } = await simulator.listen(order.port, { host: order.host })
      const url = `tcp://${order.host}:${port}`
      const access = { url, secretKey: 'EPSONKEY', timeAdminPin: '22222', adminPin: '11111' }
      return { port, close, access, watched: simulator.watched }
    },
  },
  atrust: {
    title: 'Austrian A-Trust RK Online and the appliance a.sign RK HSM, test certificates',
    port: 9712,
    start: async ({ port }) => {
      const { ACCOUNT, KEY_LABEL, simulateATrust } = await import('./rksv/atrust.js')
      const { online, appliance, close } = await simulateATrust({ port })
      const access = { url: online, ...ACCOUNT, appliance, keyLabel: KEY_LABEL }
      return { port: Number(new URL(online).port), close, access }
    },
  },
  primesign: {
    title: 'Austrian PrimeSign RKSV HSM, test certificates',
    port: 9713,
    start: async ({ port }) => {
      const { PRIMESIGN_TOKEN, simulatePrimeSign } = await import('./rksv/primesign.js')
      const { url, close } = await simulatePrimeSign({ port })
      const access = { url, sharedSecret: PRIMESIGN_TOKEN }
      return { port: Number(new URL(url).port), close, access }
    },
  },
}
