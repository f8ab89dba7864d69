// Jobs as accounts look at them and call them off.
import { fail } from '../../../errors.js'
import { grants } from '../../../store/account/connections.js'
import type { Store } from '../../../store/client.js'
import {
  cancelJob,
  findJob,
  type JobQuestion,
  type JobRow,
  listJobs,
} from '../../../store/event/job/jobs.js'
import { type Actor, audited } from '../../audit/audit.js'
import { progressEvent } from './progress-event.js'

export interface JobDesk {
  list(asked: JobQuestion): Promise<JobRow[]>
  /** Throws JOB_MISSING. */
  get(accountId: string, id: string): Promise<JobRow>
  /** One that was called off stays so. Throws JOB_MISSING, RIGHTS_TOO_LOW, JOB_ENDED. */
  cancel(actor: Actor, id: string): Promise<JobRow>
}

export function createJobDesk({ store, now }: { store: Store; now(): Date }): JobDesk {
  const found = async (accountId: string, id: string) => {
    const row = await findJob(store, { accountId, id })
    if (row === undefined) throw fail('JOB_MISSING', { job: id })
    return row
  }
  return {
    list: (asked) => listJobs(store, asked),
    get: found,
    cancel: async (actor, id) => {
      const { accountId, right, askedBy } = await found(actor.accountId, id)
      const by = actor.accountId
      if (askedBy !== by && !grants(right, 'ReadWrite')) {
        throw fail('RIGHTS_TOO_LOW', { given: right, needed: 'ReadWrite' })
      }
      const onBehalfOf = accountId === by ? null : accountId
      await audited({ store, now }, { ...actor, onBehalfOf }, async (tx) => {
        if (!(await cancelJob(tx, { accountId, id }))) return { result: undefined, unchanged: true }
        await progressEvent(tx, { accountId, id }, { at: now() })
        return { result: undefined, subjects: { jobId: id }, after: { state: 'canceled' } }
      })
      const row = await found(by, id)
      if (row.state !== 'canceled') throw fail('JOB_ENDED', { job: id, state: row.state })
      return row
    },
  }
}
