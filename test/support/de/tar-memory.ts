// Fetches the export of a device in a process of its own and prints how its memory went: one JSON
// line. Run by test/market/de/devices/long-export.test.ts.
import { createHash, randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createUnitTars } from '../../../src/core/unit-tars.js'
import type { DriverTools, ScuHead } from '../../../src/device/device.js'
import type { Driver } from '../../../src/device/driver.js'
import { createOutbound } from '../../../src/device/outbound.js'
import { createConnect } from '../../../src/device/socket.js'
import { TSE_STATES, type Tse } from '../../../src/device/tse/tse.js'
import { createSealer } from '../../../src/lib/seal.js'
import { epsonDriver } from '../../../src/market/de/devices/epson/driver.js'
import { fccDriver } from '../../../src/market/de/devices/fcc/driver.js'
import { fiskalyDriver } from '../../../src/market/de/devices/fiskaly/driver.js'
import { swissbitCloudDriver } from '../../../src/market/de/devices/swissbit-cloud/driver.js'
import { openStore } from '../../../src/store/client.js'

const [connection = '{}', device = '', url = '', settings = '{}'] = process.argv.slice(2)
const DRIVERS: Readonly<Record<string, Driver<Tse>>> = {
  ...{ epson: epsonDriver, fiskaly: fiskalyDriver, fcc: fccDriver, swissbit: swissbitCloudDriver },
}
const driver = DRIVERS[device] ?? fiskalyDriver
const store = openStore({
  connection: JSON.parse(connection),
  size: 2,
  sealer: createSealer([Buffer.alloc(32)]),
  onBroken: (error) => {
    throw error
  },
})
const made = await driver.create({
  ...{ id: 'unit', now: new Date(), randomBytes: (count: number) => Buffer.alloc(count, 7) },
  configuration: driver.configuration.parse(JSON.parse(settings)),
})
const scu: ScuHead = {
  accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
  id: randomUUID(),
  ...{ market: 'DE', package: device, mode: 0, url, ...made, faultScript: null, version: 0n },
  ...{ changed: false, actions: [] },
}
const allow = [new URL(url).host]
const tools: DriverTools = {
  fetch: createOutbound({ allow }),
  connect: createConnect({ allow }),
  now: () => new Date(),
  sleep: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
  tars: createUnitTars(store, () => new Date()),
}
const tse = driver.open(scu, tools)
await tse.info({ timeoutMs: 20_000 })
// the service exports of a unit in operation only
if (device === 'fiskaly') await tse.setState(TSE_STATES.initialized, { timeoutMs: 20_000 })

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
collect()
const before = process.memoryUsage.rss()
let peak = before
const watch = setInterval(() => {
  // what is only waiting to be collected is not kept
  collect()
  peak = Math.max(peak, process.memoryUsage.rss())
}, 150)

const { tar, from, to, without, erased } = await tse.exportMemory(true, { timeoutMs: 600_000 })
const hash = createHash('sha256')
for await (const part of tar?.read() ?? []) hash.update(part)
clearInterval(watch)
await store.close()
console.log(
  JSON.stringify({
    ...{ from, to, without, erased },
    mebibytes: (tar?.bytes ?? 0) / 2 ** 20,
    growth: (peak - before) / 2 ** 20,
    isSame: hash.digest('hex') === tar?.facts.sha256,
  }),
)
