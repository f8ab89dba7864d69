// Work goes on when its caller has left, so a stop waits for the work, not for the connections.
import type { FastifyInstance } from 'fastify'

export type Tracked = <T>(work: () => Promise<T>) => Promise<T>

/** What runs in it has ended when the app is closed: what it needs is closed after that. */
export function endsBeforeClose(app: FastifyInstance): Tracked {
  const running = new Set<Promise<unknown>>()
  app.addHook('onClose', async () => {
    await Promise.allSettled([...running])
  })
  return async (work) => {
    const one = work()
    running.add(one)
    try {
      return await one
    } finally {
      running.delete(one)
    }
  }
}
