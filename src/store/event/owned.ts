// Whose a queue or a signing unit is, and what an account may do with it.
import type { Right } from '../account/connections.js'
import type { Store } from '../client.js'
import { READABLE } from './outages.js'

export interface Owned {
  /** The merchant. */
  accountId: string
  accountName: string
  right: Right
}

/** Undefined: there is none that the account may read. */
export async function findOwned(
  { pool }: Pick<Store, 'pool'>,
  { accountId, kind, id }: { accountId: string; kind: 'queue' | 'scu'; id: string },
): Promise<Owned | undefined> {
  const { rows } = await pool.query<Owned>(
    `with m as (${READABLE})
     select d.account_id as "accountId", a.name as "accountName",
       case when d.account_id = $1 then 'Full' else
         (select c.rights from connection c where c.account_id = $1
           and c.to_account_id = d.account_id) end as right
     from directory d join m on m.id = d.account_id join account a on a.id = d.account_id
     where d.id = $2 and d.kind = $3`,
    [accountId, id, kind],
  )
  return rows[0]
}
