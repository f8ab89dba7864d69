// Work on the same thing one after the other, work on different things at once. Those who wait do
// so here, not each with a connection of the pool.
import { Semaphore } from './semaphore.js'

export class KeyedMutex {
  private readonly all = new Map<string, { turns: Semaphore; users: number }>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const own = this.all.get(key) ?? { turns: new Semaphore(1), users: 0 }
    this.all.set(key, own)
    own.users += 1
    try {
      return await own.turns.run(work)
    } finally {
      own.users -= 1
      if (own.users === 0) this.all.delete(key)
    }
  }
}
