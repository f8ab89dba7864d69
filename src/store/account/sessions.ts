// Who is logged in. A session ends by itself: half an hour after the last call, at the latest after
// twelve hours. Times are those of the database.
import type { Store } from '../client.js'
import type { EmployeeRole } from './people.js'

export interface SessionRow {
  id: string
  personId: string
  email: string
  name: string
  language: string | null
  secondFactor: boolean
  passkeyFactor: boolean
  passkeys: number
  hasPassword: boolean
  /** A provider of logins knows the person. */
  connected: boolean
  /** Null: the person works for no account any more. */
  accountId: string | null
  role: EmployeeRole | null
  /** The password was given within the last five minutes. */
  confirmed: boolean
}

export interface ListedSession {
  id: string
  createdAt: Date
  seenAt: Date
  address: string
  agent: string
}

type On = Pick<Store, 'pool'>

const ALIVE = `s.seen_at > now() - interval '30 minutes'
  and s.created_at > now() - interval '12 hours'`
const CONFIRMED = `s.confirmed_at > now() - interval '5 minutes'`

export interface NewSession {
  hash: Buffer
  id: string
  personId: string
  accountId: string | null
  address: string
  agent: string
  /** By which it was shown who it is; null: by something else. */
  passwordHash: string | null
}

/**
 * Those that have ended go with it. False: the password was changed meanwhile. One that is just
 * being changed is waited for, and a change waits for this: it ends the session.
 */
export async function insertSession({ pool }: On, session: NewSession): Promise<boolean> {
  const { hash, id, personId, accountId, address, agent, passwordHash } = session
  await pool.query(`delete from session s where s.person_id = $1 and not (${ALIVE})`, [personId])
  const { rowCount } = await pool.query(
    `insert into session
       (hash, id, person_id, account_id, created_at, seen_at, confirmed_at, address, agent)
     select $1, $2, p.id, $4, now(), now(), now(), $5, $6 from person p
       where p.id = $3 and ($7::text is null or p.password_hash = $7) for share`,
    [hash, id, personId, accountId, address, agent, passwordHash],
  )
  return rowCount === 1
}

/** Who has this session; looking at it keeps it alive. */
export async function findSession({ pool }: On, hash: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await pool.query<SessionRow & { stale: boolean }>({
    name: 'session',
    text: `select s.id, s.person_id as "personId", p.email, p.name, p.language,
        p.code_since is not null as "secondFactor", p.passkey_factor as "passkeyFactor",
        p.password_hash is not null as "hasPassword", e.account_id as "accountId", e.role,
        (select count(*)::int from passkey k where k.person_id = p.id) as passkeys,
        exists (select from person_identity i where i.person_id = p.id) as connected,
        ${CONFIRMED} as confirmed, s.seen_at < now() - interval '1 minute' as stale
      from session s join person p on p.id = s.person_id
        left join employee e on e.account_id = s.account_id and e.person_id = s.person_id
      where s.hash = $1 and ${ALIVE}`,
    values: [hash],
  })
  const [found] = rows
  if (found === undefined) return undefined
  const { stale, ...session } = found
  if (stale) await pool.query('update session set seen_at = now() where hash = $1', [hash])
  return session
}

/** Works for another account of his; false: it is none of his. */
export async function switchSession(
  { pool }: On,
  hash: Buffer,
  accountId: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update session s set account_id = $2 where s.hash = $1 and exists (
       select from employee e where e.account_id = $2 and e.person_id = s.person_id)`,
    [hash, accountId],
  )
  return rowCount === 1
}

/** Whoever has it has shown just now who he is. */
export async function confirmSession({ pool }: On, id: string): Promise<void> {
  await pool.query('update session set confirmed_at = now() where id = $1', [id])
}

export async function listSessions({ pool }: On, personId: string): Promise<ListedSession[]> {
  const { rows } = await pool.query<ListedSession>(
    `select s.id, s.created_at as "createdAt", s.seen_at as "seenAt", s.address, s.agent
     from session s where s.person_id = $1 and ${ALIVE} order by s.seen_at desc limit 200`,
    [personId],
  )
  return rows
}

/** One of them, or all but one; with what else a transaction does, by its connection. */
export async function endSessions(
  { pool }: { pool: Pick<Store['pool'], 'query'> },
  { personId, id, except }: { personId: string; id?: string; except?: string },
): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from session where person_id = $1::uuid
       and ($2::uuid is null or id = $2::uuid) and ($3::uuid is null or id <> $3::uuid)`,
    [personId, id ?? null, except ?? null],
  )
  return rowCount ?? 0
}

/** Of everybody. */
export async function forgetSessions({ pool }: On): Promise<void> {
  await pool.query(`delete from session s where s.created_at < now() - interval '12 hours'`)
}
