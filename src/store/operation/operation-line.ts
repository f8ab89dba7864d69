// The one connection that a server keeps for operations: it hears when one ends elsewhere, and by
// its lock others see that this server is alive. Opened by core/operation.
import pg from 'pg'
import { reaching, type Store } from '../client.js'

/** First number of the advisory locks of running servers; the second is the runner's. */
export const RUNNER_CLASS = 72_707_370

/** Channel on which the end of an operation is told; the payload is its id. */
export const OPERATION_CHANNEL = 'fiskalwerk_operation'

/** Channel of wishes that an operation stops, and of the refusals of those. */
const STOP_CHANNEL = 'fiskalwerk_stop'

const AGAIN_MS = 500

export interface OperationLine {
  /** Calls back at the end of an operation, and whenever ends may have been missed. */
  onEnd(listener: (id: string | undefined) => void): void
  /** Calls back with what any server has told by `tellStop`, this one too. */
  onStop(listener: (text: string) => void): void
  /** Tells all servers; some may miss it. Throws DATABASE_AWAY. */
  tellStop(text: string): Promise<void>
  /** Resolves when the lock is held; before that nothing may be claimed. */
  ready(): Promise<void>
  /** Whether it is held. */
  readonly isReady: boolean
  close(): Promise<void>
}

/** Connects when it is asked for the first time, and again whenever the connection breaks. */
export function openOperationLine(store: Store, runner: number): OperationLine {
  return new Line(store, runner)
}

class Line implements OperationLine {
  private readonly store: Store
  private readonly runner: number
  private readonly listeners: ((id: string | undefined) => void)[] = []
  private readonly stopListeners: ((text: string) => void)[] = []
  private client: pg.Client | undefined
  private opening: Promise<void> | undefined
  private again: NodeJS.Timeout | undefined
  private closed = false

  constructor(store: Store, runner: number) {
    this.store = store
    this.runner = runner
  }

  onEnd(listener: (id: string | undefined) => void): void {
    this.listeners.push(listener)
  }

  onStop(listener: (text: string) => void): void {
    this.stopListeners.push(listener)
  }

  async tellStop(text: string): Promise<void> {
    await reaching(() => this.store.pool.query('select pg_notify($1, $2)', [STOP_CHANNEL, text]))
  }

  get isReady(): boolean {
    return this.client !== undefined
  }

  ready(): Promise<void> {
    if (this.client !== undefined) return Promise.resolve()
    this.opening ??= this.open().finally(() => {
      this.opening = undefined
    })
    return this.opening
  }

  async close(): Promise<void> {
    this.closed = true
    clearTimeout(this.again)
    await Promise.allSettled([this.opening])
    const { client } = this
    this.client = undefined
    await Promise.allSettled([client?.end()])
  }

  private async open(): Promise<void> {
    const client = new pg.Client({ ...this.store.connection, keepAlive: true })
    client.on('error', () => this.broke(client))
    client.on('end', () => this.broke(client))
    client.on('notification', ({ channel, payload }) => {
      if (channel === OPERATION_CHANNEL) this.tell(payload)
      else for (const listener of this.stopListeners) listener(payload ?? '')
    })
    try {
      await client.connect()
      await client.query('select pg_advisory_lock_shared($1, $2)', [RUNNER_CLASS, this.runner])
      await client.query(`listen ${OPERATION_CHANNEL}; listen ${STOP_CHANNEL}`)
    } catch (error) {
      await Promise.allSettled([client.end()])
      throw error
    }
    this.client = client
    this.tell(undefined)
  }

  private tell(id: string | undefined): void {
    for (const listener of this.listeners) listener(id)
  }

  private broke(client: pg.Client): void {
    if (this.client !== client) return
    this.client = undefined
    this.reopen()
  }

  private reopen(): void {
    if (this.closed) return
    this.again = setTimeout(() => {
      this.ready().catch(() => this.reopen())
    }, AGAIN_MS)
    this.again.unref()
  }
}
