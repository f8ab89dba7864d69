// Threads that do what takes long, so that the one that signs never does. They start with the first
// order; one that dies takes its orders with it, and the next order starts another.
import { Worker } from 'node:worker_threads'
import { fail } from '../../../errors.js'
import { threadModule } from '../../../lib/thread-module.js'
import { type Delivered, Delivery } from './delivery.js'
import { type Asked, faultOf, type Told } from './protocol.js'

export interface Threads {
  /**
   * `over` is called once, when nothing of the order is left, also where it is refused. Throws
   * EXPORT_LOST and whatever the order throws.
   */
  run(order: unknown, more?: RunOptions): Promise<Delivered>
  /** What still runs ends. */
  close(): Promise<void>
}

export interface RunOptions {
  /** Nobody wants the answer any more. */
  leaving?: AbortSignal | undefined
  over?(): void
}

export interface ThreadOptions {
  /** The module of the threads: it calls serveOrders. */
  entry: URL
  threads: number
  /** What the module finds as workerData. */
  data(): Promise<unknown>
  onBroken(error: unknown): void
}

/** Megabytes: of what an export keeps nothing grows old, and its pages die young. */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 24 } as const
/** How long a thread has to end an order that was left; it hangs, if it does not. */
const LEAVE_MS = 60_000
/** How long a thread has to close its connections. */
const STOP_MS = 2_000

export function createThreads(options: ThreadOptions): Threads {
  const running: Thread[] = []
  let closed = false
  const start = (data: unknown): Thread => {
    const thread = new Thread(options, data, () => {
      const at = running.indexOf(thread)
      if (at !== -1) running.splice(at, 1)
    })
    running.push(thread)
    return thread
  }
  const freest = async (): Promise<Thread> => {
    const data = await options.data()
    if (closed) throw fail('EXPORT_LOST')
    const [first, ...others] = running
    const least = first && others.reduce((a, b) => (b.load < a.load ? b : a), first)
    const isFull = running.length >= options.threads
    return least !== undefined && (isFull || least.load === 0) ? least : start(data)
  }
  return {
    run: async (order, { leaving, over = () => undefined } = {}) => {
      const thread = await freest().catch((error: unknown) => {
        over()
        throw error
      })
      return thread.run(order, { leaving, over })
    },
    close: async () => {
      closed = true
      await Promise.all(running.map((thread) => thread.close()))
    },
  }
}

class Thread {
  private readonly worker: Worker
  private readonly orders = new Map<number, Delivery>()
  private readonly ended: Promise<void>
  private last = 0

  constructor({ entry, onBroken }: ThreadOptions, data: unknown, gone: () => void) {
    this.worker = new Worker(new URL(threadModule(entry)), {
      ...{ execArgv: [], workerData: data, resourceLimits: HEAP, name: 'beside' },
    })
    // connections of callers keep the process alive, not what works for them
    this.worker.unref()
    this.worker.on('message', (told: Told) => this.orders.get(told.id)?.tell(told))
    this.worker.on('error', (error) => {
      gone()
      onBroken(error)
    })
    this.ended = new Promise((resolve) => {
      this.worker.on('exit', () => {
        gone()
        for (const delivery of [...this.orders.values()]) delivery.lost()
        resolve()
      })
    })
  }

  get load(): number {
    return this.orders.size
  }

  async run(order: unknown, { leaving, over }: Required<RunOptions>): Promise<Delivered> {
    const id = ++this.last
    let late: NodeJS.Timeout | undefined
    const delivery = new Delivery({
      taken: () => this.say({ say: 'taken', id }),
      leave: () => {
        this.say({ say: 'leave', id })
        late = setTimeout(() => void this.worker.terminate(), LEAVE_MS).unref()
      },
      over: () => {
        clearTimeout(late)
        leaving?.removeEventListener('abort', leave)
        this.orders.delete(id)
        over()
      },
    })
    const leave = () => delivery.leave()
    this.orders.set(id, delivery)
    try {
      this.say({ say: 'begin', id, order })
    } catch (error) {
      // it cannot be cloned
      delivery.tell({ say: 'over', id, fault: faultOf(error) })
    }
    leaving?.addEventListener('abort', leave)
    if (leaving?.aborted === true) leave()
    return delivery.opened
  }

  async close(): Promise<void> {
    const late = setTimeout(() => void this.worker.terminate(), STOP_MS)
    this.say({ say: 'stop' })
    await this.ended
    clearTimeout(late)
  }

  private say(asked: Asked): void {
    this.worker.postMessage(asked)
  }
}
