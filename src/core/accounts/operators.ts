// The list of a dealer's operators as text, kept for a minute.

import { listOperators, versionOfOperators } from '../../store/account/operators.js'
import type { Store } from '../../store/client.js'

export interface OperatorList {
  /** JSON text of the list; `fresh`: read now, whatever is kept. */
  json(accountId: string, fresh: boolean): Promise<string>
}

interface Kept {
  json: string
  version: string
  since: number
}

const LONGEST_MS = 60_000
const MOST_CHARACTERS = 64 * 1024 * 1024

/**
 * What is kept is used for at most a minute, and only while no row behind it has changed: a write
 * of this server or another one is visible at once, and nobody has to tell.
 */
export function createOperatorList({ store, now }: { store: Store; now(): Date }): OperatorList {
  const kept = new Map<string, Kept>()
  let characters = 0
  const drop = (accountId: string) => {
    characters -= kept.get(accountId)?.json.length ?? 0
    kept.delete(accountId)
  }
  return {
    json: async (accountId, fresh) => {
      // before the rows: a change in between makes what is kept look old, never new
      const version = await versionOfOperators(store, accountId)
      const known = kept.get(accountId)
      const age = now().getTime() - (known?.since ?? 0)
      const good = known?.version === version && age >= 0 && age < LONGEST_MS
      if (known !== undefined && good && !fresh) return known.json
      const json = JSON.stringify(await listOperators(store, accountId))
      drop(accountId)
      if (characters + json.length > MOST_CHARACTERS) {
        kept.clear()
        characters = 0
      }
      kept.set(accountId, { json, version, since: now().getTime() })
      characters += json.length
      return json
    },
  }
}
