// Which German devices a server in production uses, and a sandbox: by what they say of themselves,
// and by what somebody has confirmed of it. From stored facts, and before anything is signed.
import { afterEach, describe, expect, it } from 'vitest'
import { demandUsable } from '../../../../src/core/drivers.js'
import { type DriverTools, UnitBroken } from '../../../../src/device/device.js'
import { TSE_STATES } from '../../../../src/device/tse/tse.js'
import { FISKALY_PACKAGE, fiskalyDriver } from '../../../../src/market/de/devices/fiskaly/driver.js'
import { REMOTE_PACKAGE, remoteDriver } from '../../../../src/market/de/devices/remote.js'
import type { FiskalyOptions } from '../../../../src/simulator/devices/fiskaly/simulator.js'
import { type Bench, benchOf, CLIENT, LIMIT, receiptOf } from '../../../support/de/device-bench.js'
import { ADMIN_PIN, LOGIN, startFiskaly, TSS } from '../../../support/de/fiskaly-service.js'
import { SERVICE_CASH_BOX, SERVICE_TOKEN, TseService } from '../../../support/de/tse-service.js'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function fiskaly(options: Partial<FiskalyOptions>) {
  const service = await startFiskaly(options)
  ends.push(service.close)
  const { url, port } = service
  const configuration = { ...LOGIN, tssId: TSS, adminPin: ADMIN_PIN }
  const bench = await benchOf(fiskalyDriver, FISKALY_PACKAGE, { url, port, configuration })
  const tse = fiskalyDriver.open(bench.scu, bench.tools)
  await tse.setState(TSE_STATES.initialized, LIMIT)
  await tse.registerClient(CLIENT, LIMIT)
  return { service, bench }
}

const serverOf = ({ tools }: Bench, production: boolean): DriverTools => ({ ...tools, production })

async function lines({ scu, tools }: Bench, production: boolean) {
  const ask = { limit: LIMIT, probe: Buffer.alloc(32), holders: [] }
  const found = (await fiskalyDriver.proof?.(scu, { ...tools, production }, ask)) ?? []
  return Object.fromEntries(found.map(({ name, level }) => [name, level]))
}

function confirm({ scu }: Bench, what: string): void {
  const settings = JSON.parse(scu.configuration) as { confirmed?: string[] }
  const confirmed = [...(settings.confirmed ?? []), what]
  scu.configuration = JSON.stringify({ ...settings, confirmed })
}

const use = (bench: Bench, production: boolean) => {
  demandUsable(fiskalyDriver, bench.scu, { software: false, sandbox: !production })
  return receiptOf(fiskalyDriver.open(bench.scu, serverOf(bench, production)))
}

describe('a live unit of the cloud service', () => {
  it('is used by production when somebody has looked at it, and by no sandbox', async () => {
    const { service, bench } = await fiskaly({ env: 'LIVE' })
    const before = service.unit().counter
    expect(() => use(bench, true)).toThrow('nobody has confirmed')
    // one that was never asked: it is judged before anything is signed
    const fresh = { ...bench, scu: { ...bench.scu, state: '{}' } }
    await expect(use(fresh, true)).rejects.toThrow(UnitBroken)
    expect(service.unit().counter).toBe(before)
    expect(await lines(bench, true)).toMatchObject({ chain: 'bad', environment: 'ok' })
    const [fingerprint = '', ...others] = fiskalyDriver.issuers?.(bench.scu) ?? []
    expect(others).toEqual([])
    confirm(bench, fingerprint)
    expect(await lines(bench, true)).toMatchObject({ chain: 'ok', certification: 'ok' })
    await use(bench, true)
    expect(() => use(bench, false)).toThrow('live')
  })

  it('of a certification that is not known wants that to be confirmed too', async () => {
    const { bench } = await fiskaly({ env: 'LIVE', certificationId: 'BSI-K-TR-9999-2031' })
    const [fingerprint = '', name] = fiskalyDriver.issuers?.(bench.scu) ?? []
    expect(name).toBe('bsi-k-tr-9999-2031')
    confirm(bench, fingerprint)
    expect(() => use(bench, true)).toThrow('BSI-K-TR-9999-2031')
    expect(await lines(bench, true)).toMatchObject({ certification: 'bad', chain: 'ok' })
    expect(await lines(bench, false)).toMatchObject({ certification: 'warn' })
    confirm(bench, name ?? '')
    expect(await lines(bench, true)).toMatchObject({ certification: 'ok' })
    await use(bench, true)
  })

  it('for tests is used by no production, whatever was confirmed', async () => {
    const { bench } = await fiskaly({ env: 'TEST' })
    for (const one of fiskalyDriver.issuers?.(bench.scu) ?? []) confirm(bench, one)
    expect(() => use(bench, true)).toThrow('test')
    await use(bench, false)
  })
})

describe('a unit behind another server', () => {
  it('that nobody has certified is used by no production', async () => {
    const service = await TseService.start()
    ends.push(() => service.close())
    const configuration = { cashBoxId: SERVICE_CASH_BOX, accessToken: SERVICE_TOKEN }
    const { url, port } = service
    const bench = await benchOf(remoteDriver, REMOTE_PACKAGE, { url, port, configuration })
    const real = remoteDriver.open(bench.scu, serverOf(bench, true))
    await expect(real.info(LIMIT)).rejects.toThrow(UnitBroken)
    expect(remoteDriver.environment?.(bench.scu)).toBe('test')
    const usable = () => demandUsable(remoteDriver, bench.scu, { software: false, sandbox: false })
    expect(usable).toThrow('test')
    await remoteDriver.open(bench.scu, serverOf(bench, false)).info(LIMIT)
  })
})
