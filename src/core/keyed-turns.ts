// Work on the same thing one after the other, work on different things at once. Those who wait do
// so here, not each with a connection of the pool. Called by core/invitation, core/outlets and
// core/template.
import { Turns } from './sign/turns.js'

export class KeyedTurns {
  private readonly all = new Map<string, { turns: Turns; users: number }>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const own = this.all.get(key) ?? { turns: new Turns(1), users: 0 }
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
