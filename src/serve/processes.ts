// Several processes behind one port: this one accepts connections and hands each to the process of
// its CashBox, and starts another process for one that has died. It serves nothing itself.
import cluster, { type Worker } from 'node:cluster'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Logger } from 'pino'
import type { DatabaseConfig } from '../postgres/database.js'
import { cashBoxIn, chosenFor } from './chosen.js'
import { CHILD, type FromChild, type ToChild } from './handed.js'

export interface ProcessesOptions {
  count: number
  host: string
  port: number
  database: DatabaseConfig
  log: Logger
}

export interface Processes {
  /** Where they are reached. */
  address: string
  /** Those that run finish what they do; rejects for nothing. */
  stop(): Promise<void>
}

/** Of a process that does not live long: the wait before the next one. */
const AGAIN_MS = 100
const LONGEST_MS = 5_000
/** So long it has to live to count as one that works. */
const WORKS_MS = 30_000
/** How long a stop waits; a process gives itself ten seconds. */
const STOP_MS = 9_500
/** Until the first byte of a connection. */
const SILENT_MS = 72_000
/** Open in this process, and not yet handed on. */
const MOST_WAITING = 10_000

export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  cluster.setupPrimary({ serialization: 'advanced', args: [...process.argv.slice(2), CHILD] })
  const children = new Children(options)
  await children.start()
  const tcp = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    receive(socket, children)
  })
  tcp.maxConnections = MOST_WAITING
  await new Promise<void>((resolve, reject) => {
    tcp.once('error', reject)
    tcp.listen({ host: options.host, port: options.port }, () => {
      tcp.off('error', reject)
      resolve()
    })
  }).catch(async (error: unknown) => {
    await children.stop()
    throw error
  })
  const { address, port, family } = tcp.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return {
    address: `http://${host}:${port}`,
    stop: async () => {
      tcp.close()
      await children.stop()
    },
  }
}

