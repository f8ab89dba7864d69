// Webhooks: what an account has asked for, and how far its receivers have come.
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export const WEBHOOK_MODES = ['ordered', 'parallel', 'batch'] as const
export type WebhookMode = (typeof WEBHOOK_MODES)[number]

export interface WebhookKey {
  accountId: string
  id: string
}

export interface WebhookRow extends WebhookKey {
  url: string
  description: string
  /** Empty: all. */
  types: string[]
  mode: WebhookMode
  state: 'active' | 'disabled'
  cursor: bigint
  /** Numbers that are sent once more; null: none. */
  replayNext: bigint | null
  replayTo: bigint | null
  /** Failures since something was taken. */
  tries: number
  failingSince: Date | null
  nextAt: Date | null
  lastError: string | null
  createdAt: Date
  secretSealed: Buffer
  /** The one before; it signs as well until `oldUntil`. */
  oldSecretSealed: Buffer | null
  oldUntil: Date | null
}

export const webhookSecret = (id: string): string => `webhook:${id}`
export const webhookOldSecret = (id: string): string => `webhook-old:${id}`

const ROW = `account_id as "accountId", id, url, description, types, mode, state, cursor,
  replay_next as "replayNext", replay_to as "replayTo", tries, failing_since as "failingSince",
  next_at as "nextAt", last_error as "lastError", created_at as "createdAt",
  secret_sealed as "secretSealed", old_secret_sealed as "oldSecretSealed",
  old_until as "oldUntil"`

type Asking = Pick<Store, 'pool'>

/** Oldest first. */
export async function listWebhooks({ pool }: Asking, accountId: string): Promise<WebhookRow[]> {
  const { rows } = await pool.query<WebhookRow>(
    `select ${ROW} from webhook where account_id = $1 order by created_at, id`,
    [accountId],
  )
  return rows
}

export async function findWebhook(
  { pool }: Asking,
  { accountId, id }: WebhookKey,
): Promise<WebhookRow | undefined> {
  const { rows } = await pool.query<WebhookRow>(
    `select ${ROW} from webhook where account_id = $1 and id = $2`,
    [accountId, id],
  )
  return rows[0]
}

type New = Pick<
  WebhookRow,
  | ('accountId' | 'id' | 'url' | 'description' | 'types' | 'mode' | 'cursor' | 'createdAt')
  | 'secretSealed'
>

/** False: the account has `most` already. */
export async function insertWebhook(tx: Transaction, row: New, most: number): Promise<boolean> {
  const { accountId, id, url, description, types, mode, cursor, createdAt, secretSealed } = row
  // two calls at the same moment wait for each other here
  await tx.$queryRaw`select from account where id = ${accountId}::uuid for no key update`
  const made = await tx.$executeRaw`insert into webhook (account_id, id, url, description, types,
      mode, secret_sealed, state, cursor, taken, created_at)
    select ${accountId}::uuid, ${id}::uuid, ${url}, ${description}, ${types}::text[], ${mode},
      ${secretSealed}, 'active', ${cursor}, '{}', ${createdAt}
    where (select count(*) from webhook where account_id = ${accountId}::uuid) < ${most}`
  return made > 0
}

export interface WebhookChange {
  url?: string | undefined
  description?: string | undefined
  types?: string[] | undefined
  mode?: WebhookMode | undefined
}

type StoredChange = WebhookChange & Partial<Pick<WebhookRow, 'secretSealed'>>

/** Held until the end of the transaction; undefined: there is no such webhook. */
export async function lockSecret(
  tx: Transaction,
  { accountId, id }: WebhookKey,
): Promise<Buffer | undefined> {
  const rows = await tx.$queryRaw<{ secret: Buffer }[]>`select secret_sealed as secret from webhook
    where account_id = ${accountId}::uuid and id = ${id}::uuid for no key update`
  return rows[0]?.secret
}

/** False: there is none. Whoever delivers begins anew with the next call. */
const OF_KEY = `where account_id = $1::uuid and id = $2::uuid returning ${ROW}`

/** As it is then; undefined: there is none. The same holds for those below. */
export async function updateWebhook(
  tx: Transaction,
  { accountId, id }: WebhookKey,
  { url, description, types, mode, secretSealed }: StoredChange,
): Promise<WebhookRow | undefined> {
  const rows = await tx.$queryRawUnsafe<WebhookRow[]>(
    `update webhook set url = coalesce($3, url), description = coalesce($4, description),
       types = coalesce($5::text[], types), mode = coalesce($6, mode),
       secret_sealed = coalesce($7, secret_sealed),
       lease = null, lease_until = null, next_at = null ${OF_KEY}`,
    ...[accountId, id, url ?? null, description ?? null, types ?? null, mode ?? null],
    secretSealed ?? null,
  )
  return rows[0]
}

export async function deleteWebhook(
  tx: Transaction,
  { accountId, id }: WebhookKey,
): Promise<boolean> {
  await tx.$executeRaw`delete from webhook_attempt
    where account_id = ${accountId}::uuid and webhook_id = ${id}::uuid`
  const found = await tx.$executeRaw`delete from webhook
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
  return found > 0
}

/** Tried again at once, from where it stands. */
export async function enableWebhook(
  tx: Transaction,
  { accountId, id }: WebhookKey,
): Promise<WebhookRow | undefined> {
  const rows = await tx.$queryRawUnsafe<WebhookRow[]>(
    `update webhook set state = 'active', tries = 0, failing_since = null, next_at = null,
       last_error = null ${OF_KEY}`,
    ...[accountId, id],
  )
  return rows[0]
}

export async function replayWebhook(
  tx: Transaction,
  { accountId, id }: WebhookKey,
  { from, to }: { from: bigint; to: bigint },
): Promise<WebhookRow | undefined> {
  const rows = await tx.$queryRawUnsafe<WebhookRow[]>(
    `update webhook set replay_next = $3, replay_to = $4, lease = null, lease_until = null
     ${OF_KEY}`,
    ...[accountId, id, from, to],
  )
  return rows[0]
}

/** The secret of now signs as well until `oldUntil`, sealed for its new place. */
export async function rotateWebhook(
  tx: Transaction,
  { accountId, id }: WebhookKey,
  { secret, old, oldUntil }: { secret: Buffer; old: Buffer; oldUntil: Date },
): Promise<void> {
  await tx.$executeRaw`update webhook set secret_sealed = ${secret},
      old_secret_sealed = ${old}, old_until = ${oldUntil}, lease = null, lease_until = null
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
}

// ------------------------------------------------------------------- attempts

export interface AttemptRow {
  id: string
  seq: bigint
  /** Of a batch: its last one. */
  toSeq: bigint
  at: Date
  /** Null: there was no answer. */
  status: number | null
  ms: number
  error: string | null
}

/** Newest first, older than `before`. */
export async function listAttempts(
  { pool }: Asking,
  { accountId, id, before, limit }: WebhookKey & { before: string | undefined; limit: number },
): Promise<AttemptRow[]> {
  const { rows } = await pool.query<AttemptRow>(
    `select id, seq, to_seq as "toSeq", at, status, ms, error from webhook_attempt
     where account_id = $1 and webhook_id = $2 and ($3::uuid is null or id < $3)
     order by id desc limit $4`,
    [accountId, id, before ?? null, limit],
  )
  return rows
}

/** `before`: an id that is as old as what may go. */
export async function forgetAttempts({ pool }: Asking, before: string): Promise<void> {
  await pool.query(
    `delete from webhook_attempt a using webhook w
     where a.account_id = w.account_id and a.webhook_id = w.id and a.id < $1`,
    [before],
  )
}
