// Who sells on a queue: read with its head, and read anew when the master data change.
import type { Company, Seller } from '../../model/queue-facts.js'
import { type OutletRow, outletOf } from '../account/outlets.js'
import type { Transaction } from '../transaction.js'

/** What SELLER gives. */
export interface SellerRow {
  company: Company
  outletNumber: number
  outlet: OutletRow | null
}

/** Of the queue `q`: the company, and the outlet where its cash box stands. */
export const SELLER = `(select json_build_object(
    'company', json_build_object('name', a.name, 'taxId', a.tax_id, 'taxNumber', a.tax_number,
      'vatId', a.vat_id, 'street', a.line1, 'postalCode', a.postal_code, 'city', a.city,
      'country', a.country),
    'outletNumber', at.number,
    'outlet', (select json_build_object('id', o.id, 'number', o.number, 'name', o.name,
      'details', o.details) from outlet o
      where o.account_id = a.id and o.number = at.number))
  from account a cross join lateral (select coalesce((
    select coalesce(c.outlet_number, p.number) from cash_box c
    left join outlet p on p.account_id = c.account_id and p.id = c.outlet_id
    where c.account_id = q.account_id and c.id = q.cash_box_id), 1) as number) at
  where a.id = q.account_id)`

export function sellerOf(row: SellerRow | null): Seller | undefined {
  if (row === null) return undefined
  const { company, outletNumber, outlet } = row
  return { company, outletNumber, outlet: outlet === null ? undefined : outletOf(outlet) }
}

/**
 * To be called with every change of master data: queues in the memory of a server find their head
 * moved, and are read anew before their next receipt is written.
 */
export async function noteSellerChange(tx: Transaction, accountId: string): Promise<void> {
  await tx.$executeRaw`update queue set version = version + 1
    where account_id = ${accountId}::uuid and id in (select id from queue
      where account_id = ${accountId}::uuid order by id for no key update)`
}
