// Queues whose month or quarter is over get a job that keeps it outside of the database.
import { orderedId } from '../../../lib/id.js'
import type { Store } from '../../../store/client.js'
import { dueQueues } from '../../../store/event/backups.js'
import { insertJobs } from '../../../store/event/job/jobs.js'
import { byOne } from '../../../store/event/problem/detectors.js'
import { BACKUP, type BackupDeps } from './work.js'

/** So many queues at a time: the next look goes on. */
const PIECE = 200

/** `at`: as if it were this moment. Undefined: another process is at it, or was a moment ago. */
export function planBackups(
  { store, facts, now }: { store: Store } & Pick<BackupDeps, 'facts' | 'now'>,
  { restMs, at = null }: { restMs: number; at?: Date | null },
): Promise<number | undefined> {
  return byOne(store, { name: 'backups', restMs }, async (client) => {
    const due = await dueQueues(client, { calendars: facts, at }, PIECE)
    const moment = now()
    const jobs = due.map(({ accountId, queueId }) => ({
      ...{ accountId, id: orderedId(moment.getTime()), kind: BACKUP, askedBy: accountId },
      ...{ args: { queueId }, at: moment },
    }))
    await insertJobs(client, jobs)
    return due.length
  })
}
