// A terminal on a real socket for model tests: it moves money when it is told to, and forgets
// nothing, whatever becomes of the servers that talk to it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Result = 'RUNNING' | 'SUCCESS' | 'CANCELLED' | 'DECLINED'

interface Order {
  id: string
  action: string
  amount: number
  original: string | undefined
  result: Result
  /** How often it was sent here. */
  orders: number
}

interface Reply {
  status: number
  value: object
}

/** What it says when it is asked to stop. */
export type StopMood = 'yes' | 'no' | 'silent'

export class ModelTerminal {
  readonly orders = new Map<string, Order>()
  mood: StopMood = 'yes'
  private waiting: (() => void)[] = []
  private readonly door = createServer((request, response) => void this.serve(request, response))

  /** `host:port` of it on this machine. */
  async listen(): Promise<string> {
    await new Promise<void>((done) => this.door.listen(0, '127.0.0.1', done))
    return `127.0.0.1:${(this.door.address() as AddressInfo).port}`
  }

  close(): Promise<void> {
    return new Promise((done) => {
      this.door.close(() => done())
      this.door.closeAllConnections()
    })
  }

  running(): Order[] {
    return [...this.orders.values()].filter(({ result }) => result === 'RUNNING')
  }

  /** The oldest that runs ends. */
  finish(result: 'SUCCESS' | 'DECLINED'): void {
    const [order] = this.running()
    if (order !== undefined) order.result = result
    this.wake()
  }

  finishAll(): void {
    for (const order of this.running()) order.result = 'SUCCESS'
    this.wake()
  }

  /** Whoever waits for an answer loses its connection. */
  cut(): void {
    this.wake()
  }

  private wake(): void {
    for (const wake of this.waiting.splice(0)) wake()
  }

  /** No answer at all where it throws: the line is cut. */
  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      const body = await text(request)
      const { status, value } = await this.answer(request.url ?? '', body, gone.signal)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    } catch {
      response.destroy()
    }
  }

  private async answer(path: string, body: string, gone: AbortSignal): Promise<Reply> {
    const [, asked, abort] = /\/operations\/([^/]+)(\/abort)?$/.exec(path) ?? []
    if (asked === undefined) return this.begin(body, gone)
    const order = this.orders.get(asked.toLowerCase())
    if (order === undefined) return told(404, {})
    if (abort !== undefined) return this.stop(order)
    return told(200, stateOf(order))
  }

  private async begin(body: string, gone: AbortSignal): Promise<Reply> {
    const sent = JSON.parse(body) as Record<string, string | number>
    const id = String(sent.OperationID).toLowerCase()
    const known = this.orders.get(id)
    const order: Order = known ?? {
      ...{ id, action: String(sent.Action), amount: Number(sent.Amount), orders: 0 },
      ...{ original: sent.OriginalOperationID?.toString(), result: 'RUNNING' },
    }
    order.orders += 1
    this.orders.set(id, order)
    if (order.action === 'cancel') order.result = this.cancels(order) ? 'SUCCESS' : 'DECLINED'
    while (order.result === 'RUNNING') {
      await this.woken(gone)
      if (order.result === 'RUNNING') throw new Error('cut')
    }
    return told(200, stateOf(order))
  }

  /** Rejects when the caller gives up, or is dead. */
  private woken(gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const left = () => reject(new Error('given up'))
      if (gone.aborted) return left()
      gone.addEventListener('abort', left, { once: true })
      this.waiting.push(resolve)
    })
  }

  private stop(order: Order): Reply {
    if (this.mood === 'silent') throw new Error('no answer')
    if (this.mood === 'no' || order.result !== 'RUNNING') return told(409, {})
    order.result = 'CANCELLED'
    this.wake()
    return told(200, stateOf(order))
  }

  private cancels({ original }: Order): boolean {
    const taken = [...this.orders.values()].filter(
      (one) => one.action === 'cancel' && one.original === original && one.result === 'SUCCESS',
    )
    const paid = original === undefined ? undefined : this.orders.get(original.toLowerCase())
    return taken.length === 0 && paid?.result === 'SUCCESS'
  }
}

function stateOf({ id, result, amount }: Order): object {
  return { OperationID: id, Result: result, ...(result === 'SUCCESS' ? { Amount: amount } : {}) }
}

const told = (status: number, value: object): Reply => ({ status, value })
