// Halves of logins: what a browser was asked and has not answered yet. Each works once, and there
// are so many at most, of a network and of all.
import type { Store } from '../client.js'

type On = Pick<Store, 'pool'>

export const LOGIN_STEPS = ['passkey-new', 'passkey', 'sso'] as const
export type LoginStepKind = (typeof LOGIN_STEPS)[number]

export interface NewLoginStep {
  hash: Buffer
  kind: LoginStepKind
  sessionId: string | null
  network: string
  document: string
}

const MINUTES = 10
const MOST_OF_NETWORK = 100
const MOST = 10_000

/** The oldest make room. */
export async function insertLoginStep({ pool }: On, step: NewLoginStep): Promise<void> {
  const { hash, kind, sessionId, network, document } = step
  await pool.query(
    `delete from login_step where expires_at < now()
       or hash in (select hash from login_step where network = $1
         order by created_at desc offset $2)
       or hash in (select hash from login_step order by created_at desc offset $3)`,
    [network, MOST_OF_NETWORK - 1, MOST - 1],
  )
  await pool.query(
    `insert into login_step (hash, kind, session_id, network, document, created_at, expires_at)
     values ($1, $2, $3, $4, $5, now(), now() + make_interval(mins => $6))`,
    [hash, kind, sessionId, network, document, MINUTES],
  )
}

/** Takes it away, whatever comes of it. */
export async function takeLoginStep(
  { pool }: On,
  hash: Buffer,
  kind: LoginStepKind,
): Promise<{ sessionId: string | null; document: string } | undefined> {
  const { rows } = await pool.query<{ sessionId: string | null; document: string }>(
    `delete from login_step where hash = $1 and kind = $2 and expires_at > now()
     returning session_id as "sessionId", document`,
    [hash, kind],
  )
  return rows[0]
}
