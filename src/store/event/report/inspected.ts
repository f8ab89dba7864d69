// Reports to authorities as an auditor looks at them.
import type { Store } from '../../client.js'
import type { SubmissionRow } from './submissions.js'

export interface InspectedReport
  extends Pick<
    SubmissionRow,
    | 'id'
    | 'kind'
    | 'subject'
    | 'occasion'
    | 'queueId'
    | 'moment'
    | 'due'
    | 'state'
    | 'doneOn'
    | 'reference'
    | 'note'
  > {
  /** What was told, where it is a picture of the whole (JSON text). */
  told: string | null
}

export interface InspectedReports {
  accountId: string
  queueIds: readonly string[]
  /** Numbers of the places of these registers. */
  outlets: readonly number[]
  from: Date
  to: Date
}

/** Of these registers, their units and places; of things that happened in the period. */
export async function inspectedReports(
  { pool }: Pick<Store, 'pool'>,
  { accountId, queueIds, outlets, from, to }: InspectedReports,
): Promise<InspectedReport[]> {
  const { rows } = await pool.query<InspectedReport>(
    `select s.id, s.kind, s.subject, s.occasion, s.queue_id as "queueId", s.moment, s.due, s.state,
       to_char(s.done_on, 'YYYY-MM-DD') as "doneOn", s.reference, s.note, s.told
     from submission s
     where s.account_id = $1 and s.moment >= $4 and s.moment < $5
       and (s.queue_id = any($2::uuid[]) or s.subject = any(select 'outlet/' || n
           from unnest($3::int[]) n)
         or s.subject in (select 'scu/' || u.scu_id from queue_scu u
           where u.account_id = $1 and u.queue_id = any($2::uuid[])))
     order by s.moment, s.id`,
    [accountId, queueIds, outlets, from, to],
  )
  return rows
}
