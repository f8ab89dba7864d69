// Works for one account one after the other: those who wait hold no connection of the pool.
// Called by core/template.
import { Turns } from './sign/turns.js'

export interface AccountTurns {
  run<T>(accountId: string, work: () => Promise<T>): Promise<T>
}

export function createAccountTurns(): AccountTurns {
  const all = new Map<string, { turns: Turns; users: number }>()
  return {
    run: async (accountId, work) => {
      const own = all.get(accountId) ?? { turns: new Turns(1), users: 0 }
      all.set(accountId, own)
      own.users += 1
      try {
        return await own.turns.run(work)
      } finally {
        own.users -= 1
        if (own.users === 0) all.delete(accountId)
      }
    },
  }
}
