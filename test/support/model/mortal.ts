// A server that can die within this process: it shares the pool of its store, and from its death on
// it sends nothing more and hears nothing more. Used by test/support/model/shop.ts.
import type { Store } from '../../../src/store/client.js'
import { type Desk, deskOn } from '../payments.js'
import type { ModelTerminal } from './terminal.js'

/** Seconds of the real thing are milliseconds here; ends are told, so looks may be rarer. */
const TIMES = { goneMs: 10, againMs: 60, soonMs: 4, endMs: 0 }
const PATIENCE = { pauseMs: 8, questionMs: 1_000, lostMs: 20_000 }
/** Until then a server that has seen a known id looks every id up. */
const WARY_MS = 61_000

const never = (): Promise<never> => new Promise(() => undefined)

export class MortalServer {
  readonly desk: Desk
  /** Resolves when it is dead. */
  readonly death: Promise<void>
  dead = false
  private die: () => void = () => undefined
  private aheadMs = 0

  constructor(store: Store, terminal: ModelTerminal) {
    this.death = new Promise((resolve) => {
      this.die = resolve
    })
    const fetch = terminal.callOf(this)
    const now = () => new Date(Date.now() + this.aheadMs)
    this.desk = deskOn(this.reached(store), { fetch, patience: PATIENCE, now }, TIMES)
  }

  /** It trusts again that ids are new. */
  forgetCare(): void {
    this.aheadMs += WARY_MS
  }

  /** As `kill -9` does it: what is on its way to the database may arrive; its lock goes. */
  async kill(): Promise<void> {
    this.dead = true
    this.die()
    await this.desk.operations.close()
  }

  async close(): Promise<void> {
    await this.desk.payments.close(0)
    await this.desk.operations.close()
  }

  private reached(store: Store): Store {
    const { pool } = store
    // through every one of its signatures
    const reach = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>
    const query = async (...given: unknown[]): Promise<unknown> => {
      if (this.dead) return never()
      const [end] = await Promise.allSettled([reach(...given)])
      if (this.dead) return never()
      if (end?.status === 'fulfilled') return end.value
      throw end?.reason
    }
    const mortal = Object.assign(Object.create(pool) as typeof pool, { query, connect: never })
    return { ...store, pool: mortal }
  }
}
