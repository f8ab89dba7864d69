// Live pairing PINs, by their hash. Time is the database's, the same for all servers.
import { reaching, type Store } from '../client.js'
import type { Connection } from '../transaction.js'
import { inTransaction } from '../transaction.js'
import { lockChances, type StoredChances, writeChances } from './pairing-guesses.js'

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

/** A PIN of the account that has the most gives way to one that has at least two less. */
const GIVE_WAY = `delete from pairing_pin where (account_id, cash_box_id) in (
    select p.account_id, p.cash_box_id from pairing_pin p join (
      select account_id, count(*) as held from pairing_pin group by 1 order by 2 desc limit 1) m
      using (account_id)
    where m.held > 1 + (select count(*) from pairing_pin where account_id = $1::uuid)
    order by p.created_at limit 1)`

/** How many may be open and for how long, after so many wrong PINs. */
export interface PinRules {
  mostOpen(chances: StoredChances): number
  lifeSeconds(chances: StoredChances): number
  afterWrong(chances: StoredChances, open: number): Pick<StoredChances, 'spent' | 'pace'>
}

export interface NewPin extends BoxKey {
  /** Hashes of PINs in the order in which they are tried, each under all keys. */
  hashes: readonly (readonly Buffer[])[]
  rules: PinRules
}

export interface LivePin {
  /** Which of the PINs it is. */
  at: number
  expiresAt: Date
}

/** Commits with what else `on` writes; others wait until then. Undefined: none is free. */
export async function insertPin(
  on: Pick<Connection, 'query'>,
  { accountId, cashBoxId, hashes, rules }: NewPin,
): Promise<LivePin | undefined> {
  const chances = await lockChances(on)
  await on.query(LOCK)
  await on.query(CLEAR, [accountId, cashBoxId])
  if (!(await hasRoom(on, accountId, rules.mostOpen(chances)))) return undefined
  const seconds = rules.lifeSeconds(chances)
  for (const [at, all] of hashes.entries()) {
    const taken = all.map((hash) => hash.toString('hex')).join()
    const values = [accountId, cashBoxId, all[0], taken, seconds]
    const { rows } = await on.query<{ expires_at: Date }>(INSERT, values)
    if (rows[0] !== undefined) return { at, expiresAt: rows[0].expires_at }
  }
  return undefined
}

async function hasRoom(
  on: Pick<Connection, 'query'>,
  accountId: string,
  most: number,
): Promise<boolean> {
  const open = async () => {
    const live = await on.query<{ count: bigint }>('select count(*) from pairing_pin')
    return Number(live.rows[0]?.count ?? 0n)
  }
  if ((await open()) < most) return true
  if (most === 0) return false
  await on.query(GIVE_WAY, [accountId])
  return (await open()) < most
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
  return reaching(() => takeOn(store.pool, hashes))
}

async function takeOn(
  on: Store['pool'] | Connection,
  hashes: readonly Buffer[],
): Promise<TakenPin | undefined> {
  const { rows } = await on.query<{
    account_id: string
    id: string
    access_token_sealed: Buffer
  }>({
    name: 'take-pairing-pin',
    text: `with taken as (
        delete from pairing_pin where pin_hash = any($1) and expires_at > now()
        returning account_id, cash_box_id)
      select c.account_id, c.id, c.access_token_sealed from taken t
      join cash_box c on c.account_id = t.account_id and c.id = t.cash_box_id`,
    values: [hashes],
  })
  const [row] = rows
  if (row === undefined) return undefined
  const { account_id: accountId, id: cashBoxId, access_token_sealed: accessTokenSealed } = row
  return { accountId, cashBoxId, accessTokenSealed }
}

/** Takes a live PIN away, or counts a wrong one against those that are open. */
export async function tryPin(
  store: Store,
  hashes: readonly Buffer[],
  rules: PinRules,
): Promise<TakenPin | undefined> {
  return reaching(() =>
    inTransaction(store, async (client) => {
      const chances = await lockChances(client)
      const taken = await takeOn(client, hashes)
      if (taken !== undefined) return taken
      await countWrong(client, chances, rules)
      return undefined
    }),
  )
}

async function countWrong(
  on: Pick<Connection, 'query'>,
  chances: StoredChances,
  rules: PinRules,
): Promise<void> {
  const open = await on.query<{ count: bigint }>(
    'select count(*) from pairing_pin where expires_at > now()',
  )
  const count = Number(open.rows[0]?.count ?? 0n)
  const next = { ...rules.afterWrong(chances, count), seconds: 0 }
  await writeChances(on, next)
  if (count === 0) return
  await on.query(
    `update pairing_pin set
       expires_at = least(expires_at, created_at + make_interval(secs => $1::int))`,
    [rules.lifeSeconds(next)],
  )
  await on.query(
    `delete from pairing_pin where (account_id, cash_box_id) in (
       select account_id, cash_box_id from pairing_pin where expires_at > now()
       order by created_at desc offset $1)`,
    [rules.mostOpen(next)],
  )
}
