// Threads that draw, so that the thread that signs never does.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Tinypool } from 'tinypool'
import { FiscalError, fail } from '../errors.js'
import { createTurns } from './turns.js'

export interface Pool {
  /**
   * The result of the entry's function `work`. Tasks of one line are done one after the other, and
   * the lines have their turns: nobody takes all threads. Throws RENDERING_BUSY when too many
   * wait or it takes too long, and whatever `work` throws.
   */
  run(task: unknown, line: string): Promise<unknown>
  /** Ends the threads; what still runs or waits is refused. */
  close(): Promise<void>
}

export interface PoolOptions {
  /** The module of the threads: its function `work` takes a task. */
  entry: URL
  threads: number
  /** Most tasks that wait for a thread. */
  waiting: number
  /** Longest time of a task in a thread, in milliseconds. */
  limitMs: number
  onBroken(error: unknown): void
}

/** Starts its threads with the first task; idle ones do not keep the process alive. */
export function createPool(options: PoolOptions): Pool {
  let pool: Tinypool | undefined
  let closed = false
  const turns = createTurns(options)
  return {
    run: async (task, line) => {
      await turns.take(line)
      try {
        if (closed) throw fail('RENDERING_BUSY')
        pool ??= threadsOf(options)
        return await limited(pool, task, options.limitMs)
      } finally {
        turns.give(line)
      }
    },
    close: async () => {
      closed = true
      await pool?.destroy()
    },
  }
}

/** Megabytes of the heap of a thread. */
const MOST_HEAP = 512

function threadsOf({ entry, threads, onBroken }: PoolOptions): Tinypool {
  const pool = new Tinypool({
    filename: moduleOf(entry),
    name: 'work',
    minThreads: threads,
    maxThreads: threads,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
  })
  pool.on('error', (error) => {
    onBroken(error)
    // they would wait for a thread that never gets ready
    pool.cancelPendingTasks()
  })
  return pool
}

/** In a checkout the program may run from its sources: the threads then need its loader as well. */
function moduleOf(entry: URL): string {
  if (!entry.pathname.endsWith('.ts')) return entry.href
  const folder = dirname(createRequire(import.meta.url).resolve('tsx/package.json'))
  const loader = pathToFileURL(join(folder, 'dist/esm/api/index.mjs')).href
  const code =
    `import { register } from ${JSON.stringify(loader)}\nregister()\n` +
    `export const { work } = await import(${JSON.stringify(entry.href)})`
  return `data:text/javascript,${encodeURIComponent(code)}`
}

/** A task that takes too long dies with its thread; another one takes its place. */
async function limited(pool: Tinypool, task: unknown, limitMs: number): Promise<unknown> {
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(), limitMs)
  try {
    const result: unknown = await pool.run(task, { signal: control.signal })
    return result
  } catch (error) {
    if (error instanceof FiscalError) throw error
    if (control.signal.aborted || isEnd(error)) throw fail('RENDERING_BUSY')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The thread was ended, by the stop of the server or for its memory. */
function isEnd(error: unknown): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || message === 'Terminating worker thread'
}
