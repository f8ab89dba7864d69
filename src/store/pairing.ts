// Live pairing PINs, by their hash. Time is the database's, the same for all servers.
// Called by core/pairing.
import { reaching, type Store } from './client.js'
import type { Connection } from './issued.js'
import { inTransaction } from './transaction.js'

export interface BoxKey {
  accountId: string
  cashBoxId: string
}

/** All of them, expired ones removed, and the cash box's own as well. */
const CLEAR = `delete from pairing_pin
  where expires_at <= now() or (account_id = $1::uuid and cash_box_id = $2::uuid)`
/** One writer at a time: how many are live must not change while it is looked at. */
const LOCK = 'lock table pairing_pin in share row exclusive mode'

const INSERT = `insert into pairing_pin (account_id, cash_box_id, pin_hash, expires_at)
  select $1::uuid, $2::uuid, $3, now() + make_interval(secs => $5::int)
  where not exists (select from pairing_pin
    where encode(pin_hash, 'hex') = any(string_to_array($4::text, ',')))
  returning expires_at`

export interface NewPin extends BoxKey {
  /** Hashes of PINs in the order in which they are tried, each under all keys. */
  hashes: readonly (readonly Buffer[])[]
  seconds: number
  /** With so many live ones there is no further PIN. */
  most: number
}

export interface LivePin {
  /** Which of the PINs it is. */
  at: number
  expiresAt: Date
}

/** Commits with what else `on` writes; others wait until then. Undefined: none is free. */
export async function insertPin(
  on: Pick<Connection, 'query'>,
  { accountId, cashBoxId, hashes, seconds, most }: NewPin,
): Promise<LivePin | undefined> {
  await on.query(LOCK)
  await on.query(CLEAR, [accountId, cashBoxId])
  const live = await on.query<{ count: bigint }>('select count(*) from pairing_pin')
  if ((live.rows[0]?.count ?? 0n) >= BigInt(most)) return undefined
  for (const [at, all] of hashes.entries()) {
    const taken = all.map((hash) => hash.toString('hex')).join()
    const values = [accountId, cashBoxId, all[0], taken, seconds]
    const { rows } = await on.query<{ expires_at: Date }>(INSERT, values)
    if (rows[0] !== undefined) return { at, expiresAt: rows[0].expires_at }
  }
  return undefined
}

/** In a transaction of its own. */
export async function insertPinAlone(store: Store, pin: NewPin): Promise<LivePin | undefined> {
  return reaching(() => inTransaction(store, (client) => insertPin(client, pin)))
}

export interface TakenPin extends BoxKey {
  accessTokenSealed: Buffer
}

/** Takes a live PIN away; of several takers one gets it. */
export async function takePin(
  store: Store,
  hashes: readonly Buffer[],
): Promise<TakenPin | undefined> {
  const { rows } = await reaching(() =>
    store.pool.query<{ account_id: string; id: string; access_token_sealed: Buffer }>({
      name: 'take-pairing-pin',
      text: `with taken as (
          delete from pairing_pin where pin_hash = any($1) and expires_at > now()
          returning account_id, cash_box_id)
        select c.account_id, c.id, c.access_token_sealed from taken t
        join cash_box c on c.account_id = t.account_id and c.id = t.cash_box_id`,
      values: [hashes],
    }),
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { account_id: accountId, id: cashBoxId, access_token_sealed: accessTokenSealed } = row
  return { accountId, cashBoxId, accessTokenSealed }
}
