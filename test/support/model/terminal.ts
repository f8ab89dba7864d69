// A terminal in memory for model tests: it moves money when it is told to, and forgets nothing,
// whatever becomes of the servers that talk to it.
import {
  type OutboundCall,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from '../../../src/device/outbound.js'

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

/** What it says when it is asked to stop. */
export type StopMood = 'yes' | 'no' | 'silent'

export class ModelTerminal {
  readonly orders = new Map<string, Order>()
  mood: StopMood = 'yes'
  private waiting: (() => void)[] = []

  /** How a server reaches it: not at all once that server is dead. */
  callOf(server: { dead: boolean }): OutboundCall {
    return async (url, request) => {
      if (server.dead) await new Promise(() => undefined)
      const answer = await this.answer(new URL(url).pathname, request)
      if (server.dead) await new Promise(() => undefined)
      return answer
    }
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

  private async answer(path: string, request: OutboundRequest): Promise<OutboundResponse> {
    const [, asked, abort] = /\/operations\/([^/]+)(\/abort)?$/.exec(path) ?? []
    if (asked === undefined) return this.begin(request)
    const order = this.orders.get(asked.toLowerCase())
    if (order === undefined) return told(404, {})
    if (abort !== undefined) return this.stop(order)
    return told(200, stateOf(order))
  }

  private async begin({ body, signal }: OutboundRequest): Promise<OutboundResponse> {
    const sent = JSON.parse(String(body)) as Record<string, string | number>
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
      const cut = await this.woken(signal)
      if (cut && order.result === 'RUNNING') throw new OutboundError('network', 'cut')
    }
    return told(200, stateOf(order))
  }

  /** True: woken; rejects when the caller gives up. */
  private woken(signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const left = () => reject(new OutboundError('aborted', 'given up'))
      if (signal?.aborted === true) return left()
      signal?.addEventListener('abort', left, { once: true })
      this.waiting.push(() => resolve(true))
    })
  }

  private stop(order: Order): OutboundResponse {
    if (this.mood === 'silent') throw new OutboundError('timeout', 'no answer')
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

function told(status: number, value: object): OutboundResponse {
  return { status, body: Buffer.from(JSON.stringify(value)) }
}
