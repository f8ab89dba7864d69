// Connections that the first process has accepted and handed to this one.
import cluster from 'node:cluster'
import type { Server, Socket } from 'node:net'
import { KEEP_ALIVE_MS } from '../api/shared/connection.js'
import type { FastifyInstance } from '../app.js'
import type { DatabaseConfig } from '../postgres/database.js'
import type { ListenTo } from './further.js'

/** To a process. */
export type ToChild =
  | ({ say: 'start' } & Start)
  | { say: 'connection'; id: number; head: Uint8Array; door: string }
  | { say: 'figures'; id: number }
  | { say: 'all-figures'; id: number; figures: unknown[] }

/** What the first process has opened beside PORT: port by name. */
export type OpenPorts = Readonly<Record<string, number>>

export interface Start {
  /** How the database is reached. */
  database: DatabaseConfig
  ports: OpenPorts
}

/** Name of PORT, where the app answers whatever the others say. */
export const MAIN = 'PORT'

/** From a process. */
export type FromChild =
  /** Said before anything is done with the connection; so many are open then. */
  | { say: 'taken'; id: number; open: number }
  /** Some were closed. */
  | { say: 'open'; open: number }
  | { say: 'listening' }
  | { say: 'ready' }
  | { say: 'figures'; id: number; figures: unknown }
  | { say: 'all-figures'; id: number }

/** The last argument of processes that this program has started. */
export const CHILD = 'one-of-several'

/** Not for those that something else has started as workers of a cluster. */
export const isChild = (): boolean => cluster.isWorker && process.argv.at(-1) === CHILD

/** Its number among the others, from 1; undefined: it is the only one. */
export function childNumber(): string | undefined {
  return cluster.isWorker ? String(cluster.worker?.id ?? '') : undefined
}

export function tellParent(told: FromChild): void {
  // without the first process this one ends, and has nobody to tell of it
  process.send?.(told, undefined, undefined, () => undefined)
}

/** What the first process tells before anything else. */
export function toldStart(): Promise<Start> {
  return new Promise((resolve) => {
    const listen = (told: ToChild) => {
      if (told.say !== 'start') return
      process.off('message', listen)
      resolve(told)
    }
    process.on('message', listen)
    // what is said before somebody listens is lost
    tellParent({ say: 'listening' })
  })
}

/** Closed connections are told of together. */
const TELL_MS = 100

/**
 * The app gets them as if it had accepted them; its stop waits for those that are needed. Servers
 * of other ports get theirs as well: this is how they listen.
 */
export function takeHanded(app: FastifyInstance, ports: OpenPorts): ListenTo {
  const doors = new Map<string, Door>()
  const told = new OpenCount()
  const main = new Door(app.server, told)
  doors.set(MAIN, main)
  process.on('message', (given: ToChild, socket: unknown) => {
    if (given.say !== 'connection') return
    told.taken(given.id)
    if (!isSocket(socket)) return
    const door = doors.get(given.door)
    if (door === undefined) socket.destroy()
    else door.take(socket, given.head)
  })
  app.addHook('preClose', () => main.ended())
  return ({ name, port }) =>
    (tcp) => {
      const door = new Door(tcp, told)
      doors.set(name, door)
      const close = () => {
        doors.delete(name)
        return door.ended()
      }
      return Promise.resolve({ port: ports[name] ?? port, close })
    }
}

/** How many are open here, for the first process. */
class OpenCount {
  private open = 0
  private isTelling = false

  /** Before anything is done with the connection. */
  taken(id: number): void {
    tellParent({ say: 'taken', id, open: this.open + 1 })
  }

  opened(): void {
    this.open += 1
  }

  closed(): void {
    this.open -= 1
    if (!this.isTelling) setTimeout(() => this.tell(), TELL_MS).unref()
    this.isTelling = true
  }

  private tell(): void {
    this.isTelling = false
    tellParent({ say: 'open', open: this.open })
  }
}

/** The connections of a server that listens nowhere itself. */
class Door {
  private readonly server: Server
  private readonly count: OpenCount
  private readonly open = new Set<Socket>()
  private allClosed: (() => void) | undefined

  constructor(server: Server, count: OpenCount) {
    this.server = server
    this.count = count
  }

  /** As the server would have accepted it. */
  take(socket: Socket, head: Uint8Array): void {
    if (this.open.size >= this.server.maxConnections) {
      socket.destroy()
      return
    }
    this.open.add(socket)
    this.count.opened()
    socket.once('close', () => {
      this.open.delete(socket)
      this.count.closed()
      if (this.open.size === 0) this.allClosed?.()
    })
    socket.allowHalfOpen = Reflect.get(this.server, 'allowHalfOpen') === true
    socket.setNoDelay(true)
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    if (head.length > 0) socket.unshift(head)
    this.server.emit('connection', socket)
  }

  /** Resolves when none is open. */
  async ended(): Promise<void> {
    if (this.open.size === 0) return
    await new Promise<void>((resolve) => {
      this.allClosed = resolve
    })
  }
}

/** Nothing has come where the client was gone on the way. */
const isSocket = (given: unknown): given is Socket => given instanceof Object && 'unshift' in given

/** Figures of all processes; this one gives its own whenever somebody asks. */
export function shareFigures(own: () => Promise<unknown>): () => Promise<unknown[]> {
  const asked = new Map<number, (figures: unknown[]) => void>()
  let last = 0
  process.on('message', (told: ToChild) => {
    if (told.say === 'figures') {
      void own().then((figures) => tellParent({ say: 'figures', id: told.id, figures }))
    } else if (told.say === 'all-figures') {
      asked.get(told.id)?.(told.figures)
      asked.delete(told.id)
    }
  })
  return () =>
    new Promise((resolve) => {
      const id = ++last
      asked.set(id, resolve)
      tellParent({ say: 'all-figures', id })
    })
}
