// Tells whoever follows the account how far a job is.
import { orderedId } from '../../../lib/id.js'
import type { NewEvent } from '../../../model/event.js'
import type { JobKey } from '../../../model/job.js'
import { insertEvent } from '../../../store/event/inbox.js'
import { type JobStand, jobStand } from '../../../store/event/job/jobs.js'
import type { Transaction } from '../../../store/transaction.js'

/** As its row stands within the transaction; `event` is told behind it, to the same accounts. */
export async function progressEvent(
  tx: Transaction,
  { accountId, id }: JobKey,
  { at, event }: { at: Date; event?: NewEvent | undefined },
): Promise<void> {
  const stand = await jobStand(tx, { accountId, id })
  if (stand === undefined) return
  const alsoAccountId = stand.askedBy === accountId ? null : stand.askedBy
  for (const one of [eventOf(id, stand), ...(event === undefined ? [] : [event])]) {
    await insertEvent(tx, { ...one, accountId, alsoAccountId, id: orderedId(at.getTime()), at })
  }
}

function eventOf(id: string, { kind, state, phase, done, total }: JobStand): NewEvent {
  return {
    type: 'job.progress',
    subject: { kind: 'job', id },
    data: {
      ...{ kind, state, phase, done: Number(done) },
      total: total === null ? null : Number(total),
    },
  }
}
