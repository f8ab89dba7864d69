// Simulators that keep what they are in a file: the next process is the same device, whenever the
// one before was killed.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TSE_STATES, type Tse } from '../../../src/device/tse/tse.js'
import { EPSON_PACKAGE, epsonDriver } from '../../../src/market/de/devices/epson/driver.js'
import { FISKALY_PACKAGE, fiskalyDriver } from '../../../src/market/de/devices/fiskaly/driver.js'
import { SIMULATORS, type Simulated } from '../../../src/simulator/devices/table.js'
import {
  type Bench,
  benchOf,
  CLIENT,
  findingsOf,
  LIMIT,
  receiptOf,
} from '../../support/de/device-bench.js'
import { ADMIN_PIN, deploy, LOGIN, TSS } from '../../support/de/fiskaly-service.js'
import { tarBytes } from '../../support/de/memory-tars.js'

let folder: string
let state: string
let running: Simulated | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-simulator-'))
  state = join(folder, 'device.state')
})
afterEach(async () => {
  await running?.close()
  rmSync(folder, { recursive: true })
})

async function start(name: string, port = 0): Promise<Simulated> {
  await running?.close()
  const order = { port, host: '127.0.0.1', until: undefined, state }
  running = await SIMULATORS[name]?.start(order)
  if (running === undefined) throw new Error(`there is no ${name}`)
  return running
}

interface Kind {
  name: string
  /** A device that was set up, and its driver's bench. */
  begin(): Promise<{ bench: Bench; port: number }>
  open(bench: Bench): Tse
}

const fiskaly: Kind = {
  name: 'fiskaly',
  begin: async () => {
    const { port, access } = await start('fiskaly')
    const { url = '' } = access
    await deploy(url)
    const configuration = { ...LOGIN, tssId: TSS, adminPin: ADMIN_PIN }
    const bench = await benchOf(fiskalyDriver, FISKALY_PACKAGE, { url, port, configuration })
    await fiskalyDriver.open(bench.scu, bench.tools).setState(TSE_STATES.initialized, LIMIT)
    return { bench, port }
  },
  open: ({ scu, tools }) => fiskalyDriver.open(scu, tools),
}
const epson: Kind = {
  name: 'epson',
  begin: async () => {
    const { port, access } = await start('epson')
    const configuration = { timeAdminPin: access.timeAdminPin, adminPin: access.adminPin }
    const url = access.url ?? ''
    return { bench: await benchOf(epsonDriver, EPSON_PACKAGE, { url, port, configuration }), port }
  },
  open: ({ scu, tools }) => epsonDriver.open(scu, tools),
}

describe.each([fiskaly, epson])('$name', (kind) => {
  it('goes on as the same device, and its whole log holds', async () => {
    const { bench, port } = await kind.begin()
    await kind.open(bench).registerClient(CLIENT, LIMIT)
    const numbers = [(await receiptOf(kind.open(bench))).number]
    for (const torn of ['', '[["unit/head",{"coun']) {
      // what a process that was killed in the middle of a call leaves
      appendFileSync(state, torn)
      const { watched } = await start(kind.name, port)
      watched?.script([{ call: '*', do: 'answer-lost', after: 3 }])
      numbers.push((await receiptOf(kind.open(bench))).number)
      watched?.clear()
    }
    expect(numbers).toEqual([1, 2, 3])
    await start(kind.name, port)
    const tse = kind.open(bench)
    expect(await tse.info(LIMIT)).toMatchObject({ clientIds: [CLIENT], openTransactions: [] })
    const { tar, from } = await tse.exportMemory(false, LIMIT)
    expect(from).toBe(1)
    expect(await findingsOf(await tarBytes(tar))).toEqual([])
  })

  it('takes no file of another device', async () => {
    await kind.begin()
    const other = kind === fiskaly ? 'epson' : 'fiskaly'
    await running?.close()
    running = undefined
    await expect(start(other)).rejects.toThrow(`is not of ${other}`)
    expect(readFileSync(state, 'utf8')).toContain(`{"simulator":"${kind.name}"}`)
  })
})

describe.each(['atrust', 'primesign'])('%s', (name) => {
  const certificate = async ({ access }: Simulated): Promise<string> => {
    const token = { 'x-auth-token': access.sharedSecret ?? '' }
    const path =
      name === 'atrust' ? `${access.user}/Certificate` : 'rs/keys/rk-key-1/certificate.cer'
    const answer = await fetch(`${access.url}/${path}`, { headers: token })
    expect(answer.status).toBe(200)
    return answer.text()
  }

  it('has the same certificate again', async () => {
    const before = await certificate(await start(name))
    expect(await certificate(await start(name))).toBe(before)
    rmSync(state)
    expect(await certificate(await start(name))).not.toBe(before)
  })
})
