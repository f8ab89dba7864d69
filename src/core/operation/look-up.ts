// Looks operations up, many with one query: nearly every call is a new one, and asking for each
// alone would cost more than signing it.

import { reaching, type Store } from '../../store/client.js'
import { confirmed } from '../../store/durable.js'
import { type FoundOperation, findOperations } from '../../store/operation/operations.js'
import type { OperationKey } from './operation.js'

const MOST_KEYS = 256
const MOST_QUERIES = 2

interface Asked {
  key: OperationKey
  resolve(found: FoundOperation | undefined): void
  reject(error: unknown): void
}

/** No timer: while one query is under way, the next one's keys gather by themselves. */
export class LookUp {
  private readonly store: Store
  private asked: Asked[] = []
  private queries = 0
  private planned = false

  constructor(store: Store) {
    this.store = store
  }

  find(key: OperationKey): Promise<FoundOperation | undefined> {
    return new Promise((resolve, reject) => {
      this.asked.push({ key, resolve, reject })
      this.plan()
    })
  }

  private plan(): void {
    if (this.planned || this.asked.length === 0 || this.queries >= MOST_QUERIES) return
    this.planned = true
    setImmediate(() => {
      this.planned = false
      void this.ask(this.asked.splice(0, MOST_KEYS))
    })
  }

  private async ask(asked: Asked[]): Promise<void> {
    this.queries += 1
    try {
      const keys = asked.map((one) => one.key)
      const rows = await findOperations(this.store, keys)
      if (rows.some(({ awaited }) => awaited)) await reaching(() => confirmed(this.store.pool))
      const found = new Map(rows.map((row) => [nameOf(row), row]))
      for (const one of asked) one.resolve(found.get(nameOf(one.key)))
    } catch (error) {
      for (const one of asked) one.reject(error)
    } finally {
      this.queries -= 1
      this.plan()
    }
  }
}

/** One name per operation: ids count within a cash box, whose id is unique. */
export function nameOf(key: OperationKey): string {
  return `${key.cashBoxId}/${key.id}`
}
