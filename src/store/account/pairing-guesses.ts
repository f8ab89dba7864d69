// Wrong pairing PINs, counted for all servers: per network, and as chances that are used up. Time
// is the database's.
import { reaching, type Store } from '../client.js'
import type { Connection } from '../transaction.js'

export interface NetworkLimits {
  perMinute: number
  perDay: number
}

/** False: the network has had all its wrong PINs. Counted before anybody knows whether it is. */
export async function countTry(
  store: Store,
  network: string,
  { perMinute, perDay }: NetworkLimits,
): Promise<boolean> {
  const done = await reaching(() =>
    store.pool.query({
      name: 'count-pairing-try',
      text: `insert into pairing_network as n
            (network, minute_at, minute_count, day_at, day_count) values ($1, now(), 1, now(), 1)
          on conflict (network) do update set
            minute_at = case when ${MINUTE_OVER} then now() else n.minute_at end,
            minute_count = case when ${MINUTE_OVER} then 1 else n.minute_count + 1 end,
            day_at = case when ${DAY_OVER} then now() else n.day_at end,
            day_count = case when ${DAY_OVER} then 1 else n.day_count + 1 end
          where (${MINUTE_OVER} or n.minute_count < $2) and (${DAY_OVER} or n.day_count < $3)`,
      values: [network, perMinute, perDay],
    }),
  )
  return done.rowCount === 1
}

const MINUTE_OVER = `n.minute_at <= now() - interval '1 minute'`
const DAY_OVER = `n.day_at <= now() - interval '1 day'`

/** It was none of the wrong ones. */
export async function takeTryBack(store: Store, network: string): Promise<void> {
  await reaching(() =>
    store.pool.query({
      name: 'take-pairing-try-back',
      text: `update pairing_network set minute_count = greatest(minute_count - 1, 0),
          day_count = greatest(day_count - 1, 0) where network = $1`,
      values: [network],
    }),
  )
}

export interface StoredChances {
  spent: number
  pace: number
  /** Since it was written. */
  seconds: number
}

/** Nobody else opens a PIN, or tries one, until the transaction ends. */
export async function lockChances(on: Pick<Connection, 'query'>): Promise<StoredChances> {
  const read = () =>
    on.query<StoredChances>(
      `select spent, pace, extract(epoch from clock_timestamp() - at)::float8 as seconds
       from pairing_chance where id = 1 for update`,
    )
  const found = await read()
  if (found.rows[0] !== undefined) return found.rows[0]
  await on.query(
    `insert into pairing_chance (id, spent, pace, at) values (1, 0, 0, clock_timestamp())
     on conflict do nothing`,
  )
  const made = await read()
  return made.rows[0] ?? { spent: 0, pace: 0, seconds: 0 }
}

export async function writeChances(
  on: Pick<Connection, 'query'>,
  { spent, pace }: Pick<StoredChances, 'spent' | 'pace'>,
): Promise<void> {
  await on.query(
    'update pairing_chance set spent = $1, pace = $2, at = clock_timestamp() where id = 1',
    [spent, pace],
  )
  await on.query(
    `delete from pairing_network where network in (select network from pairing_network
       where day_at < now() - interval '2 days' order by day_at limit 100)`,
  )
}
