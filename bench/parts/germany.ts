// Germany over HTTP against Austria on the same server and database, turn by turn, and the exports
// of a long German journal.
import { performance } from 'node:perf_hooks'
import type { ReadableStream } from 'node:stream/web'
import { findGenerator } from '../load/generator.js'
import type { Options } from '../options.js'
import type { Figure, PartResult } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { memoryOf, peakWatch } from '../stand/process-figures.js'
import { germanOperation, germanSaleText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import type { Till } from '../stand/shop.js'
import { bundleFigures } from './bundle.js'
import { byAustria } from './by-austria.js'

const CLIENTS = 128
/** Tills that sign while a bundle is made. */
const OTHERS = 8
const TAR = '0x4445000000000001'
const DSFINVK = '0x4445000000000002'
const MEGABYTE = 1024 * 1024
/** Sales between two daily closings of the long journal, about. */
const CLOSING_EVERY_SECONDS = 2

export async function benchGermany(options: Options, cluster: Cluster): Promise<PartResult> {
  const { figures, rows, masterKey, shop } = await byAustria(options, cluster, {
    ...{ market: 'DE', name: 'Germany', atLeast: 0.5 },
    start: (cashBoxId, moment) => germanOperation(cashBoxId, { code: 'start', moment }),
    sale: germanSaleText,
  })
  const till = shop.tills.at(-1)
  if (till === undefined) throw new Error('the shop has no till')
  const long = { cluster, masterKey, till, receipts: Math.ceil(options.receipts / 4) }
  const receipts = await fill(long)
  const exported = [await measure(long, TAR), await measure(long, DSFINVK)] as const
  figures.push(...exportFigures(receipts, exported))
  const bundled = { ...long, shop, receipts, others: shop.tills.slice(0, OTHERS) }
  figures.push(...(await bundleFigures({ ...bundled, saleOf: germanSaleText }, 250_000)))
  return {
    figures,
    rounds: [...rows.map((row) => ({ ...row })), ...exported.map((one) => ({ ...one, receipts }))],
    notes: ['Austria and Germany take turns on one server; every exported journal by a fresh one.'],
  }
}

const closing = ({ cashBoxId }: Till): string =>
  germanOperation(cashBoxId, { code: 'closing', moment: new Date().toISOString() })

// ------------------------------------------------------------------------ exports

interface Long {
  cluster: Cluster
  masterKey: Buffer
  till: Till
  /** At least so many. */
  receipts: number
}

/** Sales and daily closings through the server; how many sales there are. */
async function fill({ cluster, masterKey, till, receipts }: Long): Promise<number> {
  const server = await startServer({ databaseUrl: cluster.url, masterKey })
  const generator = findGenerator()
  const body = germanSaleText(till.cashBoxId, new Date().toISOString())
  const targets = [{ path: signPath(till), headers: headersOf(till), body }]
  try {
    let made = 0
    while (made < receipts) {
      const load = { url: server.url, targets, clients: CLIENTS, seconds: CLOSING_EVERY_SECONDS }
      made += (await generator.run(load)).requests
      await signOne(server.url, till, closing(till))
    }
    return made
  } finally {
    await server.stop()
  }
}

interface Exported {
  seconds: number
  bytes: number
  grownMb: number
}

/** A fresh process: what a load before has left in memory would hide what the export takes. */
async function measure({ cluster, masterKey, till }: Long, type: string): Promise<Exported> {
  const server = await startServer({ databaseUrl: cluster.url, masterKey })
  try {
    await download(server, till, { type: '0x2', to: '-1000' })
    const before = memoryOf(server.pid)
    const watch = peakWatch(server.pid)
    const started = performance.now()
    const bytes = await download(server, till, { type, to: '0' })
    const seconds = (performance.now() - started) / 1000
    const grownMb = before === null ? Number.NaN : (watch.end() - before.now) / MEGABYTE
    return { seconds, bytes, grownMb }
  } finally {
    await server.stop()
  }
}

async function download(
  server: Server,
  till: Till,
  { type, to }: { type: string; to: string },
): Promise<number> {
  const url = `${server.url}/${till.queueId}/json/v1/journal?type=${type}&from=0&to=${to}`
  const response = await fetch(url, { method: 'POST', headers: headersOf(till) })
  if (response.status !== 200 || response.body === null) {
    throw new Error(`journal answered ${response.status}: ${await response.text()}`)
  }
  let bytes = 0
  for await (const piece of response.body as ReadableStream<Uint8Array>) bytes += piece.length
  return bytes
}

function exportFigures(receipts: number, [tar, dsfinvk]: readonly [Exported, Exported]): Figure[] {
  const most = { target: { atMost: 100 }, unit: 'MB', mayBeNothing: true }
  return [
    { name: `TAR of ${receipts} transactions, growth of memory`, value: tar.grownMb, ...most },
    { name: 'TAR', value: receipts / tar.seconds, unit: 'transactions/s' },
    {
      name: `DSFinV-K of ${receipts} receipts`,
      value: receipts / dsfinvk.seconds,
      unit: 'receipts/s',
      target: { atLeast: 4_000 },
    },
    { name: 'DSFinV-K, growth of memory', value: dsfinvk.grownMb, ...most },
    { name: 'DSFinV-K, size of the archive', value: dsfinvk.bytes / MEGABYTE, unit: 'MB' },
  ]
}
