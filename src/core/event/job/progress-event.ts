// Tells whoever follows the account how far a job is.
import { orderedId } from '../../../lib/id.js'
import type { JobKey } from '../../../model/job.js'
import { insertEvent } from '../../../store/event/inbox.js'
import { type JobStand, jobStand } from '../../../store/event/job/jobs.js'
import type { Transaction } from '../../../store/transaction.js'

/** As its row stands within the transaction. */
export async function progressEvent(tx: Transaction, key: JobKey, at: Date): Promise<void> {
  const stand = await jobStand(tx, key)
  if (stand === undefined) return
  await insertEvent(tx, eventOf(key, stand, at))
}

function eventOf({ accountId, id }: JobKey, stand: JobStand, at: Date) {
  const { kind, state, phase, done, total, askedBy } = stand
  return {
    ...{ accountId, alsoAccountId: askedBy === accountId ? null : askedBy },
    ...{ id: orderedId(at.getTime()), at, type: 'job.progress' as const },
    subject: { kind: 'job' as const, id },
    data: {
      ...{ kind, state, phase, done: Number(done) },
      total: total === null ? null : Number(total),
    },
  }
}
