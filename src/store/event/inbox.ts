// Events of changes that are no receipts: written in the transaction of the change.
import type { NewEvent } from '../../model/event.js'
import type { Transaction } from '../transaction.js'

export interface InboxEvent extends NewEvent {
  /** Whose event it is. */
  accountId: string
  /** Who hears of it as of his own, beside those that are connected. */
  alsoAccountId: string | null
  id: string
  at: Date
}

export async function insertEvent(tx: Transaction, event: InboxEvent): Promise<void> {
  const { accountId, alsoAccountId, id, type, subject, cashBoxId = null, data = {}, at } = event
  await tx.$executeRaw`insert into inbox
    (account_id, also_account_id, event_id, type, cash_box_id, subject_kind, subject_id, data, at)
    values (${accountId}::uuid, ${alsoAccountId}::uuid, ${id}::uuid, ${type}, ${cashBoxId}::uuid,
      ${subject.kind}, ${subject.id}::uuid, ${JSON.stringify(data)}, ${at})`
}
