// The threads that make bundles: files of queues, their verification, and the archive at the end;
// the thread that signs does none of it.
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { type ErrorCode, type ErrorDetails, FiscalError } from '../../../errors.js'
import { createSealer } from '../../../lib/seal.js'
import { zipped } from '../../../lib/zip.js'
import { filesOf, marketOf } from '../../../market/index.js'
import { openStore, type Store } from '../../../store/client.js'
import { storedItems } from '../../../store/journal/journal-items.js'
import { findQueue } from '../../../store/journal/journal-queue.js'
import { type VerifyInput, type VerifyResult, verifyFile } from '../../audit/verify/file.js'
import { exportJournal } from '../../journal/export.js'
import { receiptsCsv } from '../../journal/receipts.js'
import { exportSource } from '../../journal/source.js'
import { bytesOf, Gauge, type Written, writePart } from './part-file.js'
import type { PartContent } from './plan.js'
import { type Sums, Turnover } from './sums.js'

/** Below the signing thread where both want the processor. */
const PRIORITY = 19

// elsewhere the priority is one of the whole process
if (!isMainThread && process.platform === 'linux') setPriority(PRIORITY)

export interface PartTask {
  do: 'part'
  path: string
  connection: Store['connection']
  keys: readonly Uint8Array[]
  accountId: string
  queueId: string
  /** Ticks. */
  from: bigint
  upTo: bigint
  moment: number
  content: PartContent
}

export interface VerifyTask {
  do: 'verify'
  path: string
  given: VerifyInput
}

export interface BundleTask {
  do: 'bundle'
  path: string
  moment: number
  entries: readonly { name: string; path: string; bytes: number }[]
}

export type Task = (PartTask | VerifyTask | BundleTask) & { gauge: SharedArrayBuffer }
export type PartDone = Written & { sums?: Sums }
export type Done = PartDone | VerifyResult

/** A refusal loses its class between threads. */
export type Answered = { done: Done } | { refused: ErrorCode; details: ErrorDetails }

/** One task after the other. */
function createWork(): (task: Task) => Promise<Answered> {
  const kept = new KeptStore()
  return async (task) => {
    const gauge = new Gauge(task.gauge)
    try {
      if (task.do === 'verify') return { done: await verifyFile(task.path, task.given) }
      if (task.do === 'bundle') return { done: await writeBundle(task, gauge) }
      return { done: await kept.use(task, (store) => partOf(store, task, gauge)) }
    } catch (error) {
      if (error instanceof FiscalError) return { refused: error.code, details: error.details }
      throw error
    }
  }
}

const CONNECTIONS = 2
/** Then nobody is likely to want it soon, and its connections are given back. */
const IDLE_MS = 1_000

/**
 * The store of the part before is that of the next one: to open it takes longer than the files of
 * a small register.
 */
class KeptStore {
  private kept: { name: string; store: Store } | undefined
  private idle: NodeJS.Timeout | undefined

  async use<T>(task: PartTask, run: (store: Store) => Promise<T>): Promise<T> {
    clearTimeout(this.idle)
    try {
      return await run(await this.storeOf(task))
    } catch (error) {
      // what broke off may have left a connection in the middle of something
      await this.drop()
      throw error
    } finally {
      this.idle = setTimeout(() => void this.drop(), IDLE_MS).unref()
    }
  }

  private async storeOf({ connection, keys: given }: PartTask): Promise<Store> {
    const keys = given.map((key) => Buffer.from(key))
    const name = JSON.stringify([connection, keys])
    if (this.kept?.name !== name) {
      await this.drop()
      const sealer = createSealer(keys)
      const store = openStore({ connection, size: CONNECTIONS, sealer, onBroken: () => undefined })
      this.kept = { name, store }
    }
    return this.kept.store
  }

  private async drop(): Promise<void> {
    const { kept } = this
    this.kept = undefined
    // a database that is away has nothing to be given back
    await kept?.store.close().catch(() => undefined)
  }
}

/** Shrinks no further. */
const PACKED = /\.(zip|gz)$/
/** Beyond it an entry needs the large form. */
const LARGE = 0xffff_0000

function writeBundle({ path, moment, entries }: BundleTask, gauge: Gauge): Promise<Written> {
  const files = entries.map((entry) => ({
    name: entry.name,
    content: () => bytesOf(entry.path),
    isPacked: PACKED.test(entry.name),
    isLarge: entry.bytes > LARGE,
  }))
  return writePart(path, zipped(files, new Date(moment)), gauge)
}

async function partOf(store: Store, task: PartTask, gauge: Gauge): Promise<PartDone> {
  const turnover = 'journal' in task.content && task.content.journal === 'journal'
  if (!turnover) return writePart(task.path, await piecesOf(store, task), gauge)
  const market = marketOf(await marketCode(store, task))
  const counted = new Turnover(market)
  const { accountId, queueId, from, upTo: to } = task
  const query = { key: { accountId, queueId }, range: { from, to } }
  const pages = counted.through(storedItems(store, query))
  const written = await writePart(task.path, receiptsCsv({ pages, cases: market.cases }), gauge)
  return { ...written, sums: counted.sums }
}

async function marketCode(store: Store, { accountId, queueId }: PartTask): Promise<string> {
  return (await queueOf(store, { accountId, queueId })).market
}

async function queueOf(store: Store, key: { accountId: string; queueId: string }) {
  const queue = await findQueue(store, key)
  if (queue === undefined) throw new Error(`the queue ${key.queueId} is gone`)
  return queue
}

const JOURNAL_TYPES = { 'receipt-journal': 0x02n, 'action-journal': 0x01n } as const

async function piecesOf(store: Store, task: PartTask): Promise<AsyncIterable<string | Uint8Array>> {
  const { accountId, queueId, from, upTo, content } = task
  const now = new Date(task.moment)
  const range = { from, to: upTo }
  if ('journal' in content) {
    if (content.journal === 'journal') throw new Error('receipts are counted on their way')
    const type = JOURNAL_TYPES[content.journal]
    const asked = { accountId, queueId, type, range, format: 'csv' } as const
    return (await exportJournal({ store, marketOf, now: () => now }, asked)).body
  }
  const queue = await queueOf(store, { accountId, queueId })
  const market = marketOf(queue.market)
  const options = new Map(content.each === undefined ? [] : [['each', content.each]])
  const file = filesOf(market)[content.legal]
  if (file === undefined) throw new Error(`${queue.market} has no file ${content.legal}`)
  return file.run(exportSource(store, { market, queue, range, options, now }))
}

export const work = createWork()
