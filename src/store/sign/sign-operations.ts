// The operations in the sign statement: a receipt and the record of the call that asked for it are
// stored together or not at all.
import { byteaArray, int4Array, textArray, timestamptzArray, uuidArray } from '../binary-array.js'
import type { ItemOperation } from './sign-batch.js'
import { type Part, source, types } from './sign-part.js'

const OPERATION_TYPES = types(
  'uuid uuid uuid text text bytea text text int4 text uuid int4 timestamptz timestamptz',
)

/** What rows of one batch nearly always have in common: it travels once. */
const COMMON = ['method', 'path', 'state', 'status', 'contentType', 'runner'] as const

/**
 * No `on conflict`: a known operation breaks the statement, so that its receipt is not made again.
 */
export function operationPart(rows: readonly ItemOperation[]): Part | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const isCommon = rows.every((row) => COMMON.every((name) => row[name] === first[name]))
  return isCommon && first.runner === null ? commonPart(rows, first) : mixedPart(rows)
}

/** All of them finished in the same way. */
function commonPart(rows: readonly ItemOperation[], shared: ItemOperation): Part {
  const columns = `cash_box_id, id, request_hash, request_headers, queue_item_id, started_at,
    finished_at`
  const own = types('uuid uuid uuid bytea text uuid timestamptz timestamptz')
  return {
    letter: 'p',
    text: (first, one) => `o as (
  insert into operation (account_id, queue_id, ${columns}, method, path, state, status,
    content_type)
  select h.account_id, u.*, $${first + 8}::text, $${first + 9}::text, $${first + 10}::text,
    $${first + 11}::int4, $${first + 12}::text
  from ${source(first, own, one)} u(queue_id, ${columns})
  join h on h.id = u.queue_id)`,
    values: [
      uuidArray(rows, (row) => row.queueId),
      uuidArray(rows, (row) => row.cashBoxId),
      uuidArray(rows, (row) => row.id),
      byteaArray(rows, (row) => row.requestHash),
      textArray(rows, (row) => row.requestHeaders),
      uuidArray(rows, (row) => row.queueItemId),
      timestamptzArray(rows, (row) => row.startedAt),
      timestamptzArray(rows, (row) => row.finishedAt),
    ],
    shared: [
      Buffer.from(shared.method),
      Buffer.from(shared.path),
      Buffer.from(shared.state),
      int4Bytes(shared.status ?? 0),
      Buffer.from(shared.contentType ?? ''),
    ],
  }
}

function int4Bytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

function mixedPart(rows: readonly ItemOperation[]): Part {
  const columns = `cash_box_id, id, method, path, request_hash, request_headers, state, status,
    content_type, queue_item_id, runner, started_at, finished_at`
  return {
    letter: 'o',
    text: (first, one) => `o as (
  insert into operation (account_id, queue_id, ${columns})
  select h.account_id, u.* from ${source(first, OPERATION_TYPES, one)} u(queue_id, ${columns})
  join h on h.id = u.queue_id)`,
    values: [
      uuidArray(rows, (row) => row.queueId),
      uuidArray(rows, (row) => row.cashBoxId),
      uuidArray(rows, (row) => row.id),
      textArray(rows, (row) => row.method),
      textArray(rows, (row) => row.path),
      byteaArray(rows, (row) => row.requestHash),
      textArray(rows, (row) => row.requestHeaders),
      textArray(rows, (row) => row.state),
      int4Array(rows, (row) => row.status),
      textArray(rows, (row) => row.contentType),
      uuidArray(rows, (row) => row.queueItemId),
      int4Array(rows, (row) => row.runner),
      timestamptzArray(rows, (row) => row.startedAt),
      timestamptzArray(rows, (row) => row.finishedAt),
    ],
  }
}

export function endingPart(rows: readonly ItemOperation[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: 'e',
    text: (first, one) => `e as (
  update operation o set state = u.state, status = u.status, content_type = u.content_type,
    runner = null, finished_at = u.finished_at
  from ${source(first, types('uuid uuid uuid text int4 text timestamptz'), one)}
    u(queue_id, cash_box_id, id, state, status, content_type, finished_at)
  join h on h.id = u.queue_id
  where o.account_id = h.account_id and o.cash_box_id = u.cash_box_id and o.id = u.id)`,
    values: [
      uuidArray(rows, (row) => row.queueId),
      uuidArray(rows, (row) => row.cashBoxId),
      uuidArray(rows, (row) => row.id),
      textArray(rows, (row) => row.state),
      int4Array(rows, (row) => row.status),
      textArray(rows, (row) => row.contentType),
      timestamptzArray(rows, (row) => row.finishedAt),
    ],
  }
}
