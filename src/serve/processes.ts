// Several processes behind one port: this one accepts connections and hands each to the process of
// its CashBox, and starts another process for one that has died. It serves nothing itself.
import cluster from 'node:cluster'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Listening, listenAt } from '../lib/listen.js'
import type { DatabaseConfig } from '../postgres/database.js'
import { Child, type Handed, Line } from './child.js'
import { chosenFor } from './chosen.js'
import { httpFront, plainFront } from './front.js'
import { listenError, type NamedPort } from './further.js'
import { CHILD, type FromChild, MAIN, type OpenPorts, type ToChild } from './handed.js'

export interface ProcessesOptions {
  count: number
  host: string
  port: number
  further: readonly NamedPort[]
  database: DatabaseConfig
  log: Logger
}

export interface Processes {
  /** Where they are reached. */
  address: string
  /** The further ports by their names. */
  ports: OpenPorts
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

export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  cluster.setupPrimary({ serialization: 'advanced', args: [...process.argv.slice(2), CHILD] })
  const children = new Children(options)
  const hand = (one: Handed): void => children.hand(one)
  const open: Listening[] = []
  const ports: Record<string, number> = {}
  const stop = async (): Promise<void> => {
    for (const one of open) void one.close()
    await children.stop()
  }
  const { host } = options
  try {
    for (const { name, port, setting, hasQueue } of options.further) {
      const tcp = plainFront({ door: name, whose: hasQueue ? name : undefined }, hand)
      const listening = await listenAt({ host, port })(tcp).catch((error: unknown) => {
        throw listenError(error, setting)
      })
      open.push(listening)
      ports[name] = listening.port
    }
    await children.start(ports)
    const tcp = httpFront(MAIN, hand)
    open.push(await listenAt({ host, port: options.port })(tcp))
    return { address: urlOf(tcp.address() as AddressInfo), ports, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Figures that a process wants of all of them. */
interface Asking {
  by: Child
  /** The number that it has given its question. */
  id: number
  left: number
  figures: unknown[]
}

class Children {
  private readonly options: ProcessesOptions
  private readonly places: (Child | undefined)[]
  private readonly waiting = new Line()
  private readonly asking = new Map<number, Asking>()
  private ports: OpenPorts = {}
  private stopping = false
  private asked = 0

  constructor(options: ProcessesOptions) {
    this.options = options
    this.places = Array.from({ length: options.count }, () => undefined)
  }

  /** Rejects when the first ones end before they are ready: what is wrong will not pass. */
  async start(ports: OpenPorts): Promise<void> {
    this.ports = ports
    await Promise.all(
      this.places.map((_, place) => new Promise<void>((...ready) => void this.keep(place, ready))),
    )
  }

  hand(one: Handed): void {
    const taking = this.places.flatMap((child, place) => (child?.takes === true ? [place] : []))
    const { whose } = one
    const place = whose === undefined ? this.leastOf(taking) : chosenFor(whose, taking)
    const child = place === undefined ? undefined : this.places[place]
    if (child !== undefined) child.hand(one)
    else if (this.stopping) one.socket.destroy()
    else this.waiting.join(one)
  }

  async stop(): Promise<void> {
    this.stopping = true
    for (const { socket } of this.waiting.all()) socket.destroy()
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

  private leastOf(taking: readonly number[]): number | undefined {
    const load = (place: number) => this.places[place]?.connections ?? 0
    return taking.toSorted((a, b) => load(a) - load(b))[0]
  }

  /** One process after the other. Told once: the first one is ready, or never was. */
  private async keep(
    place: number,
    [resolve, reject]: [ready: () => void, never: (error: Error) => void],
  ): Promise<void> {
    let failures = 0
    while (!this.stopping) {
      const began = performance.now()
      const { reason, wasReady } = await this.live(place, resolve).catch((error: unknown) => {
        // the system has no room for one more, for instance
        return { reason: String(error), wasReady: false }
      })
      reject(new Error(`a server process ended with ${reason} before it was ready`))
      if (this.stopping) return
      const told = 'a server process has died; another one is started'
      this.options.log.error({ place, code: reason }, told)
      if (performance.now() - began > WORKS_MS) failures = 0
      if (!wasReady || failures > 0) await sleep(Math.min(LONGEST_MS, AGAIN_MS * 2 ** failures))
      failures += 1
    }
  }

  /** Resolves when it has ended. Rejects when it did not come into being. */
  private async live(
    place: number,
    onReady: () => void,
  ): Promise<{ reason: string; wasReady: boolean }> {
    const child = new Child(cluster.fork())
    const { worker } = child
    this.places[place] = child
    worker.on('message', (told: FromChild) => {
      this.heard(child, told)
      if (told.say === 'ready') onReady()
    })
    try {
      return await new Promise((resolve, reject) => {
        worker.on('exit', (code, signal) => {
          resolve({ reason: String(signal ?? code), wasReady: child.isReady })
        })
        worker.on('error', (error) => {
          if (worker.process.pid === undefined) reject(error)
          // its end is not known yet, and it is told nothing any more
          else this.options.log.debug({ err: error, place }, 'a server process is not reached')
        })
      })
    } finally {
      this.places[place] = undefined
      for (const one of child.ended()) this.hand(one)
    }
  }

  private heard(child: Child, told: FromChild): void {
    if (told.say === 'listening') {
      const { database } = this.options
      child.worker.send({ say: 'start', database, ports: this.ports } satisfies ToChild)
    } else if (told.say === 'ready') {
      child.isReady = true
      for (const one of this.waiting.all()) this.hand(one)
    } else if (told.say === 'all-figures') {
      this.askAll(child, told.id)
    } else if (told.say === 'figures') {
      this.figuresOf(told)
    } else {
      child.open = told.open
      if (told.say === 'taken') child.taken(told.id)
    }
  }

  /** Figures of all processes for the one that was asked for them. */
  private askAll(by: Child, asked: number): void {
    const taking = this.places.filter((child) => child?.takes === true)
    const id = ++this.asked
    this.asking.set(id, { by, id: asked, left: taking.length, figures: [] })
    for (const child of taking) child?.worker.send({ say: 'figures', id } satisfies ToChild)
    setTimeout(() => this.answer(id), FIGURES_MS)
  }

  private figuresOf({ id, figures }: { id: number; figures: unknown }): void {
    const asking = this.asking.get(id)
    if (asking === undefined) return
    asking.figures.push(figures)
    asking.left -= 1
    if (asking.left === 0) this.answer(id)
  }

  private answer(number: number): void {
    const asking = this.asking.get(number)
    this.asking.delete(number)
    if (asking?.by.worker.isConnected() !== true) return
    const { by, id, figures } = asking
    by.worker.send({ say: 'all-figures', id, figures } satisfies ToChild)
  }
}

/** A process that does not answer by then is left out. */
const FIGURES_MS = 1_500
