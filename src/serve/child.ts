// One of several processes, as the first one sees it. Connections reach it one after the other, so
// that its death costs one of them at most: whatever it has not been sent goes to another process.
import type { Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import type { ToChild } from './handed.js'

/** A connection, and what was read of it. */
export interface Handed {
  socket: Socket
  head: Uint8Array
  /** Name of the port at which it came. */
  door: string
  /** Those of one belong to one process; undefined: any may have it. */
  whose: string | undefined
}

/** Those that wait, in their order; whoever leaves meanwhile takes no place. */
export class Line {
  private readonly waiting = new Set<Handed>()

  get length(): number {
    return this.waiting.size
  }

  join(one: Handed): void {
    if (one.socket.destroyed) return
    this.waiting.add(one)
    one.socket.once('close', () => this.waiting.delete(one))
  }

  first(): Handed | undefined {
    const [one] = this.waiting
    if (one !== undefined) this.waiting.delete(one)
    return one
  }

  all(): Handed[] {
    const all = [...this.waiting]
    this.waiting.clear()
    return all
  }
}

export class Child {
  readonly worker: Worker
  isReady = false
  /** Open there, as far as it has told. */
  open = 0
  private readonly line = new Line()
  /** Nothing was heard of it yet: it may have been read, and nobody knows how far. */
  private sent: (Handed & { id: number }) | undefined
  private last = 0

  constructor(worker: Worker) {
    this.worker = worker
  }

  /** One that is dying is left alone before its end is known. */
  get takes(): boolean {
    return this.isReady && this.worker.isConnected()
  }

  /** Open there or on their way. */
  get connections(): number {
    return this.open + this.line.length
  }

  hand(one: Handed): void {
    this.line.join(one)
    this.sendNext()
  }

  /** From now on the process has it alone. */
  taken(id: number): void {
    if (this.sent?.id !== id) return
    this.sent.socket.destroy()
    this.sent = undefined
    this.sendNext()
  }

  /** It has ended: those that it has certainly not begun. */
  ended(): Handed[] {
    // whoever asked asks again, and nothing is done twice
    this.sent?.socket.destroy()
    this.sent = undefined
    return this.line.all()
  }

  private sendNext(): void {
    while (this.sent === undefined && this.worker.isConnected()) {
      const one = this.line.first()
      if (one === undefined) return
      if (!one.socket.destroyed) this.send(one)
    }
  }

  private send(one: Handed): void {
    const { socket, head, door } = one
    const id = ++this.last
    this.sent = { ...one, id }
    socket.setTimeout(0)
    // kept open here until it is taken there: the death of a process must not leave it hanging
    const told: ToChild = { say: 'connection', id, head, door }
    this.worker.send(told, socket, { keepOpen: true }, (error) => {
      if (error === null || this.sent?.id !== id) return
      this.sent = undefined
      if (this.worker.isConnected()) {
        // the connection itself cannot be sent
        socket.destroy()
        this.sendNext()
      } else this.line.join(one)
    })
  }
}
