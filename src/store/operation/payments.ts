// What terminals have carried out, and who cancels it.
import { reaching, type Store } from '../client.js'

export interface PaymentBox {
  accountId: string
  cashBoxId: string
}

export interface PaymentRow extends PaymentBox {
  /** ftPayItemId */
  id: string
  reference: string | null
  action: 'payment' | 'refund' | 'cancel' | 'foreign'
  terminalId: string | null
  cancelledBy: string | null
  createdAt: Date
}

/** Those with this id or one of these references, in no order. */
export async function findPayments(
  store: Store,
  { accountId, cashBoxId }: PaymentBox,
  names: { itemId: string | undefined; references: readonly string[] },
): Promise<PaymentRow[]> {
  const found = await reaching(() =>
    store.pool.query<PaymentRow>({
      name: 'find-payments',
      text: `select account_id as "accountId", cash_box_id as "cashBoxId", id, reference, action,
          terminal_id as "terminalId", cancelled_by as "cancelledBy", created_at as "createdAt"
        from payment where account_id = $1 and cash_box_id = $2
          and (id = $3 or reference = any($4::text[]))`,
      values: [accountId, cashBoxId, names.itemId ?? null, [...names.references]],
    }),
  )
  return found.rows
}

/** False: one with this id or reference is there already. */
export async function insertPayment(store: Store, row: PaymentRow): Promise<boolean> {
  const done = await reaching(() =>
    store.pool.query({
      name: 'insert-payment',
      text: `insert into payment (account_id, cash_box_id, id, reference, action, terminal_id,
          cancelled_by, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict do nothing`,
      values: [
        ...[row.accountId, row.cashBoxId, row.id, row.reference, row.action, row.terminalId],
        ...[row.cancelledBy, row.createdAt],
      ],
    }),
  )
  return done.rowCount === 1
}

/**
 * What a terminal has carried out. It takes the place of a row that a cancellation has noted ahead
 * of it, with the mark of that cancellation; anything else that is there stays.
 */
export async function keepPayment(store: Store, row: PaymentRow): Promise<void> {
  await reaching(() =>
    store.pool.query({
      name: 'keep-payment',
      text: `insert into payment as p (account_id, cash_box_id, id, reference, action, terminal_id,
          cancelled_by, created_at) values ($1, $2, $3, $4, $5, $6, null, $7)
        on conflict (account_id, cash_box_id, reference) do update set id = excluded.id,
          action = excluded.action, terminal_id = excluded.terminal_id,
          created_at = excluded.created_at where p.action = 'foreign'`,
      values: [
        ...[row.accountId, row.cashBoxId, row.id, row.reference, row.action, row.terminalId],
        row.createdAt,
      ],
    }),
  )
}

/**
 * Whether a cancellation that has not failed had noted its claim on this operation before. Asked
 * behind the commit of the operation's own record: a claim that is not seen sees that record.
 */
export async function isClaimedAhead(
  store: Store,
  { accountId, cashBoxId, operationId }: PaymentBox & { operationId: string },
): Promise<boolean> {
  const found = await reaching(() =>
    store.pool.query({
      name: 'payment-claimed-ahead',
      text: `select from payment p
        where p.account_id = $1 and p.cash_box_id = $2 and p.reference = $3
          and p.cancelled_by <> $4 and not exists (
            select from operation o where o.account_id = p.account_id
              and o.cash_box_id = p.cash_box_id and o.id = p.cancelled_by
              and o.state = 'failed')`,
      values: [accountId, cashBoxId, operationId, operationId],
    }),
  )
  return found.rowCount !== 0
}

export interface Cancellation extends PaymentBox {
  /** ftPayItemId of what is cancelled. */
  id: string
  operationId: string
}

/**
 * True for one operation only, until that one has failed: then its mark counts for nothing, even
 * where the server died before it could take it back.
 */
export async function claimCancellation(store: Store, claim: Cancellation): Promise<boolean> {
  const done = await reaching(() =>
    store.pool.query({
      name: 'claim-cancellation',
      text: `update payment p set cancelled_by = $4
        where p.account_id = $1 and p.cash_box_id = $2 and p.id = $3
          and (p.cancelled_by is null or p.cancelled_by = $4 or exists (
            select from operation o where o.account_id = p.account_id
              and o.cash_box_id = p.cash_box_id and o.id = p.cancelled_by
              and o.state = 'failed'))`,
      values: [claim.accountId, claim.cashBoxId, claim.id, claim.operationId],
    }),
  )
  return done.rowCount === 1
}

/** It was not cancelled after all. */
export async function releaseCancellation(store: Store, claim: Cancellation): Promise<void> {
  await reaching(() =>
    store.pool.query({
      name: 'release-cancellation',
      text: `update payment set cancelled_by = null
        where account_id = $1 and cash_box_id = $2 and id = $3 and cancelled_by = $4`,
      values: [claim.accountId, claim.cashBoxId, claim.id, claim.operationId],
    }),
  )
}
