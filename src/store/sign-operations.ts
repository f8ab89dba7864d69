// The operations in the sign statement: a receipt and the record of the call that asked for it are
// stored together or not at all. Called by sign-statement.ts.
import { byteaArray, int4Array, textArray, timestamptzArray, uuidArray } from './binary-array.js'
import type { ItemOperation } from './sign-batch.js'
import { list, type Part, types } from './sign-part.js'

const OPERATION_TYPES = types(
  'uuid uuid uuid text text bytea text text int4 text uuid int4 timestamptz timestamptz',
)

/**
 * No `on conflict`: a known operation breaks the statement, so that its receipt is not made again.
 */
export function operationPart(rows: ItemOperation[]): Part | undefined {
  if (rows.length === 0) return undefined
  const columns = `cash_box_id, id, method, path, request_hash, request_headers, state, status,
    content_type, queue_item_id, runner, started_at, finished_at`
  return {
    letter: 'o',
    text: (first) => `o as (
  insert into operation (account_id, queue_id, ${columns})
  select h.account_id, u.* from unnest(${list(first, OPERATION_TYPES)}) u(queue_id, ${columns})
  join h on h.id = u.queue_id)`,
    values: [
      uuidArray(rows.map((row) => row.queueId)),
      uuidArray(rows.map((row) => row.cashBoxId)),
      uuidArray(rows.map((row) => row.id)),
      textArray(rows.map((row) => row.method)),
      textArray(rows.map((row) => row.path)),
      byteaArray(rows.map((row) => row.requestHash)),
      textArray(rows.map((row) => row.requestHeaders)),
      textArray(rows.map((row) => row.state)),
      int4Array(rows.map((row) => row.status)),
      textArray(rows.map((row) => row.contentType)),
      uuidArray(rows.map((row) => row.queueItemId)),
      int4Array(rows.map((row) => row.runner)),
      timestamptzArray(rows.map((row) => row.startedAt)),
      timestamptzArray(rows.map((row) => row.finishedAt)),
    ],
  }
}

export function endingPart(rows: ItemOperation[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: 'e',
    text: (first) => `e as (
  update operation o set state = u.state, status = u.status, content_type = u.content_type,
    runner = null, finished_at = u.finished_at
  from unnest(${list(first, types('uuid uuid uuid text int4 text timestamptz'))})
    u(queue_id, cash_box_id, id, state, status, content_type, finished_at)
  join h on h.id = u.queue_id
  where o.account_id = h.account_id and o.cash_box_id = u.cash_box_id and o.id = u.id)`,
    values: [
      uuidArray(rows.map((row) => row.queueId)),
      uuidArray(rows.map((row) => row.cashBoxId)),
      uuidArray(rows.map((row) => row.id)),
      textArray(rows.map((row) => row.state)),
      int4Array(rows.map((row) => row.status)),
      textArray(rows.map((row) => row.contentType)),
      timestamptzArray(rows.map((row) => row.finishedAt)),
    ],
  }
}
