// How far the clocks of registers are off, by their newest receipts: some queues with each look, so
// that all of them are looked at in time without reading everything every minute.
import type { Connection } from '../../transaction.js'

/** Receipts of a queue that are looked at. */
const NEWEST = 100
/** So many of them are no accident. */
export const MANY_OFF = 20
const FAR = `interval '10 minutes'`
/** Queues of one look; those that were looked at longest ago first. */
const SHARE = 500

/** What is entered later has another moment, and should: so long nothing is said of its queue. */
const ENTERED_LATER = `exists (select from outage o where o.account_id = q.account_id
  and o.queue_id = q.id and o.cause = 'register'
  and (o.ended_at is null or o.ended_at > now() - interval '1 day'))`

/** Returns how many queues were looked at. */
export async function checkClocks(client: Connection): Promise<number> {
  const { rowCount } = await client.query(
    `insert into clock_check as k (account_id, queue_id, checked_at, looked_at, off, off_since)
     select q.account_id, q.id, now(), i.looked_at,
       case when ${ENTERED_LATER} then 0 else i.off end, i.off_since
     from (select q.account_id, q.id, q.queued_row from queue q
         left join clock_check k on k.account_id = q.account_id and k.queue_id = q.id
         where q.start_moment is not null and q.stop_moment is null and q.cash_box_id is not null
           and q.last_moment > coalesce(k.checked_at, '-infinity')
         order by k.checked_at nulls first limit ${SHARE}) q
     cross join lateral (select count(*)::int4 as looked_at,
         count(*) filter (where far)::int4 as off, min(queue_moment) filter (where far) as off_since
       from (select queue_moment,
           receipt_moment not between queue_moment - ${FAR} and queue_moment + ${FAR} as far
         from queue_item where account_id = q.account_id and queue_id = q.id
           and row > q.queued_row - ${NEWEST}) r) i
     on conflict (account_id, queue_id) do update set checked_at = excluded.checked_at,
       looked_at = excluded.looked_at, off = excluded.off,
       off_since = coalesce(k.off_since, excluded.off_since)`,
  )
  return rowCount ?? 0
}