/** Its first bytes say whose it is. */
function receive(socket: Socket, children: Children): void {
  socket.setTimeout(SILENT_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.once('data', (head: Buffer) => {
    // what comes behind it is for the process that gets the connection
    stopReading(socket)
    children.hand(socket, head)
  })
  socket.resume()
}

/** Node has no public way; pause() stops the stream, and not the reading of the system. */
function stopReading(socket: Socket): void {
  const handle: unknown = Reflect.get(socket, '_handle')
  const stop: unknown = Reflect.get(Object(handle), 'readStop')
  if (typeof stop === 'function') stop.call(handle)
  socket.pause()
}

/** Figures that a process wants of all of them. */
interface Asking {
  by: Worker
  /** The number that it has given its question. */
  id: number
  left: number
  figures: unknown[]
}

interface Child {
  worker: Worker
  ready: boolean
  connections: number
  /** On their way to it. */
  untaken: Map<number, Socket>
}

interface Waiting {
  socket: Socket
  head: Buffer
}

class Children {
  private readonly options: ProcessesOptions
  private readonly places: (Child | undefined)[]
  private readonly failures: number[]
  private readonly waiting: Waiting[] = []
  private readonly asking = new Map<number, Asking>()
  private stopping = false
  private asked = 0
  private handed = 0

  constructor(options: ProcessesOptions) {
    this.options = options
    this.places = Array.from({ length: options.count }, () => undefined)
    this.failures = this.places.map(() => 0)
  }

  /** Rejects when the first ones end before they are ready: what is wrong will not pass. */
  async start(): Promise<void> {
    await Promise.all(this.places.map((_, place) => this.fork(place)))
  }

  hand(socket: Socket, head: Buffer): void {
    const ready = this.places.flatMap((child, place) => (child?.ready === true ? [place] : []))
    const cashBoxId = cashBoxIn(head)
    const place = cashBoxId === undefined ? this.leastOf(ready) : chosenFor(cashBoxId, ready)
    const child = place === undefined ? undefined : this.places[place]
    if (child === undefined) {
      this.waiting.push({ socket, head })
      return
    }
    if (socket.destroyed) return
    socket.setTimeout(0)
    child.connections += 1
    const id = ++this.handed
    // kept open here until it is taken there: the death of a process must not leave it hanging
    child.untaken.set(id, socket)
    child.worker.send({ say: 'connection', id, head } satisfies ToChild, socket, { keepOpen: true })
  }

  async stop(): Promise<void> {
    this.stopping = true
    for (const { socket } of this.waiting) socket.destroy()
    const running = this.places.flatMap((child) => (child === undefined ? [] : [child.worker]))
    const late = setTimeout(() => {
      for (const worker of running) worker.process.kill('SIGKILL')
    }, STOP_MS)
    await Promise.all(
      running.map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve))
        worker.process.kill('SIGTERM')
        return worker.isDead() ? undefined : ended
      }),
    )
    clearTimeout(late)
  }

  private leastOf(ready: readonly number[]): number | undefined {
    const load = (place: number) => this.places[place]?.connections ?? 0
    return ready.toSorted((a, b) => load(a) - load(b))[0]
  }

  private fork(place: number): Promise<void> {
    const worker = cluster.fork()
    const child: Child = { worker, ready: false, connections: 0, untaken: new Map() }
    const began = performance.now()
    this.places[place] = child
    const start: ToChild = { say: 'start', database: this.options.database }
    return new Promise((resolve, reject) => {
      worker.on('message', (told: FromChild) => {
        if (told.say === 'taken') taken(child, told.id)
        else if (told.say === 'listening') worker.send(start)
        else if (told.say !== 'ready') this.heard(worker, told)
        if (told.say !== 'ready') return
        child.ready = true
        resolve()
        for (const { socket, head } of this.waiting.splice(0)) this.hand(socket, head)
      })
      worker.on('exit', (code, signal) => {
        this.places[place] = undefined
        // it may have read them: whoever asked asks again, and nothing is done twice
        for (const socket of child.untaken.values()) socket.destroy()
        reject(new Error(`a server process ended with ${signal ?? code} before it was ready`))
        if (this.stopping) return
        const lived = performance.now() - began > WORKS_MS
        this.again(place, { lived, ready: child.ready, code: signal ?? code })
      })
    })
  }

  private again(
    place: number,
    { lived, ready, code }: { lived: boolean; ready: boolean; code: number | string },
  ): void {
    const failures = lived ? 0 : (this.failures[place] ?? 0)
    this.failures[place] = failures + 1
    this.options.log.error({ place, code }, 'a server process has died; another one is started')
    const waitMs = ready && failures === 0 ? 0 : Math.min(LONGEST_MS, AGAIN_MS * 2 ** failures)
    setTimeout(() => {
      if (this.stopping) return
      // its own end is what starts the next one
      void Promise.allSettled([this.fork(place)])
    }, waitMs)
  }

  /** Figures of all processes for the one that was asked for them. */
  private heard(worker: Worker, told: FromChild): void {
    if (told.say === 'all-figures') {
      const ready = this.places.filter((child) => child?.ready === true)
      const id = ++this.asked
      this.asking.set(id, { by: worker, id: told.id, left: ready.length, figures: [] })
      for (const child of ready) child?.worker.send({ say: 'figures', id } satisfies ToChild)
      setTimeout(() => this.answer(id), FIGURES_MS)
      return
    }
    const asking = told.say === 'figures' ? this.asking.get(told.id) : undefined
    if (asking === undefined || told.say !== 'figures') return
    asking.figures.push(told.figures)
    asking.left -= 1
    if (asking.left === 0) this.answer(told.id)
  }

  private answer(number: number): void {
    const asking = this.asking.get(number)
    this.asking.delete(number)
    if (asking?.by.isConnected() !== true) return
    const { by, id, figures } = asking
    by.send({ say: 'all-figures', id, figures } satisfies ToChild)
  }
}

/** From now on the process has it alone. */
function taken({ untaken }: Child, id: number): void {
  untaken.get(id)?.destroy()
  untaken.delete(id)
}

/** A process that does not answer by then is left out. */
const FIGURES_MS = 1_500
