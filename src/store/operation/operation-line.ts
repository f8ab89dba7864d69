// The one connection that a server keeps for operations: it hears when one ends elsewhere, and by
// its lock others see that this server is alive. Opened by core/operation.
import pg from 'pg'
import { closed, KEEP_ALIVE } from '../../postgres/lone-client.js'
import { reaching, type Store } from '../client.js'

/** First number of the advisory locks of running servers; the second is the runner's. */
export const RUNNER_CLASS = 72_707_370

/** Channel on which the end of an operation is told; the payload is its id. */
export const OPERATION_CHANNEL = 'fiskalwerk_operation'

/** Channel of wishes that an operation stops, and of the refusals of those. */
const STOP_CHANNEL = 'fiskalwerk_stop'

const AGAIN_MS = 500
/**
 * A network may fall silent without an end. Two of these are less than the time after which
 * PostgreSQL gives up a server: whoever has lost its lock knows it before the others do.
 */
const BEAT_MS = 5_000

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

/**
 * Connects when it is asked for the first time, and again whenever the connection breaks or has
 * been silent for two beats.
 */
export function openOperationLine(
  store: Pick<Store, 'connection' | 'pool'>,
  runner: number,
  beatMs = BEAT_MS,
): OperationLine {
  return new Line(store, runner, beatMs)
}

class Line implements OperationLine {
  private readonly store: Pick<Store, 'connection' | 'pool'>
  private readonly runner: number
  private readonly beatMs: number
  private readonly listeners: ((id: string | undefined) => void)[] = []
  private readonly stopListeners: ((text: string) => void)[] = []
  private client: pg.Client | undefined
  private opening: Promise<void> | undefined
  private again: NodeJS.Timeout | undefined
  private beating: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(store: Pick<Store, 'connection' | 'pool'>, runner: number, beatMs: number) {
    this.store = store
    this.runner = runner
    this.beatMs = beatMs
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
    this.isClosed = true
    clearTimeout(this.again)
    await Promise.allSettled([this.opening])
    const { client } = this
    this.client = undefined
    clearInterval(this.beating)
    if (client !== undefined) await closed(client)
  }

  private async open(): Promise<void> {
    const { beatMs } = this
    const client = new pg.Client({
      ...{ ...this.store.connection, keepAlive: true },
      ...{ connectionTimeoutMillis: beatMs, query_timeout: beatMs },
    })
    client.on('error', () => this.broke(client))
    client.on('end', () => this.broke(client))
    client.on('notification', ({ channel, payload }) => {
      if (channel === OPERATION_CHANNEL) this.tell(payload)
      else for (const listener of this.stopListeners) listener(payload ?? '')
    })
    try {
      await client.connect()
      await client.query(KEEP_ALIVE)
      await client.query('select pg_advisory_lock_shared($1, $2)', [RUNNER_CLASS, this.runner])
      await client.query(`listen ${OPERATION_CHANNEL}; listen ${STOP_CHANNEL}`)
    } catch (error) {
      await closed(client)
      throw error
    }
    this.client = client
    this.beat(client)
    this.tell(undefined)
  }

  private beat(client: pg.Client): void {
    clearInterval(this.beating)
    this.beating = setInterval(() => {
      client.query('select 1').catch(() => this.renew(client))
    }, this.beatMs).unref()
  }

  /** Perhaps it was this server that was slow: both hold its lock until the new one has it. */
  private async renew(client: pg.Client): Promise<void> {
    if (this.client !== client) return
    this.client = undefined
    clearInterval(this.beating)
    const [opened] = await Promise.allSettled([this.ready()])
    if (opened.status === 'rejected') this.reopen()
    await closed(client)
  }

  private tell(id: string | undefined): void {
    for (const listener of this.listeners) listener(id)
  }

  private broke(client: pg.Client): void {
    if (this.client !== client) return
    this.client = undefined
    clearInterval(this.beating)
    this.reopen()
  }

  private reopen(): void {
    if (this.isClosed) return
    this.again = setTimeout(() => {
      this.ready().catch(() => this.reopen())
    }, AGAIN_MS)
    this.again.unref()
  }
}
