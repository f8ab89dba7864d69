// Events in the sign statement: what is told of a receipt is stored with it, or not at all. One
// small row per queue and batch stands for all of its receipts.
import { int8Array, textArray, timestamptzArray, uuidArray } from '../binary-array.js'
import type { QueueEvent } from './sign-batch.js'
import { numberedSource, type Part, source, types } from './sign-part.js'

const TYPES = types('uuid uuid text uuid text uuid int8 int8 text timestamptz')

export function inboxPart(events: readonly QueueEvent[]): Part | undefined {
  if (events.length === 0) return undefined
  return {
    letter: 'n',
    text: (first, one) => `ib as (
  insert into inbox (account_id, event_id, type, cash_box_id, subject_kind, subject_id, from_tick,
    to_tick, data, at)
  select h.account_id, u.id, u.type, u.cash_box_id, u.kind, u.subject_id, u.from_tick, u.to_tick,
    u.data, u.at
  from ${one ? source(first, TYPES, one) : numberedSource(first, TYPES)} u(queue_id, id, type,
    cash_box_id, kind, subject_id, from_tick, to_tick, data, at ${one ? '' : ', place'})
  join h on h.id = u.queue_id ${one ? '' : 'order by u.place'})`,
    values: [
      uuidArray(events, (row) => row.queueId),
      uuidArray(events, (row) => row.id),
      textArray(events, (row) => row.type),
      uuidArray(events, (row) => row.cashBoxId),
      textArray(events, (row) => row.subject.kind),
      uuidArray(events, (row) => row.subject.id),
      int8Array(events, (row) => row.ticks?.from ?? null),
      int8Array(events, (row) => row.ticks?.to ?? null),
      textArray(events, (row) => row.data),
      timestamptzArray(events, (row) => row.at),
    ],
  }
}
