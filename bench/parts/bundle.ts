// An inspection bundle of a filled queue: how long it takes until it is verified and packed, what
// it costs the memory of the server, and how long receipts of other tills wait meanwhile.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { findGenerator } from '../load/generator.js'
import { type Figure, median } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { headersOf, signPath } from '../stand/post.js'
import { memoryOf, peakWatch } from '../stand/process-figures.js'
import { type Server, startServer } from '../stand/server.js'
import type { Shop, Till } from '../stand/shop.js'

const MEGABYTE = 1024 * 1024
const LOOK_MS = 100
const MOST_SECONDS = 150
const MOST_GROWTH = 100
/** How much longer a receipt of another till may wait. */
const MOST_WAIT = 2
const SIGNERS = 4
const SIGN_ROUNDS = 3
const SIGN_SECONDS = 5

interface Bundle {
  id: string
  bytes: number | null
  findings: number | null
  job: { state: string; error: unknown }
}

export interface BundleStand {
  cluster: Cluster
  masterKey: Buffer
  shop: Shop
  till: Till
  /** In the queue of the till. */
  receipts: number
  /** Other tills, started, and what they sell. */
  others: readonly Till[]
  saleOf(cashBoxId: string, moment: string): string
}

/** All that there is. */
const wholePeriod = () =>
  ['2026-01-01T00:00:00Z', new Date(Date.now() + 1_000).toISOString()] as const

/** `per`: receipts that the time is told for. */
export async function bundleFigures(stand: BundleStand, per: number): Promise<Figure[]> {
  const { cluster, masterKey, receipts } = stand
  const server = await startServer({ databaseUrl: cluster.url, masterKey })
  try {
    // threads and code that a first one loads are no growth
    await bundleOf(server, stand, ['2020-01-01T00:00:00Z', '2020-02-01T00:00:00Z'])
    const before = memoryOf(server.pid)?.now ?? Number.NaN
    const watch = peakWatch(server.pid)
    const began = performance.now()
    const { bytes, findings } = await bundleOf(server, stand, wholePeriod())
    const seconds = (performance.now() - began) / 1_000
    if (findings !== 0) throw new Error(`the bundle has ${findings} findings`)
    const growth = (watch.end() - before) / MEGABYTE
    return [
      {
        ...{ name: `Inspection bundle, for ${per.toLocaleString('en')} receipts`, unit: 's' },
        ...{ value: (seconds * per) / receipts, target: { atMost: MOST_SECONDS } },
      },
      { name: 'Inspection bundle, its file', value: (bytes ?? 0) / MEGABYTE, unit: 'MB' },
      {
        ...{ name: 'Inspection bundle, growth of resident memory', unit: 'MB', mayBeNothing: true },
        ...{ value: growth, target: { atMost: MOST_GROWTH } },
      },
      ...(await besideFigures(server, stand)),
    ]
  } finally {
    await server.stop()
  }
}

/** Signing alone, and while a second bundle is made, which is given up at the end. */
async function besideFigures(server: Server, stand: BundleStand): Promise<Figure[]> {
  const generator = findGenerator()
  const targets = stand.others.map((till) => ({
    ...{ path: signPath(till), headers: headersOf(till) },
    body: stand.saleOf(till.cashBoxId, new Date().toISOString()),
  }))
  const sign = async () => {
    const waits: number[] = []
    while (waits.length < SIGN_ROUNDS) {
      const load = { url: server.url, targets, clients: SIGNERS, seconds: SIGN_SECONDS }
      waits.push((await generator.run(load)).p99Ms)
    }
    return median(waits)
  }
  await sign()
  const alone = await sign()
  const { id } = await asked(server, stand, wholePeriod())
  const meanwhile = await sign()
  const { job } = await shown(server, stand, id)
  if (job.state !== 'running') throw new Error(`the bundle was ${job.state} before its time`)
  await fetch(`${server.url}/platform/v1/jobs/${id}`, {
    ...{ method: 'DELETE', headers: headersFor(stand) },
  })
  const unit = 'times as long'
  return [
    {
      name: 'p99 of signing beside an inspection bundle, by p99 alone',
      ...{ value: meanwhile / alone, unit, target: { atMost: MOST_WAIT } },
    },
    { name: 'p99 of signing beside an inspection bundle', value: meanwhile, unit: 'ms' },
  ]
}

const headersFor = ({ shop: { accountId, accessToken } }: BundleStand) => ({
  ...{ accountid: accountId, accesstoken: accessToken, 'content-type': 'application/json' },
})

async function asked(
  { url }: Server,
  stand: BundleStand,
  [from, to]: readonly [string, string],
): Promise<Bundle> {
  const { shop, till } = stand
  const wish = { from, to, posOperatorId: shop.accountId, cashBoxIds: [till.cashBoxId] }
  const answer = await fetch(`${url}/platform/v1/inspections`, {
    ...{ method: 'POST', headers: headersFor(stand), body: JSON.stringify(wish) },
  })
  if (!answer.ok) throw new Error(`a bundle was refused: ${await answer.text()}`)
  return (await answer.json()) as Bundle
}

async function shown({ url }: Server, stand: BundleStand, id: string): Promise<Bundle> {
  const answer = await fetch(`${url}/platform/v1/inspections/${id}`, { headers: headersFor(stand) })
  return (await answer.json()) as Bundle
}

async function bundleOf(
  server: Server,
  stand: BundleStand,
  period: readonly [string, string],
): Promise<Bundle> {
  const { id } = await asked(server, stand, period)
  for (;;) {
    const found = await shown(server, stand, id)
    if (found.job.state === 'succeeded') return found
    if (found.job.state === 'failed') throw new Error(JSON.stringify(found.job.error))
    await sleep(LOOK_MS)
  }
}
