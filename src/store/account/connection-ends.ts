// Connections as both sides see them: the list of an account, and the end of one.
import type { Store } from '../client.js'
import type { Connection } from '../transaction.js'
import type { ConnectionRow } from './connections.js'

export interface Party {
  id: string
  name: string
  email: string
  market: string
}

export interface ConnectionView extends Omit<ConnectionRow, 'accountId' | 'toAccountId'> {
  /** Who works for the other one. */
  dealer: Party
  operator: Party
}

type Row = Omit<ConnectionView, 'dealer' | 'operator'> & Record<string, string>

const party = (table: string, name: string): string =>
  ['id', 'name', 'email', 'market'].map((one) => `${table}.${one} as ${name}_${one}`).join(', ')

// the clock of now, not of the begin: whoever has waited for a lock sees an end that came meanwhile
const ASK = `select c.id, c.rights, c.ends_at as "endsAt",
    case when c.ends_at <= clock_timestamp() then 'ended' else c.state end as state,
    ${party('d', 'dealer')}, ${party('o', 'operator')}
  from connection c join account d on d.id = c.account_id join account o on o.id = c.to_account_id`

function viewOf(row: Row): ConnectionView {
  const partyOf = (name: string): Party => ({
    ...{ id: row[`${name}_id`] ?? '', name: row[`${name}_name`] ?? '' },
    ...{ email: row[`${name}_email`] ?? '', market: row[`${name}_market`] ?? '' },
  })
  const { id, rights, state, endsAt } = row
  return { id, rights, state, endsAt, dealer: partyOf('dealer'), operator: partyOf('operator') }
}

/** Of the account, on either side; by id. */
export async function connectionsOf(
  { pool }: Store,
  accountId: string,
  { after, most }: { after: string | null; most: number | null },
): Promise<ConnectionView[]> {
  const side = (column: string): string =>
    `select * from (${ASK} where c.${column} = $1 and ($2::uuid is null or c.id > $2)
       order by c.id limit $3) as ${column}`
  const { rows } = await pool.query<Row>(
    `${side('account_id')} union ${side('to_account_id')} order by id limit $3`,
    [accountId, after, most],
  )
  return rows.map(viewOf)
}

type On = Pick<Connection, 'query'>

/** Nobody else changes it until the transaction ends. */
export async function lockConnection(
  on: On,
  { accountId, toAccountId }: { accountId: string; toAccountId: string },
): Promise<ConnectionView | undefined> {
  const { rows } = await on.query<Row>(
    `${ASK} where c.account_id = $1 and c.to_account_id = $2 for update of c`,
    [accountId, toAccountId],
  )
  return rows.map(viewOf)[0]
}

/** Null, and whatever is past: now, by the clock that all servers share. */
export async function setEnd(on: On, id: string, endsAt: Date | null): Promise<Date> {
  const { rows } = await on.query<{ endsAt: Date }>(
    `update connection set ends_at = greatest($2::timestamptz, now()) where id = $1
     returning ends_at as "endsAt"`,
    [id, endsAt],
  )
  return rows[0]?.endsAt ?? new Date()
}
