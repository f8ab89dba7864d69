// Signing with certified devices outside: 64 queues share 8 units of a service that answers in five
// milliseconds, beside 64 queues with keys in the server; and what others feel of a device that is
// dead. Everything in one run, turn by turn.
import { randomBytes } from 'node:crypto'
import { createAccount } from '../../src/core/accounts/accounts.js'
import { createCashBox, createQueue, createScu } from '../../src/core/rollout/create.js'
import { createSealer } from '../../src/lib/seal.js'
import { ATRUST_PACKAGE } from '../../src/market/at/devices/atrust.js'
import { FAILED_SIGNATURE } from '../../src/market/at/payload.js'
import { marketOf } from '../../src/market/index.js'
import { ACCOUNT, simulateATrust } from '../../src/simulator/devices/rksv/atrust.js'
import { openStore, type Store } from '../../src/store/client.js'
import { findGenerator } from '../load/generator.js'
import type { Options } from '../options.js'
import { median, type PartResult } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { startServer } from '../stand/server.js'
import { openShop, type Till } from '../stand/shop.js'
import { startSwiftDevice } from '../stand/swift-device.js'

const QUEUES = 64
const UNITS = 8
const CLIENTS = 128
const ANSWER_MS = 5
const WARM_UP_SECONDS = 8
/** Callers of the queues of a dead device: it is out at once, and tried again all the time. */
const DEAD_CALLERS = 8

export async function benchDevices(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const [service, dead] = [await startSwiftDevice(ANSWER_MS), await simulateATrust()]
  const inside = (await openShop(cluster, { masterKey, tills: QUEUES })).tills
  const outside = await openShared(cluster, masterKey, { url: service.online, units: UNITS })
  const stuck = await openShared(cluster, masterKey, { url: dead.online, units: 1 })
  const allow = [service, dead].map(({ port }) => `127.0.0.1:${port}`).join(',')
  const server = await startServer({
    ...{ databaseUrl: cluster.url, masterKey, settings: { OUTBOUND_ALLOW: allow } },
    profile: options.profile,
  })
  const rows: Row[] = []
  try {
    for (const till of [...inside, ...outside, ...stuck]) {
      await signOne(server.url, till, startText(till.cashBoxId, new Date().toISOString()))
    }
    const generator = findGenerator()
    const load = (tills: readonly Till[], seconds: number, clients = CLIENTS) => {
      const moment = new Date().toISOString()
      const targets = tills.map((till) => ({
        ...{ path: signPath(till), headers: headersOf(till) },
        body: saleText(till.cashBoxId, moment),
      }))
      return generator.run({ url: server.url, targets, clients, seconds })
    }
    for (const tills of [inside, outside]) await load(tills, WARM_UP_SECONDS)
    dead.line.script({ call: '', fault: 'slow', ms: 60_000, times: Number.MAX_SAFE_INTEGER })
    for (let round = 0; round < options.rounds; round += 1) {
      await cluster.settle()
      rows.push({ what: 'inside', ...(await load(inside, options.seconds)) })
      rows.push({ what: 'outside', ...(await load(outside, options.seconds)) })
      // few callers: what is measured is how long an answer takes, not how many there can be
      rows.push({ what: 'idle', ...(await load(outside, options.seconds, UNITS)) })
      const [beside] = await Promise.all([
        load(outside, options.seconds, UNITS),
        load(stuck, options.seconds, DEAD_CALLERS),
      ])
      rows.push({ what: 'beside', ...beside })
    }
    for (const till of outside) await demandSigned(server.url, till)
  } finally {
    await server.stop()
    await Promise.all([service.close(), dead.close()])
  }
  return { figures: figuresOf(rows), rounds: rows.map((row) => ({ ...row })), notes: NOTES }
}

/** Receipts of a unit that is out would be fast. */
async function demandSigned(url: string, till: Till): Promise<void> {
  const answer = await signOne(url, till, saleText(till.cashBoxId, new Date().toISOString()))
  const isFailed = answer.includes(FAILED_SIGNATURE.toString('base64'))
  if (isFailed || !answer.includes('_R1-AT1_')) throw new Error('a device outside has not signed')
}

