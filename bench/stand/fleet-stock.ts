// Merchants of one dealer with their tills, as rows: what lists and detectors are measured on.
import { marketOf } from '../../src/market/index.js'

/** As registers at work have them; one of a hundred Germans has a transaction that nobody ends. */
const STATES = (['AT', 'DE'] as const)
  .map((code) => {
    const { queue } = marketOf(code)
    const state = { ...(queue.initial() as object), firstSinceClosing: null }
    return `('${code}', '${JSON.stringify(state)}')`
  })
  .join(', ')

export interface FleetSize {
  merchants: number
  /** Of each merchant. */
  tills: number
  /** Who is connected with all of them. */
  dealerId: string
}

/**
 * A till each is a CashBox, a Queue and a unit; every 500th has an outage, every 20th was never
 * published, every 100th certificate ends soon.
 */
export function fleetStock({ merchants, tills, dealerId }: FleetSize): string[] {
  return [
    `insert into account (id, kind, name, market, country, email, roles, created_at)
     select gen_random_uuid(), 'PosOperator', 'Shop ' || md5(n::text), 'AT', 'AT',
       n || '@shop.example', '{PosOperator}', now() from generate_series(1, ${merchants}) n`,
    `insert into connection (account_id, id, to_account_id, rights, state, created_at)
     select '${dealerId}'::uuid, gen_random_uuid(), id, 'Full', 'active', now() from account
     where kind = 'PosOperator'`,
    `insert into outlet (account_id, id, number, name, details, created_at)
     select id, gen_random_uuid(), 1, 'Main ' || name, '{}', now()
     from account where kind = 'PosOperator' and id <> '${dealerId}'`,
    `insert into cash_box (account_id, id, outlet_id, description, access_token_hash,
       access_token_sealed, private_key_sealed, time_stamp, created_at, published_at)
     select o.account_id, gen_random_uuid(), o.id, 'Till ' || n,
       sha256(n::text::bytea), '', '', 638000000000000000 + n,
       now(), case when n % 20 = 0 then null else 638000000000000000 + n end
     from outlet o, generate_series(1, ${tills}) n where o.account_id <> '${dealerId}'`,
    `insert into queue (account_id, id, cash_box_id, market, description, identification,
       configuration, state, time_stamp, created_at, start_moment, stop_moment, last_moment)
     select account_id, gen_random_uuid(), id, m.market, description, 'K-' || id, '{}', m.state, 1,
       now(), now() - interval '1 year', case when random() < 0.01 then now() end,
       now() - random() * interval '4 days'
     from cash_box join (values ${STATES}) m(market, state)
       on m.market = (array['AT', 'DE'])[1 + ascii(right(id::text, 1)) % 2]
     where account_id <> '${dealerId}'`,
    `insert into scu (account_id, id, market, package, description, configuration, state,
       time_stamp, created_at)
     select account_id, gen_random_uuid(), 'AT', 'none', 'Unit of ' || id, '{}', '{}', 1, now()
     from cash_box where account_id <> '${dealerId}'`,
    `insert into cash_box_scu (account_id, cash_box_id, scu_id)
     select account_id, substr(description, 9)::uuid, id from scu
     where account_id <> '${dealerId}'`,
    `insert into queue_scu (account_id, queue_id, scu_id, position)
     select q.account_id, q.id, h.scu_id, 0 from queue q join cash_box_scu h
       on h.account_id = q.account_id and h.cash_box_id = q.cash_box_id
     where q.account_id <> '${dealerId}'`,
    `update unit_fact set described_at = now(), serial = md5(scu_id::text) || md5(account_id::text),
       described_stamp = 1,
       certificate_ends = now() + case when random() < 0.01 then interval '20 days'
         else interval '3 years' end
     where account_id <> '${dealerId}'`,
    `insert into outage (account_id, id, queue_id, cash_box_id, cause, began_at)
     select account_id, gen_random_uuid(), id, cash_box_id, 'device', now() from queue
     where account_id <> '${dealerId}' and random() < 0.002`,
  ]
}
