// The story of one receipt: admitted by its market, put in front of its queue, answered after the
// commit.

import { admit } from '../../case/refusals.js'
import type { QueueKey } from '../../store/sign/queues.js'
import type { SignDeps, SignJob, SignResult } from './job.js'
import { type OutsideQueue, openOutside } from './outside.js'
import { withReferences } from './references.js'
import { noteUnfinished } from './unfinished.js'
import { WaitingList } from './waiting-list.js'

export interface Signing {
  /** Rejects with FiscalError for what is refused before anything is stored. */
  sign(job: SignJob & { market: string }): Promise<SignResult>
  /** The queue for work that no caller waits for. */
  open(key: QueueKey): Promise<OutsideQueue>
  /** Names items that a crash left unfinished, once each; at the start and from time to time. */
  noteUnfinished(): Promise<number>
  drained(): Promise<void>
  /** Once nothing waits any more: devices are given back. */
  close(): Promise<void>
  /** A changed configuration counts from the next receipt of the queue. */
  refresh(queueId: string): void
  readonly waiting: number
}

export function createSigning(deps: SignDeps): Signing {
  const list = new WaitingList(deps)
  return {
    sign: (job) => {
      try {
        const market = deps.marketOf(job.market)
        // version v2 is answered: what is wrong with its cases stands in the answer
        if (job.version !== 'v2') admit(job, market.cases)
        return list.join(withReferences(job, market))
      } catch (error) {
        return Promise.reject(error)
      }
    },
    open: (key) => openOutside(deps, key, () => list.refresh(key.id)),
    noteUnfinished: () => noteUnfinished(deps),
    drained: () => list.drained(),
    close: () => list.close(),
    refresh: (queueId) => list.refresh(queueId),
    get waiting() {
      return list.length
    },
  }
}
