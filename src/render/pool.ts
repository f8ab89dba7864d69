// Threads that draw, so that the thread that signs never does.
import { Tinypool } from 'tinypool'
import { FiscalError, fail } from '../errors.js'
import { threadModule } from '../lib/thread-module.js'
import { createTurns } from '../lib/turns.js'

export interface Pool {
  /**
   * The result of the entry's function `work`. Tasks of one line are done one after the other, and
   * the lines have their turns: nobody takes all threads. Throws RENDERING_BUSY when too many
   * wait or it takes too long, and whatever `work` throws.
   */
  run(task: unknown, line: string): Promise<unknown>
  /** Tasks that have no thread yet. */
  readonly waiting: number
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
  const { threads: places, waiting } = options
  const turns = createTurns({ places, each: 1, waiting, busy: () => fail('RENDERING_BUSY') })
  return {
    run: async (task, line) => {
      const give = await turns.take(line)
      try {
        if (closed) throw fail('RENDERING_BUSY')
        pool ??= threadsOf(options)
        return await limited(pool, task, options.limitMs)
      } finally {
        give()
      }
    },
    get waiting() {
      return turns.waiting
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
    filename: threadModule(entry),
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
