// Calls that may be repeated share connections that stay open, by a client (undici) that costs half
// of what Node's own does. It is loaded with the first of them.
import type { IncomingHttpHeaders } from 'node:http'
import type { Agent, Dispatcher } from 'undici'
import { bareHost, type Guard, OutboundError, portOf } from './guard.js'

/** Of a connection that nobody uses. */
const IDLE_MS = 4_000
/** How soon the system finds out that nobody is there any more. */
export const KEEP_ALIVE_MS = 15_000
/** Of a connection that does not come about; a call may end before. */
const CONNECT_MS = 30_000

/** What becomes of an answer, and what ends it early. */
export interface Taker {
  /** Throws what ends the call. */
  begin(status: number, headers: IncomingHttpHeaders): void
  /** The next piece comes behind the promise. Throws what ends the call. */
  take(bytes: Buffer): Promise<void> | void
}

export interface KeptCall {
  method: Dispatcher.HttpMethod
  headers: Record<string, string>
  body?: string | Buffer | undefined
  /** Whoever runs the server named this address. */
  named: boolean
  /** Until all of the answer is there; Infinity: as long as it takes. */
  timeoutMs: number
  /** Ends the call early. */
  signal?: AbortSignal | undefined
}

/** The other side ended the connection, or spoke no HTTP, before an answer began. */
export class StaleConnection extends Error {}

export class KeptConnections {
  private readonly guard: Guard
  /** Addresses that were named, and all others. */
  private readonly agents = new Map<boolean, Promise<Agent>>()

  constructor(guard: Guard) {
    this.guard = guard
  }

  /** Resolves when all of the answer was taken. Rejects with what ended the call. */
  async send(url: URL, call: KeptCall, taker: Taker): Promise<void> {
    const agent = await this.agentOf(call.named)
    const { method, headers, body = null } = call
    const path = `${url.pathname}${url.search}`
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(taker, call, { resolve, reject })
      try {
        agent.dispatch({ origin: url.origin, path, method, headers, body }, exchange)
      } catch (error) {
        exchange.end(error)
      }
    })
  }

  private agentOf(named: boolean): Promise<Agent> {
    const known = this.agents.get(named) ?? this.open(named)
    this.agents.set(named, known)
    return known
  }

  private async open(named: boolean): Promise<Agent> {
    const { Agent: Agents, Pool } = await import('undici')
    return new Agents({
      // a call has a limit of its own for all of it
      ...{ headersTimeout: 0, bodyTimeout: 0 },
      ...{ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS },
      factory: (origin, options) => {
        const url = new URL(origin)
        const lookup = this.guard({ host: bareHost(url.hostname), port: portOf(url), named })
        const connect = { lookup, keepAliveInitialDelay: KEEP_ALIVE_MS, timeout: CONNECT_MS }
        return new Pool(origin, { ...options, connect })
      },
    })
  }
}

interface Settle {
  resolve(): void
  reject(error: unknown): void
}

class Exchange implements Dispatcher.DispatchHandler {
  private readonly taker: Taker
  private readonly settle: Settle
  private controller: Dispatcher.DispatchController | undefined
  private begun = false
  private fault: Error | undefined
  private last: Promise<void> | undefined
  private readonly timer: NodeJS.Timeout | undefined
  private readonly signal: AbortSignal | undefined
  private readonly stop = (): void =>
    this.end(new OutboundError('aborted', 'the call was given up'))

  constructor(taker: Taker, { timeoutMs, signal }: KeptCall, settle: Settle) {
    this.taker = taker
    this.settle = settle
    this.signal = signal
    if (timeoutMs !== Number.POSITIVE_INFINITY) {
      const late = () => this.end(new OutboundError('timeout', 'no complete answer in time'))
      this.timer = setTimeout(late, timeoutMs).unref()
    }
    if (signal?.aborted === true) this.stop()
    else signal?.addEventListener('abort', this.stop, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.fault !== undefined) controller.abort(this.fault)
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // 102 and 103 say that an answer will come
    if (status < 200) return
    this.begun = true
    this.guarded(() => this.taker.begin(status, headers))
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    const taken = this.guarded(() => this.taker.take(bytes))
    if (taken === undefined) return
    controller.pause()
    this.last = taken.then(
      () => controller.resume(),
      (error: unknown) => this.end(error),
    )
  }

  /** A pause does not keep the end back. */
  onResponseEnd(): void {
    if (this.last === undefined) this.whole()
    else void this.last.then(() => this.whole())
  }

  private whole(): void {
    this.forget()
    this.settle.resolve()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.forget()
    if (this.fault !== undefined) return
    this.settle.reject(this.meaning(error))
  }

  private meaning(error: Error): Error {
    if (!this.begun && isStale(error)) return new StaleConnection(error.message, { cause: error })
    if (codeOf(error) !== 'UND_ERR_CONNECT_TIMEOUT') return error
    // its own words name the address
    return new OutboundError('timeout', 'no connection in time', error)
  }

  private guarded<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.end(error)
      return undefined
    }
  }

  end(error: unknown): void {
    this.forget()
    const fault = error instanceof Error ? error : new Error(String(error))
    this.fault ??= fault
    this.settle.reject(error)
    this.controller?.abort(fault)
  }

  private forget(): void {
    clearTimeout(this.timer)
    this.signal?.removeEventListener('abort', this.stop)
  }
}

/** Codes of the client for a connection that ended, and the system's. */
const STALE: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

function isStale(error: Error): boolean {
  return error.name === 'HTTPParserError' || STALE.has(codeOf(error))
}

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined)