const NOTES = [
  `A signing service that does no more than sign, in a process beside the server; each of its ` +
    `answers comes after ${ANSWER_MS} ms. ${QUEUES} queues with ${UNITS} units of it.`,
]

interface Row {
  what: 'inside' | 'outside' | 'idle' | 'beside'
  perSecond: number
  p99Ms: number | null
}

function figuresOf(rows: readonly Row[]): PartResult['figures'] {
  const of = (what: Row['what'], member: 'perSecond' | 'p99Ms') =>
    median(rows.filter((row) => row.what === what).map((row) => row[member] ?? Number.NaN))
  const [inside, outside] = [of('inside', 'perSecond'), of('outside', 'perSecond')]
  const [idle, beside] = [of('idle', 'p99Ms'), of('beside', 'p99Ms')]
  const ratio = 'ratio'
  return [
    {
      name: `Signing with a device that answers in ${ANSWER_MS} ms, by keys in the server`,
      ...{ value: outside / inside, unit: ratio, target: { atLeast: 0.6 } },
    },
    { name: 'Signing with a device outside', value: outside, unit: 'receipts/s' },
    { name: 'Keys in the server beside it', value: inside, unit: 'receipts/s' },
    {
      name: 'p99 of other queues beside a dead device, by idle',
      ...{ value: beside / idle, unit: ratio, target: { atMost: 1.5 } },
    },
    { name: 'p99 without a dead device', value: idle, unit: 'ms' },
  ]
}

interface Shared {
  url: string
  units: number
}

/** Eight queues to a unit, each in a cash box of its own. */
function openShared(cluster: Cluster, masterKey: Buffer, { url, units }: Shared): Promise<Till[]> {
  return inShop(cluster, masterKey, async (shared) => {
    const tills: Till[] = []
    for (let at = 0; at < units; at += 1) {
      tills.push(...(await openUnit(shared, url, QUEUES / UNITS)))
    }
    return tills
  })
}

/** Queues with a unit each of the service at this address. */
export function openStuck(
  cluster: Cluster,
  masterKey: Buffer,
  { url, queues }: { url: string; queues: number },
): Promise<Till[]> {
  return inShop(cluster, masterKey, async (shared) => {
    const stuck: Till[] = []
    while (stuck.length < queues) stuck.push(...(await openUnit(shared, url, 1)))
    return stuck
  })
}

interface InShop {
  store: Store
  accountId: string
}

async function inShop<T>(
  cluster: Cluster,
  masterKey: Buffer,
  open: (shared: InShop) => Promise<T>,
): Promise<T> {
  const store = openStore({
    ...{ connection: cluster.config, size: 4, sealer: createSealer([masterKey]) },
    onBroken: (error) => console.warn(error.message),
  })
  try {
    const { accountId } = await createAccount(
      { store, now: () => new Date() },
      {
        ...{ kind: 'PosOperator', name: 'Café Outside', market: 'AT', country: 'AT' },
        ...{ email: 'bench-devices@fiskalwerk.example', roles: [], autoInvite: false },
      },
    )
    return await open({ store, accountId })
  } finally {
    await store.close()
  }
}

async function openUnit(
  { store, accountId }: InShop,
  url: string,
  queues: number,
): Promise<Till[]> {
  const deps = { store, marketOf, now: () => new Date() }
  const tills: Till[] = []
  let scuId: string | undefined
  while (tills.length < queues) {
    const box = await createCashBox(deps, { accountId, outletId: null, description: 'till' })
    const unit = { accountId, cashBoxId: box.cashBoxId, market: 'AT', description: 'till' }
    scuId ??= await createScu(deps, {
      ...{ ...unit, package: ATRUST_PACKAGE, url, configuration: { ...ACCOUNT } },
    })
    tills.push({ ...box, queueId: await createQueue(deps, { ...unit, scuIds: [scuId] }) })
  }
  return tills
}
