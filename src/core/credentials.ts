// Who is calling: cash box id and access token, looked up with a short memory. Called by every
// group that a register talks to.
import { sameBytes, sha256 } from '../lib/hash.js'
import { isUuid } from '../lib/id.js'
import {
  type CashBoxAccess,
  findCashBox,
  findCashBoxOfQueue,
  findOnlyQueue,
} from '../store/cashboxes.js'
import { reaching, type Store } from '../store/client.js'

export interface Credentials {
  /** The cash box when id and token belong together, else undefined. Same work in both cases. */
  check(cashBoxId: string, token: string): Promise<CashBoxAccess | undefined>
  /** The cash box without a token; only for the locally hosted form. */
  ofBox(cashBoxId: string): Promise<CashBoxAccess | undefined>
  /** The cash box that holds a queue; only for the locally hosted form. */
  ofQueue(queueId: string): Promise<CashBoxAccess | undefined>
  /** The only queue of this server, when there is just one. */
  onlyQueue(): Promise<string | undefined>
}

export interface CredentialsDeps {
  store: Store
  now(): Date
  /** How long a look-up is believed; a reset token is dead on every server after that. */
  memoryMs: number
  /** Most entries in memory. */
  entries: number
}

interface Memory<T> {
  value: T
  since: number
}

const NOBODY = sha256('nobody has this token')

export function createCredentials(deps: CredentialsDeps): Credentials {
  const boxes = memory(deps, (id) => findCashBox(deps.store, id))
  const queues = memory(deps, (id) => findCashBoxOfQueue(deps.store, id))
  const only = memory(deps, () => findOnlyQueue(deps.store))
  return {
    check: async (cashBoxId, token) => {
      const access = isUuid(cashBoxId) ? await boxes(cashBoxId.toLowerCase()) : undefined
      const fits = sameBytes(sha256(token), access?.tokenHash ?? NOBODY)
      return fits ? access : undefined
    },
    ofBox: (cashBoxId) => boxes(cashBoxId.toLowerCase()),
    ofQueue: (queueId) => queues(queueId.toLowerCase()),
    onlyQueue: () => only(''),
  }
}

function memory<T>(
  deps: CredentialsDeps,
  find: (id: string) => Promise<T>,
): (id: string) => Promise<T> {
  const known = new Map<string, Memory<Promise<T>>>()
  return (id) => {
    const now = deps.now().getTime()
    const found = known.get(id)
    // a clock that was set back must not make a memory last longer
    const age = found === undefined ? -1 : now - found.since
    if (found !== undefined && age >= 0 && age < deps.memoryMs) return found.value
    const value = reaching(() => find(id))
    // a look-up that failed is not remembered
    value.catch(() => known.delete(id))
    if (known.size >= deps.entries) known.clear()
    known.set(id, { value, since: now })
    return value
  }
}
