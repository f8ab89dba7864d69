// Whose turn it is with a queue that is signed by a device outside, and with the device where it
// counts: among all servers one, which holds it while the device works. A server that dies gives it
// back by that; PostgreSQL notices.
import pg from 'pg'
import { closed, KEEP_ALIVE } from '../../postgres/lone-client.js'
import type { Store } from '../client.js'

/** First number of these advisory locks; the second is the hash of the queue or the unit. */
const TURN_CLASS = 72_707_371
const STATEMENT_MS = 5_000
/** SQLSTATE of a statement that took longer than it may. */
const TOO_LATE = '57014'

export interface QueueTurns {
  /** Of a queue or a unit. False: another server has it. Throws without the database. */
  take(id: string): Promise<boolean>
  /** The same; behind those who came before, as long as that. */
  wait(id: string, milliseconds: number): Promise<boolean>
  give(id: string): Promise<void>
  /** Whether it was taken and its connection still stands, as far as is known here. */
  holds(id: string): boolean
  close(): Promise<void>
}

/** Connects with the first turn, and anew when the connection broke. */
export function openQueueTurns(store: Pick<Store, 'connection'>): QueueTurns {
  return new Turns(store)
}

/** A turn to be taken or given back. */
interface Wish {
  id: string
  gives: boolean
  resolve(isDone: boolean): void
  reject(error: unknown): void
}

/** In the order in which they came. */
const WISHES = `select case when w.gives then pg_advisory_unlock($1, hashtext(w.id))
    else pg_try_advisory_lock($1, hashtext(w.id)) end as done
  from unnest($2::text[], $3::bool[]) with ordinality w(id, gives, nth) order by w.nth`

class Turns implements QueueTurns {
  private readonly store: Pick<Store, 'connection'>
  private client: Promise<pg.Client> | undefined
  /** The shared connection takes one statement at a time: what comes meanwhile is the next one. */
  private wishes: Wish[] = []
  private isAsking = false
  /** A turn that was waited for is held by a connection of its own, whose end gives it back. */
  private readonly waited = new Map<string, pg.Client>()
  /** The others, by the connection that holds them. */
  private readonly taken = new Map<string, Promise<pg.Client>>()

  constructor(store: Pick<Store, 'connection'>) {
    this.store = store
  }

  take(id: string): Promise<boolean> {
    return this.wish(id, false)
  }

  holds(id: string): boolean {
    const held = this.taken.get(id)
    return this.waited.has(id) || (held !== undefined && held === this.client)
  }

  async wait(id: string, milliseconds: number): Promise<boolean> {
    const client = this.made(Math.ceil(milliseconds))
    const ended = () => {
      if (this.waited.get(id) === client) this.waited.delete(id)
    }
    client.on('error', ended)
    try {
      await client.connect()
      await client.query(KEEP_ALIVE)
      await client.query('select pg_advisory_lock($1, hashtext($2))', [TURN_CLASS, id])
      this.waited.set(id, client)
      return true
    } catch (error) {
      await closed(client)
      if ((error as { code?: string }).code === TOO_LATE) return false
      throw error
    }
  }

  async give(id: string): Promise<void> {
    const own = this.waited.get(id)
    if (own !== undefined) {
      this.waited.delete(id)
      await closed(own)
      return
    }
    if (this.client === undefined) return
    // with its connection it is given back
    await Promise.allSettled([this.wish(id, true)])
  }

  async close(): Promise<void> {
    const opening = this.client
    this.client = undefined
    const own = [...this.waited.values()]
    this.waited.clear()
    const [opened] = await Promise.allSettled([opening, ...own.map(closed)])
    if (opened?.status === 'fulfilled' && opened.value !== undefined) await closed(opened.value)
  }

  private wish(id: string, gives: boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.wishes.push({ id, gives, resolve, reject })
      if (!this.isAsking) void this.ask()
    })
  }

  private async ask(): Promise<void> {
    this.isAsking = true
    while (this.wishes.length > 0) {
      this.client ??= this.open()
      await this.grant(this.client)
    }
    this.isAsking = false
  }

  private async grant(opening: Promise<pg.Client>): Promise<void> {
    let asked: Wish[] = []
    try {
      const client = await opening
      asked = this.wishes.splice(0)
      const ids = asked.map(({ id }) => id)
      const gives = asked.map((one) => one.gives)
      const { rows } = await client.query<{ done: boolean }>({
        ...{ name: 'queue-turns', text: WISHES, values: [TURN_CLASS, ids, gives] },
      })
      for (const [at, { id, gives, resolve }] of asked.entries()) {
        const isDone = rows[at]?.done === true
        if (gives) this.taken.delete(id)
        else if (isDone) this.taken.set(id, opening)
        resolve(isDone)
      }
    } catch (error) {
      this.broke(opening)
      for (const { reject } of [...asked, ...this.wishes.splice(0)]) reject(error)
    }
  }

  private made(statementMs: number): pg.Client {
    return new pg.Client({
      ...this.store.connection,
      ...{ keepAlive: true, connectionTimeoutMillis: STATEMENT_MS },
      ...{ statement_timeout: statementMs, query_timeout: statementMs + STATEMENT_MS },
    })
  }

  private open(): Promise<pg.Client> {
    const client = this.made(STATEMENT_MS)
    const opening = begun(client)
    client.on('error', () => this.broke(opening))
    return opening
  }

  private broke(opening: Promise<pg.Client> | undefined): void {
    if (this.client === opening) this.client = undefined
    for (const [id, held] of this.taken) if (held === opening) this.taken.delete(id)
    void Promise.allSettled([opening?.then(closed)])
  }
}

async function begun(client: pg.Client): Promise<pg.Client> {
  try {
    await client.connect()
    await client.query(KEEP_ALIVE)
    return client
  } catch (error) {
    await closed(client)
    throw error
  }
}
