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
import type { Store } from '../store/client.js'
import { type MemoryDeps, memory } from './memory.js'

export interface Credentials {
  /** The cash box when id and token belong together, else undefined. Same work in both cases. */
  check(cashBoxId: string, token: string): Promise<CashBoxAccess | undefined>
  /** The cash box without a token; only for the locally hosted form. */
  ofBox(cashBoxId: string): Promise<CashBoxAccess | undefined>
  /** The cash box that holds a queue; only for the locally hosted form. */
  ofQueue(queueId: string): Promise<CashBoxAccess | undefined>
  /** The only queue of this server, when there is just one. */
  onlyQueue(): Promise<string | undefined>
  /** What is remembered of a cash box is asked anew. */
  forget(cashBoxId: string): void
}

export interface CredentialsDeps extends MemoryDeps {
  store: Store
}

const NOBODY = sha256('nobody has this token')

export function createCredentials(deps: CredentialsDeps): Credentials {
  const boxes = memory(deps, (id) => findCashBox(deps.store, id))
  const queues = memory(deps, (id) => findCashBoxOfQueue(deps.store, id))
  const only = memory(deps, () => findOnlyQueue(deps.store))
  return {
    check: async (cashBoxId, token) => {
      const hash = sha256(token)
      const fits = (box: CashBoxAccess | undefined) => sameBytes(hash, box?.tokenHash ?? NOBODY)
      return isUuid(cashBoxId) ? boxes.fitting(cashBoxId.toLowerCase(), fits) : undefined
    },
    ofBox: (cashBoxId) => boxes.find(cashBoxId.toLowerCase()),
    ofQueue: (queueId) => queues.find(queueId.toLowerCase()),
    onlyQueue: () => only.find(''),
    forget: (cashBoxId) => {
      boxes.forget(cashBoxId)
      // which of them belong to it may be what has changed
      queues.forget()
      only.forget()
    },
  }
}
