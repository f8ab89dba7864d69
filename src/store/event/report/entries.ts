// What dealers say of registers and units for their registration, and what journals tell of units.
import type { UnitAction } from '../../../model/place.js'
import type { Store } from '../../client.js'
import type { Transaction } from '../../transaction.js'
import { PLACES } from './occasions.js'

type Asking = Pick<Store, 'pool'>

export interface EntryRow {
  subject: string
  /** JSON object. */
  details: string
}

export async function listEntries({ pool }: Asking, accountId: string): Promise<EntryRow[]> {
  const { rows } = await pool.query<EntryRow>(
    'select subject, details from registration_entry where account_id = $1',
    [accountId],
  )
  return rows
}

export async function putEntry(
  tx: Transaction,
  { accountId, subject, details }: EntryRow & { accountId: string },
  outOfOperation: string | null,
): Promise<void> {
  await tx.$executeRaw`insert into registration_entry
      (account_id, subject, details, out_of_operation, changed_at)
    values (${accountId}::uuid, ${subject}, ${details}, ${outOfOperation}::date, now())
    on conflict (account_id, subject) do update set details = excluded.details,
      out_of_operation = excluded.out_of_operation,
      changed_at = case when registration_entry.details = excluded.details
        then registration_entry.changed_at else excluded.changed_at end`
}

/** Queues of a market that stand at a place, or stood there last; oldest first. */
export async function queuesOfPlace(
  { pool }: Asking,
  { accountId, market, number }: { accountId: string; market: string; number: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select p.queue_id as id from (${PLACES} and q.account_id = $2) p where p.number = $3
     order by p.created_at, p.queue_id`,
    [market, accountId, number],
  )
  return rows.map(({ id }) => id)
}

/** Of these types, in their order. */
export async function listUnitActions(
  { pool }: Asking,
  { accountId, queueId }: { accountId: string; queueId: string },
  types: readonly string[],
): Promise<UnitAction[]> {
  const { rows } = await pool.query<UnitAction>(
    `select type, moment, data_json as "dataJson" from action_journal
     where account_id = $1 and queue_id = $2 and type = any($3) order by time_stamp`,
    [accountId, queueId, types],
  )
  return rows
}
