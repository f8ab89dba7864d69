// Jobs in the sign statement: work that must follow a receipt is stored with it, or not at all.

import { JOB_SCHEMA } from '../../postgres/job-schema.js'
import { textArray, uuidArray } from '../binary-array.js'
import type { Store } from '../client.js'
import type { OutboxRow } from './sign-batch.js'
import { type Part, source, types } from './sign-part.js'

export const OUTBOX_TASK = 'outbox'
/** Tries within about a day; then `jobs retry`. */
const ATTEMPTS = 12

export const OUTBOX_LETTER = 'x'

interface PutOff extends OutboxRow {
  accountId: string
  inMs: number
}

/** The same work once more, later: what a receipt asks for meanwhile waits as long. */
export async function putOff({ pool }: Pick<Store, 'pool'>, work: PutOff): Promise<void> {
  const { accountId, queueId, kind, key, payload, inMs } = work
  await pool.query(
    `select ${JOB_SCHEMA}.add_job($1, json_build_object('accountId', $2::uuid, 'queueId', $3::uuid,
      'kind', $4::text, 'key', $5::text, 'payload', $6::json),
      queue_name => 'outbox:' || $3, max_attempts => ${ATTEMPTS},
      run_at => now() + $7 * interval '1 millisecond',
      job_key => 'outbox:' || $3 || ':' || $4 || ':' || $5)`,
    [OUTBOX_TASK, accountId, queueId, kind, key, payload, inMs],
  )
}

/**
 * A job that waits for its hour keeps it. The work of a queue is done one after another. Volatile,
 * and no change of data by itself: whoever selects must ask for `x`.
 */
export function outboxPart(rows: readonly OutboxRow[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: OUTBOX_LETTER,
    text: (first, one) => `x as materialized (
  select ${JOB_SCHEMA}.add_job('${OUTBOX_TASK}', json_build_object('accountId', h.account_id,
    'queueId', h.id, 'kind', u.kind, 'key', u.key, 'payload', u.payload::json),
    queue_name => 'outbox:' || h.id, max_attempts => ${ATTEMPTS},
    job_key => 'outbox:' || h.id || ':' || u.kind || ':' || u.key,
    job_key_mode => 'preserve_run_at')
  from ${source(first, types('uuid text text text'), one)} u(queue_id, kind, key, payload)
  join h on h.id = u.queue_id)`,
    values: [
      uuidArray(rows, (row) => row.queueId),
      textArray(rows, (row) => row.kind),
      textArray(rows, (row) => row.key),
      textArray(rows, (row) => row.payload),
    ],
  }
}
