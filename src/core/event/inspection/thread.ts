// The threads that make bundles: files of queues, their verification, and the archive at the end;
// the thread that signs does none of it.
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { type ErrorCode, type ErrorDetails, FiscalError } from '../../../errors.js'
import { createSealer } from '../../../lib/seal.js'
import { zipInBlocks } from '../../../lib/zip-blocks.js'
import { openStore, type Store } from '../../../store/client.js'
import { type VerifyInput, type VerifyResult, verifyFile } from '../../audit/verify/file.js'
import { bytesOf, Gauge, LEVEL, type Written, writePart } from './part-file.js'
import { makeParts, type PartDone, type PartTask } from './parts.js'
import { isPackedName } from './plan.js'

/** Below the signing thread where both want the processor. */
const PRIORITY = 19

// elsewhere the priority is one of the whole process
if (!isMainThread && process.platform === 'linux') setPriority(PRIORITY)

export interface VerifyTask {
  do: 'verify'
  path: string
  given: VerifyInput
}

export interface BundleTask {
  do: 'bundle'
  path: string
  moment: number
  entries: readonly (Omit<Written, 'sha256'> & { name: string; path: string })[]
}

export type Task = (PartTask | VerifyTask | BundleTask) & {
  gauge: SharedArrayBuffer
  lane: number
}
export type Done = PartDone[] | Written | VerifyResult

/** A refusal loses its class between threads. */
export type Answered = { done: Done } | { refused: ErrorCode; details: ErrorDetails }

/** One task after the other. */
function createWork(): (task: Task) => Promise<Answered> {
  const kept = new KeptStore()
  return async (task) => {
    const gauge = new Gauge(task.gauge, task.lane)
    try {
      if (task.do === 'verify') {
        const given = { ...task.given, progress: () => gauge.goOn() }
        return { done: await verifyFile(task.path, given) }
      }
      if (task.do === 'bundle') return { done: await writeBundle(task, gauge) }
      return { done: await kept.use(task, (store) => makeParts(store, task, gauge)) }
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

/** Beyond it an entry needs the large form. */
const LARGE = 0xffff_0000

function writeBundle({ path, moment, entries }: BundleTask, gauge: Gauge): Promise<Written> {
  const files = entries.map((entry) => ({
    name: entry.name,
    content: () => bytesOf(entry.path, entry.packed?.size ?? entry.bytes),
    isPacked: isPackedName(entry.name),
    isLarge: entry.bytes > LARGE,
    ready: entry.packed && { crc: entry.packed.crc, bytes: entry.bytes },
  }))
  const archive = zipInBlocks(files, { moment: new Date(moment), level: LEVEL })
  return writePart(path, archive, gauge)
}

export const work = createWork()
