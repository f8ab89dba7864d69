// Jobs in the sign statement: work that must follow a receipt is stored with it, or not at all.
import { JOB_SCHEMA } from '../../postgres/job-schema.js'
import { textArray, uuidArray } from '../binary-array.js'
import type { OutboxRow } from './sign-batch.js'
import { type Part, source, types } from './sign-part.js'

export const OUTBOX_TASK = 'outbox'
/** Tries within about a day; then `jobs retry`. */
const ATTEMPTS = 12

export const OUTBOX_LETTER = 'x'

/**
 * The work of a queue is done one after another. Volatile, and no change of data by itself: whoever
 * selects must ask for `x`.
 */
export function outboxPart(rows: readonly OutboxRow[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: OUTBOX_LETTER,
    text: (first, one) => `x as materialized (
  select ${JOB_SCHEMA}.add_job('${OUTBOX_TASK}', json_build_object('accountId', h.account_id,
    'queueId', h.id, 'kind', u.kind, 'key', u.key, 'payload', u.payload::json),
    queue_name => 'outbox:' || h.id, max_attempts => ${ATTEMPTS},
    job_key => 'outbox:' || h.id || ':' || u.kind || ':' || u.key)
  from ${source(first, types('uuid text text text'), one)} u(queue_id, kind, key, payload)
  join h on h.id = u.queue_id)`,
    values: [
      uuidArray(rows.map((row) => row.queueId)),
      textArray(rows.map((row) => row.kind)),
      textArray(rows.map((row) => row.key)),
      textArray(rows.map((row) => row.payload)),
    ],
  }
}
