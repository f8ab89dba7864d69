// Counts over all accounts, for whoever runs the server. One statement, and a short time for it.
import { JOB_SCHEMA } from '../../postgres/job-schema.js'
import type { Store } from '../client.js'
import { inTransaction } from '../transaction.js'

export interface Figure {
  name:
    | 'outages_open'
    | 'jobs'
    | 'problems_open'
    | 'webhooks'
    | 'events_waiting'
    | 'events_waiting_seconds'
  /** Of its labels. */
  values: string[]
  value: number
}

const LONGEST_MS = 2_000

const FIGURES = `
select 'outages_open' as name, array[cause] as values, count(*)::float8 as value
from outage where ended_at is null group by cause
union all select 'jobs', array[t.identifier, case when j.attempts >= j.max_attempts then 'failed'
  when j.locked_at is null then 'waiting' else 'running' end], count(*)
from ${JOB_SCHEMA}._private_jobs j
join ${JOB_SCHEMA}._private_tasks t on t.id = j.task_id group by 2
union all select 'problems_open', array[kind, severity::text], count(*)
from problem where cleared_at is null group by 2
union all select 'webhooks', array[case when state = 'active' and failing_since is not null
  then 'failing' else state end], count(*) from webhook group by 2
union all select 'events_waiting', '{}', count(*) from inbox
union all select 'events_waiting_seconds', '{}', greatest(0, coalesce(extract(epoch from
  clock_timestamp() - (select at from inbox order by id limit 1)), 0))`

export function figuresOf(store: Store): Promise<Figure[]> {
  return inTransaction(store, async (client) => {
    await client.query(`set local statement_timeout = ${LONGEST_MS}`)
    return (await client.query<Figure>(FIGURES)).rows
  })
}
