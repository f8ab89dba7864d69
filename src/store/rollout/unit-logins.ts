// Logins to devices, told among all servers: one tries at a time, and credentials that were refused
// are not tried again. Time is the database's.
import { reaching, type Store } from '../client.js'

export interface UnitLoginKey {
  accountId: string
  scuId: string
  credentials: string
}

export type LoginClaim = 'mine' | 'refused' | 'taken'

/** Other credentials take the place of those that were tried before. */
export async function claimLogin(
  store: Store,
  { accountId, scuId, credentials }: UnitLoginKey,
  holdMs: number,
): Promise<LoginClaim> {
  return reaching(async () => {
    const mine = await store.pool.query({
      name: 'claim-unit-login',
      text: `insert into unit_login as l (account_id, scu_id, credentials, trying_until)
        values ($1, $2, $3, now() + $4 * interval '1 millisecond')
        on conflict (account_id, scu_id) do update
          set credentials = excluded.credentials, trying_until = excluded.trying_until,
            refused_at = null
          where l.credentials <> excluded.credentials
            or (l.refused_at is null and l.trying_until <= now())`,
      values: [accountId, scuId, credentials, Math.ceil(holdMs)],
    })
    if (mine.rowCount === 1) return 'mine'
    const isRefused = await loginRefusedAt(store, { accountId, scuId, credentials })
    return isRefused === undefined ? 'taken' : 'refused'
  })
}

/** Undefined: these credentials were not refused. */
export async function loginRefusedAt(
  { pool }: Store,
  { accountId, scuId, credentials }: UnitLoginKey,
): Promise<Date | undefined> {
  const found = await pool.query<{ refused_at: Date | null }>({
    name: 'unit-login-refused',
    text: `select refused_at from unit_login
      where account_id = $1 and scu_id = $2 and credentials = $3`,
    values: [accountId, scuId, credentials],
  })
  return found.rows[0]?.refused_at ?? undefined
}

export async function settleLogin(
  { pool }: Store,
  { accountId, scuId, credentials }: UnitLoginKey,
  isRefused: boolean,
): Promise<void> {
  await reaching(() =>
    pool.query({
      name: 'settle-unit-login',
      text: `update unit_login set trying_until = now(),
          refused_at = case when $4 then now() end
        where account_id = $1 and scu_id = $2 and credentials = $3`,
      values: [accountId, scuId, credentials, isRefused],
    }),
  )
}

/** The same credentials may be tried once more: somebody says that the device takes them again. */
export async function forgetLogin(
  { pool }: Store,
  { accountId, scuId }: { accountId: string; scuId: string },
): Promise<void> {
  await reaching(() =>
    pool.query({
      name: 'forget-unit-login',
      text: 'delete from unit_login where account_id = $1 and scu_id = $2',
      values: [accountId, scuId],
    }),
  )
}
