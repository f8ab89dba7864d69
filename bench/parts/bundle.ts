// An inspection bundle of a filled queue: how long it takes until it is verified and packed, and
// what it costs the memory of the server.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { memoryOf, peakWatch } from '../stand/process-figures.js'
import { type Server, startServer } from '../stand/server.js'
import type { Shop, Till } from '../stand/shop.js'

const MEGABYTE = 1024 * 1024
const LOOK_MS = 100
const MOST_SECONDS = 150
const MOST_GROWTH = 100

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
}

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
    const to = new Date(Date.now() + 1_000).toISOString()
    const { bytes, findings } = await bundleOf(server, stand, ['2026-01-01T00:00:00Z', to])
    const seconds = (performance.now() - began) / 1_000
    if (findings !== 0) throw new Error(`the bundle has ${findings} findings`)
    return [
      {
        ...{ name: `Inspection bundle, for ${per.toLocaleString('en')} receipts`, unit: 's' },
        ...{ value: (seconds * per) / receipts, target: { atMost: MOST_SECONDS } },
      },
      { name: 'Inspection bundle, its file', value: (bytes ?? 0) / MEGABYTE, unit: 'MB' },
      {
        ...{ name: 'Inspection bundle, growth of resident memory', unit: 'MB', mayBeNothing: true },
        ...{ value: (watch.end() - before) / MEGABYTE, target: { atMost: MOST_GROWTH } },
      },
    ]
  } finally {
    await server.stop()
  }
}

async function bundleOf(
  { url }: Server,
  { shop: { accountId, accessToken }, till }: BundleStand,
  [from, to]: readonly [string, string],
): Promise<Bundle> {
  const headers = {
    ...{ accountid: accountId, accesstoken: accessToken, 'content-type': 'application/json' },
  }
  const at = `${url}/platform/v1/inspections`
  const body = JSON.stringify({ from, to, posOperatorId: accountId, cashBoxIds: [till.cashBoxId] })
  const asked = await fetch(at, { method: 'POST', headers, body })
  if (!asked.ok) throw new Error(`a bundle was refused: ${await asked.text()}`)
  const { id } = (await asked.json()) as Bundle
  for (;;) {
    const found = (await (await fetch(`${at}/${id}`, { headers })).json()) as Bundle
    if (found.job.state === 'succeeded') return found
    if (found.job.state === 'failed') throw new Error(JSON.stringify(found.job.error))
    await sleep(LOOK_MS)
  }
}
