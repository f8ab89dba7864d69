// Cash boxes that have signed nothing and units that no queue signs with: lists find them by their
// keys. Triggers note what is new or has lost its queue; what was used since is taken away here.
import type { Store } from '../../client.js'

const USED: Readonly<Record<'cashbox' | 'scu', string>> = {
  cashbox: `exists (select from queue q where q.account_id = s.account_id
      and q.cash_box_id = s.id and q.start_moment is not null)
    or not exists (select from cash_box c where c.account_id = s.account_id and c.id = s.id)`,
  scu: `exists (select from queue_scu u where u.account_id = s.account_id and u.scu_id = s.id)
    or not exists (select from scu c where c.account_id = s.account_id and c.id = s.id)`,
}

/** What was noted again meanwhile stays: it may just have lost its queue. */
const FORGET = `with s as materialized (select * from spare),
  used as materialized (select s.* from s where s.kind = 'cashbox' and (${USED.cashbox})
    union all select s.* from s where s.kind = 'scu' and (${USED.scu}))
  delete from spare n using used u where n.account_id = u.account_id and n.kind = u.kind
    and n.id = u.id and n.noted_at = u.noted_at`

export async function forgetSpare({ pool }: Pick<Store, 'pool'>): Promise<void> {
  await pool.query(FORGET)
}
