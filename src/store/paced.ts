// A store for work that is to make room for others: it waits for its turn before each question.
import type { Store } from './client.js'

/** `turn` resolves when the next plain statement may be sent; what it throws, the query throws. */
export function pacedStore(store: Store, turn: () => Promise<void>): Store {
  const pool = new Proxy(store.pool, {
    get: (real, name) => {
      if (name !== 'query') return Reflect.get(real, name)
      return async (...given: unknown[]) => {
        await turn()
        return Reflect.apply(real.query, real, given)
      }
    },
  })
  return { ...store, pool }
}
