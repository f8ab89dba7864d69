// Connections that the first process has accepted and handed to this one.
import cluster from 'node:cluster'
import type { Socket } from 'node:net'
import type { FastifyInstance } from '../app.js'
import type { DatabaseConfig } from '../postgres/database.js'

/** To a process. */
export type ToChild =
  | { say: 'start'; database: DatabaseConfig }
  | { say: 'connection'; id: number; head: Uint8Array }
  | { say: 'figures'; id: number }
  | { say: 'all-figures'; id: number; figures: unknown[] }

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

/** How the first process reaches the database. */
export function toldDatabase(): Promise<DatabaseConfig> {
  return new Promise((resolve) => {
    const listen = (told: ToChild) => {
      if (told.say !== 'start') return
      process.off('message', listen)
      resolve(told.database)
    }
    process.on('message', listen)
    // what is said before somebody listens is lost
    tellParent({ say: 'listening' })
  })
}

/** Closed connections are told of together. */
const TELL_MS = 100

/** The app gets them as if it had accepted them; its stop waits for those that are needed. */
export function takeHanded(app: FastifyInstance, most: number): void {
  const open = new Set<Socket>()
  let allClosed: (() => void) | undefined
  let isTelling = false
  const tellOpen = (): void => {
    isTelling = false
    tellParent({ say: 'open', open: open.size })
  }
  process.on('message', (told: ToChild, socket: unknown) => {
    if (told.say !== 'connection') return
    tellParent({ say: 'taken', id: told.id, open: open.size + 1 })
    if (!isSocket(socket)) return
    if (open.size >= most) {
      socket.destroy()
      return
    }
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      if (!isTelling) setTimeout(tellOpen, TELL_MS).unref()
      isTelling = true
      if (open.size === 0) allClosed?.()
    })
    // as Node's own server of HTTP has it
    socket.allowHalfOpen = true
    socket.setNoDelay(true)
    socket.unshift(told.head)
    app.server.emit('connection', socket)
  })
  app.addHook('preClose', (done) => {
    if (open.size === 0) done()
    else allClosed = () => done()
  })
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
