// A long journal and its DEP7 export over HTTP, with time and memory.
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { findGenerator } from '../load/generator.js'
import type { Options, PartName } from '../options.js'
import type { PartResult } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import type { FilledQueue } from '../stand/filled-queue.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { memoryOf, peakWatch } from '../stand/process-figures.js'
import { saleText, startText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop } from '../stand/shop.js'
import { bundleFigures } from './bundle.js'
import { verifyExport } from './verify.js'

const DEP7 = '0x4154000000000001'
const CLIENTS = 128
/** Tills that sign while a bundle is made. */
const OTHERS = 8
const MEGABYTE = 1024 * 1024

/** Fills one queue, exports it, and verifies the file where that is wanted. */
export async function benchExport(
  options: Options,
  cluster: Cluster,
): Promise<Partial<Record<PartName, PartResult>>> {
  const folder = makeThrowAwayFolder()
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: 1 + OTHERS })
  const [till, ...others] = shop.tills
  if (till === undefined) throw new Error('the shop has no till')
  const stand = { options, cluster, masterKey, shop, till, file: path.join(folder, 'dep7.json') }
  try {
    await fill(stand)
    const exported = await exportFile(stand)
    // the load makes more of them than were asked for
    const receipts = countReceipts(stand.file)
    const bundled = { ...stand, receipts, others, saleOf: saleText }
    exported.figures.push(...(await bundleFigures(bundled, 1e6)))
    const results: Partial<Record<PartName, PartResult>> = { export: exported }
    if (options.parts.includes('verify')) results.verify = await verifyExport(stand)
    return results
  } finally {
    await removeThrowAwayFolder(folder)
  }
}

/** Receipts through the server, until there are enough. */
async function fill(stand: FilledQueue): Promise<void> {
  const { options, till, cluster, masterKey } = stand
  const server = await startServer({ databaseUrl: cluster.url, masterKey })
  try {
    const moment = new Date().toISOString()
    for (const one of stand.shop.tills) {
      await signOne(server.url, one, startText(one.cashBoxId, moment))
    }
    const body = saleText(till.cashBoxId, moment)
    const targets = [{ path: signPath(till), headers: headersOf(till), body }]
    const generator = findGenerator()
    let seconds = 2
    for (let made = 1; made < options.receipts; ) {
      const load = { url: server.url, targets, clients: CLIENTS, seconds }
      const { requests, perSecond } = await generator.run(load)
      made += requests
      seconds = Math.ceil((options.receipts - made) / perSecond) + 1
    }
  } finally {
    await server.stop()
  }
}

async function exportFile(stand: FilledQueue): Promise<PartResult> {
  const { cluster, masterKey, options } = stand
  // a fresh process: what the load before has left in memory would hide what the export takes
  const server = await startServer({ databaseUrl: cluster.url, masterKey })
  try {
    await download(server, stand, { from: '0', to: '-1000' })
    const before = memoryOf(server.pid)
    const watch = peakWatch(server.pid)
    const started = performance.now()
    await download(server, stand, { from: '0', to: '0' })
    const seconds = (performance.now() - started) / 1000
    const peak = watch.end()
    const receipts = countReceipts(stand.file)
    if (receipts < options.receipts) throw new Error(`only ${receipts} receipts were exported`)
    const grown = before === null ? Number.NaN : (peak - before.now) / MEGABYTE
    return {
      figures: [
        { name: `DEP7 export of ${receipts} receipts`, value: seconds, unit: 's' },
        {
          name: 'DEP7 export, for 1,000,000 receipts',
          value: (seconds * 1e6) / receipts,
          unit: 's',
          target: { atMost: 60 },
        },
        {
          name: 'DEP7 export, growth of resident memory',
          value: grown,
          unit: 'MB',
          target: { atMost: 64 },
          mayBeNothing: true,
        },
      ],
      rounds: [{ receipts, seconds, bytes: fs.statSync(stand.file).size, before, peak }],
      notes: ['The server is fresh, with one small export before the measured one.'],
    }
  } finally {
    await server.stop()
  }
}

async function download(
  server: Server,
  { till, file }: FilledQueue,
  range: { from: string; to: string },
): Promise<void> {
  const query = `type=${DEP7}&from=${range.from}&to=${range.to}`
  const url = `${server.url}/${till.queueId}/json/v1/journal?${query}`
  const response = await fetch(url, { method: 'POST', headers: headersOf(till) })
  if (response.status !== 200 || response.body === null) {
    throw new Error(`journal answered ${response.status}: ${await response.text()}`)
  }
  await pipeline(Readable.fromWeb(response.body), fs.createWriteStream(file))
}

/** Compact JWS in the file, by their common beginning; the file is longer than a string may be. */
function countReceipts(file: string): number {
  const mark = Buffer.from('"eyJhbGciOiJFUzI1NiJ9.')
  const handle = fs.openSync(file, 'r')
  const piece = Buffer.alloc(MEGABYTE)
  let kept = 0
  let count = 0
  for (;;) {
    const read = fs.readSync(handle, piece, kept, piece.length - kept, null)
    const bytes = piece.subarray(0, kept + read)
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) count += 1
    if (read === 0) break
    // the mark may lie across two pieces, but never twice in so few bytes
    kept = Math.min(bytes.length, mark.length - 1)
    piece.copyWithin(0, bytes.length - kept, bytes.length)
  }
  fs.closeSync(handle)
  return count
}
