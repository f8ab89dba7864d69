// Whose turn it is with a queue that is signed by a device outside: among all servers one, which
// holds it while the device works. A server that dies gives it back by that; PostgreSQL notices.
import pg from 'pg'
import type { Store } from '../client.js'

/** First number of these advisory locks; the second is the hash of the queue. */
const TURN_CLASS = 72_707_371
const STATEMENT_MS = 5_000
/** A machine that is gone without a word keeps its turns for about eleven seconds. */
const KEEP_ALIVE = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3'

export interface QueueTurns {
  /** False: another server has it. Throws when the database does not answer. */
  take(queueId: string): Promise<boolean>
  give(queueId: string): Promise<void>
  close(): Promise<void>
}

/** Connects with the first turn, and anew when the connection broke. */
export function openQueueTurns(store: Pick<Store, 'connection'>): QueueTurns {
  return new Turns(store)
}

class Turns implements QueueTurns {
  private readonly store: Pick<Store, 'connection'>
  private client: Promise<pg.Client> | undefined

  constructor(store: Pick<Store, 'connection'>) {
    this.store = store
  }

  async take(queueId: string): Promise<boolean> {
    this.client ??= this.open()
    const opening = this.client
    try {
      const client = await opening
      const { rows } = await client.query<{ taken: boolean }>({
        name: 'queue-turn',
        text: 'select pg_try_advisory_lock($1, hashtext($2)) as taken',
        values: [TURN_CLASS, queueId],
      })
      return rows[0]?.taken === true
    } catch (error) {
      this.broke(opening)
      throw error
    }
  }

  async give(queueId: string): Promise<void> {
    const opening = this.client
    if (opening === undefined) return
    try {
      const client = await opening
      await client.query({
        name: 'queue-turn-back',
        text: 'select pg_advisory_unlock($1, hashtext($2))',
        values: [TURN_CLASS, queueId],
      })
    } catch {
      // with its connection it is given back
      this.broke(opening)
    }
  }

  async close(): Promise<void> {
    const opening = this.client
    this.client = undefined
    const [opened] = await Promise.allSettled([opening])
    if (opened?.status === 'fulfilled') await Promise.allSettled([opened.value?.end()])
  }

  private open(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.store.connection,
      ...{ keepAlive: true, connectionTimeoutMillis: STATEMENT_MS, options: KEEP_ALIVE },
      ...{ statement_timeout: STATEMENT_MS, query_timeout: STATEMENT_MS },
    })
    const opening = client.connect().then(() => client)
    client.on('error', () => this.broke(opening))
    return opening
  }

  private broke(opening: Promise<pg.Client> | undefined): void {
    if (this.client === opening) this.client = undefined
    void Promise.allSettled([opening?.then((client) => client.end())])
  }
}
