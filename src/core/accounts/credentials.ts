// Who is calling: cash box id and access token, looked up with a short memory.
import { sameBytes, sha256 } from '../../lib/hash.js'
import { isUuid } from '../../lib/id.js'
import { reaching, type Store } from '../../store/client.js'
import {
  type CashBoxAccess,
  type CashBoxQueue,
  findCashBox,
  findCashBoxes,
  findCashBoxOfQueue,
  findOnlyQueue,
} from '../../store/rollout/cashboxes.js'
import { findEverHeld, findLastCashBox } from '../../store/rollout/memberships.js'
import { type MemoryDeps, memory } from '../memory.js'

export interface Credentials {
  /** Who is remembered, without a wait; undefined for everybody else, who has to be looked up. */
  known(cashBoxId: string, token: string): CashBoxAccess | undefined
  /** The cash box when id and token belong together, else undefined. Same work in both cases. */
  check(cashBoxId: string, token: string): Promise<CashBoxAccess | undefined>
  /** The cash box without a token; only for the locally hosted form. */
  ofBox(cashBoxId: string): Promise<CashBoxAccess | undefined>
  /** The cash box that holds a queue; only for the locally hosted form. */
  ofQueue(queueId: string): Promise<CashBoxAccess | undefined>
  /** The only queue of this server, when there is just one. */
  onlyQueue(): Promise<string | undefined>
  /**
   * The cash box of a caller as it is now, where it does not hold what the caller asks for as far
   * as is remembered. Undefined when it is gone, or has another token.
   */
  renewed(access: CashBoxAccess): Promise<CashBoxAccess | undefined>
  /** A queue that this cash box holds or once held, for its journals. */
  everHeld(access: CashBoxAccess, queueId: string): Promise<CashBoxQueue | undefined>
  /** The cash box that held a queue last; only for the locally hosted form. */
  lastOfQueue(queueId: string): Promise<CashBoxAccess | undefined>
  /** What is remembered of a cash box is asked anew. */
  forget(cashBoxId: string): void
}

export interface CredentialsDeps extends MemoryDeps {
  store: Store
}

const NOBODY = sha256('nobody has this token')

export function createCredentials(deps: CredentialsDeps): Credentials {
  const boxes = memory(
    deps,
    (id) => findCashBox(deps.store, id),
    (ids) => findCashBoxes(deps.store, ids),
  )
  const queues = memory(deps, (id) => findCashBoxOfQueue(deps.store, id))
  // that there is none, or more than one, is worth remembering as well
  const only = memory(deps, async () => ({ id: await findOnlyQueue(deps.store) }))
  const forget = (cashBoxId: string): void => {
    boxes.forget(cashBoxId)
    // which of them belong to it may be what has changed
    queues.forget()
    only.forget()
  }
  return {
    known: (cashBoxId, token) => {
      const box = isUuid(cashBoxId) ? boxes.known(cashBoxId.toLowerCase()) : undefined
      return box !== undefined && sameBytes(sha256(token), box.tokenHash) ? box : undefined
    },
    check: async (cashBoxId, token) => {
      const hash = sha256(token)
      const fits = (box: CashBoxAccess | undefined) => sameBytes(hash, box?.tokenHash ?? NOBODY)
      return isUuid(cashBoxId) ? boxes.fitting(cashBoxId.toLowerCase(), fits) : undefined
    },
    ofBox: (cashBoxId) => boxes.find(cashBoxId.toLowerCase()),
    // a queue that nobody holds as far as is remembered may have come into a cash box
    ofQueue: (queueId) => queues.fitting(queueId.toLowerCase(), (box) => box !== undefined),
    onlyQueue: async () => (await only.find('')).id,
    renewed: async ({ cashBoxId, tokenHash }) => {
      forget(cashBoxId)
      const box = await boxes.find(cashBoxId)
      return box !== undefined && sameBytes(box.tokenHash, tokenHash) ? box : undefined
    },
    everHeld: (access, queueId) => reaching(() => findEverHeld(deps.store, access, queueId)),
    lastOfQueue: (queueId) => reaching(() => findLastCashBox(deps.store, queueId)),
    forget,
  }
}
