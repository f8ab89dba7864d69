// Passkeys of people, and whom a provider of logins means. Times are those of the database.
import type { Store } from '../client.js'

type On = Pick<Store, 'pool'>

export interface PasskeyRow {
  id: string
  personId: string
  name: string
  publicKey: Buffer
  counter: string
  transports: string[]
  createdAt: Date
  usedAt: Date | null
}

const COLUMNS = `id, person_id as "personId", name, public_key as "publicKey", counter, transports,
  created_at as "createdAt", used_at as "usedAt"`
const MOST_OF_PERSON = 20

/** False: the person has enough of them, or the key is known already. */
export async function insertPasskey(
  { pool }: On,
  row: Omit<PasskeyRow, 'createdAt' | 'usedAt'>,
): Promise<boolean> {
  const { id, personId, name, publicKey, counter, transports } = row
  const { rowCount } = await pool.query(
    `insert into passkey (id, person_id, name, public_key, counter, transports, created_at)
     select $1, $2, $3, $4, $5, $6, now()
     where (select count(*) from passkey where person_id = $2) < $7
     on conflict (id) do nothing`,
    [id, personId, name, publicKey, counter, transports, MOST_OF_PERSON],
  )
  return rowCount === 1
}

export async function listPasskeys({ pool }: On, personId: string): Promise<PasskeyRow[]> {
  const { rows } = await pool.query<PasskeyRow>(
    `select ${COLUMNS} from passkey where person_id = $1 order by created_at, id`,
    [personId],
  )
  return rows
}

export async function findPasskey({ pool }: On, id: string): Promise<PasskeyRow | undefined> {
  const { rows } = await pool.query<PasskeyRow>(`select ${COLUMNS} from passkey where id = $1`, [
    id,
  ])
  return rows[0]
}

/** False: the count of the device has gone back since, or the key was removed. */
export async function usePasskey(
  { pool }: On,
  { id, counter }: { id: string; counter: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update passkey set counter = $2, used_at = now()
     where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
    [id, counter],
  )
  return rowCount === 1
}

interface Which {
  personId: string
  id: string
}

export async function renamePasskey(
  { pool }: On,
  { personId, id }: Which,
  name: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update passkey set name = $3 where person_id = $1 and id = $2',
    [personId, id, name],
  )
  return rowCount === 1
}

/** Without `id` all of them. Whoever has none left is not asked for one. */
export async function removePasskeys(
  { pool }: On,
  { personId, id }: { personId: string; id?: string },
): Promise<number> {
  const { rowCount } = await pool.query(
    'delete from passkey where person_id = $1 and ($2::text is null or id = $2)',
    [personId, id ?? null],
  )
  await pool.query(
    `update person set passkey_factor = false
     where id = $1 and not exists (select from passkey where person_id = $1)`,
    [personId],
  )
  return rowCount ?? 0
}

/** False: there is no passkey to ask for. */
export async function setPasskeyFactor(
  { pool }: On,
  personId: string,
  wish: boolean,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update person set passkey_factor = $2
     where id = $1 and (not $2 or exists (select from passkey where person_id = $1))`,
    [personId, wish],
  )
  return rowCount === 1
}

// ------------------------------------------------------------------ providers of logins

export interface Identity {
  issuer: string
  subject: string
}

export async function findIdentity(
  { pool }: On,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ personId: string }>(
    'select person_id as "personId" from person_identity where issuer = $1 and subject = $2',
    [issuer, subject],
  )
  return rows[0]?.personId
}

/** Whose it is from now on: who had it first keeps it. */
export async function putIdentity(
  on: On,
  { issuer, subject }: Identity,
  personId: string,
): Promise<string | undefined> {
  await on.pool.query(
    `insert into person_identity (issuer, subject, person_id, created_at)
     values ($1, $2, $3, now()) on conflict (issuer, subject) do nothing`,
    [issuer, subject, personId],
  )
  return findIdentity(on, { issuer, subject })
}

/** Of one provider; without `issuer` of all. */
export async function removeIdentities(
  { pool }: On,
  { personId, issuer }: { personId: string; issuer?: string },
): Promise<void> {
  await pool.query(
    'delete from person_identity where person_id = $1 and ($2::text is null or issuer = $2)',
    [personId, issuer ?? null],
  )
}
