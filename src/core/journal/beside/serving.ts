// The side of the thread: orders as they come, each with its own end.
import type { MessagePort } from 'node:worker_threads'
import { piecesOf } from './pieces.js'
import { type Asked, faultOf, type Told, WINDOW } from './protocol.js'

export interface Answer {
  /** What can be cloned. */
  head: unknown
  body?: AsyncIterable<string | Uint8Array>
}

/** The signal says that nobody wants the answer any more. */
export type Work = (order: unknown, left: AbortSignal) => Promise<Answer>

/** Until the port says stop; then what still runs is left, and `stopped` is called. */
export function serveOrders(port: MessagePort, work: Work, stopped: () => Promise<void>): void {
  const orders = new Map<number, Order>()
  const tell = (told: Told) => {
    port.postMessage(told, told.say === 'piece' ? [told.bytes.buffer as ArrayBuffer] : [])
  }
  port.on('message', (asked: Asked) => {
    if (asked.say === 'stop') {
      for (const order of orders.values()) order.leave()
      void stopped().finally(() => port.close())
      return
    }
    if (asked.say !== 'begin') {
      const order = orders.get(asked.id)
      return asked.say === 'taken' ? order?.taken() : order?.leave()
    }
    const { id } = asked
    const order = new Order(id, tell)
    orders.set(id, order)
    void order.run(() => work(asked.order, order.left)).finally(() => orders.delete(id))
  })
}

class Order {
  private readonly id: number
  private readonly tell: (told: Told) => void
  private readonly leaving = new AbortController()
  private room = WINDOW
  private waiting: (() => void) | undefined

  constructor(id: number, tell: (told: Told) => void) {
    this.id = id
    this.tell = tell
  }

  get left(): AbortSignal {
    return this.leaving.signal
  }

  taken(): void {
    this.room += 1
    this.waiting?.()
  }

  leave(): void {
    this.leaving.abort()
    this.waiting?.()
  }

  async run(work: () => Promise<Answer>): Promise<void> {
    const { id } = this
    try {
      await this.answer(await work())
      this.tell({ say: 'over', id })
    } catch (error) {
      this.tell({ say: 'over', id, fault: faultOf(error) })
    }
  }

  private async answer({ head, body }: Answer): Promise<void> {
    const { id } = this
    if (!this.left.aborted) this.tell({ say: 'opened', id, head })
    if (body === undefined) return
    for await (const bytes of piecesOf(body)) {
      while (this.room === 0 && !this.left.aborted) {
        await new Promise<void>((go) => {
          this.waiting = go
        })
      }
      if (this.left.aborted) return
      this.room -= 1
      this.tell({ say: 'piece', id, bytes })
    }
  }
}
