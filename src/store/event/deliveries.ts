// Webhooks as they are worked on: one process at a time has a webhook, by a lease that ends when
// the process does.
import { int4Array, int8Array, textArray, timestamptzArray, uuidArray } from '../binary-array.js'
import type { Store } from '../client.js'
import { type Connection, inTransaction } from '../transaction.js'
import type { AttemptRow, WebhookKey, WebhookRow } from './webhooks.js'

/** A webhook that this process may call until its lease is over. */
export interface ClaimedWebhook extends WebhookRow {
  lease: string
  /** Numbers behind the cursor that were taken already. */
  taken: bigint[]
}

const LEASE = "interval '60 seconds'"

const ROW = `w.account_id as "accountId", w.id, w.url, w.description, w.types, w.mode, w.state,
  w.cursor, w.taken, w.replay_next as "replayNext", w.replay_to as "replayTo", w.tries,
  w.failing_since as "failingSince", w.next_at as "nextAt", w.last_error as "lastError",
  w.created_at as "createdAt", w.secret_sealed as "secretSealed",
  w.old_secret_sealed as "oldSecretSealed", w.old_until as "oldUntil", w.lease`

/** Those that have something to get, are due, and are nobody's. */
export async function claimWebhooks(
  { pool }: Pick<Store, 'pool'>,
  { lease, most }: { lease: string; most: number },
): Promise<ClaimedWebhook[]> {
  type Row = Omit<ClaimedWebhook, 'taken'> & { taken: string[] }
  const { rows } = await pool.query<Row>({
    name: 'claim-webhooks',
    text: `update webhook w set lease = $1, lease_until = now() + ${LEASE}
      where (w.account_id, w.id) in (
        select o.account_id, o.id from webhook o join stream_head h using (account_id)
        where o.state = 'active' and (o.cursor < h.seq or o.replay_next is not null)
          and (o.next_at is null or o.next_at <= now())
          and (o.lease_until is null or o.lease_until < now())
        order by o.next_at nulls first limit $2 for update of o skip locked)
      returning ${ROW}`,
    values: [lease, most],
  })
  // the driver reads numbers of 64 bits, but not lists of them
  return rows.map((row) => ({ ...row, taken: row.taken.map(BigInt) }))
}

/** What came of calls: where the webhook stands now. */
export interface DeliveryState {
  cursor: bigint
  taken: readonly bigint[]
  replayNext: bigint | null
  tries: number
  failingSince: Date | null
  nextAt: Date | null
  lastError: string | null
  state: WebhookRow['state']
}

export interface Report {
  key: WebhookKey
  lease: string
  /** Others may take it now. */
  isDone: boolean
  state: DeliveryState
  attempts: readonly AttemptRow[]
  /** Undefined: it goes on. */
  disabled: Disabling | undefined
}

export interface Disabling {
  eventId: string
  reason: string
  /** Writes to whoever has to know, in the same transaction. */
  tell(on: Connection): Promise<void>
}

/** False: the lease was lost, and nothing is written: somebody else knows better. */
export function reportDelivery(store: Store, report: Report): Promise<boolean> {
  const { key, lease, isDone, state, attempts, disabled } = report
  return inTransaction(store, async (client) => {
    const moved = await client.query({
      name: 'report-delivery',
      text: `update webhook set cursor = $4, taken = $5, replay_next = $6,
          replay_to = case when $6::int8 is null then null else replay_to end, tries = $7,
          failing_since = $8, next_at = $9, last_error = $10, state = $11,
          lease = case when $12 then null else lease end,
          lease_until = case when $12 then null else now() + ${LEASE} end
        where account_id = $1 and id = $2 and lease = $3`,
      values: [
        ...[key.accountId, key.id, lease, state.cursor, state.taken, state.replayNext],
        ...[state.tries, state.failingSince, state.nextAt, state.lastError, state.state, isDone],
      ],
    })
    if (moved.rowCount === 0) return false
    if (attempts.length > 0) await client.query(attemptsStatement(key, attempts))
    if (disabled !== undefined) {
      await client.query(
        `insert into inbox (account_id, event_id, type, subject_kind, subject_id, data, at)
         values ($1, $2, 'webhook.disabled', 'webhook', $3, $4, now())`,
        [...[key.accountId, disabled.eventId, key.id], JSON.stringify({ reason: disabled.reason })],
      )
      await disabled.tell(client)
    }
    return true
  })
}

function attemptsStatement(key: WebhookKey, rows: readonly AttemptRow[]) {
  return {
    name: 'webhook-attempts',
    text: `insert into webhook_attempt (account_id, webhook_id, id, seq, to_seq, at, status, ms,
        error)
      select $1, $2, u.* from unnest($3::uuid[], $4::int8[], $5::int8[], $6::timestamptz[],
        $7::int4[], $8::int4[], $9::text[]) u`,
    values: [
      ...[key.accountId, key.id],
      uuidArray(rows, (row) => row.id),
      int8Array(rows, (row) => row.seq),
      int8Array(rows, (row) => row.toSeq),
      timestamptzArray(rows, (row) => row.at),
      int4Array(rows, (row) => row.status),
      int4Array(rows, (row) => row.ms),
      textArray(rows, (row) => row.error),
    ],
  }
}
