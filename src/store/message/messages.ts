// Messages on their way: written with their job, claimed by one server at a time, fenced off before
// they cannot be taken back, and recorded. Decision 0017 has the windows.
import type pg from 'pg'
import type { Store } from '../client.js'
import { addJob, runnerAlive } from './jobs.js'

export type MessageState = 'stored' | 'queued' | 'sending' | 'sent' | 'failed' | 'unsure'

export interface MessageKey {
  accountId: string
  id: string
}

export interface NewMessageRow extends MessageKey {
  kind: string
  channel: string
  language: string
  subject: string
  cashBoxId: string | null
  addressSealed: Buffer
  dataSealed: Buffer
  addressMasked: string
  state: 'stored' | 'queued'
  createdAt: Date
}

export interface MessageRow extends MessageKey {
  kind: string
  channel: string
  language: string
  /** Null once it was sent, and when it was erased. */
  addressSealed: Buffer | null
  dataSealed: Buffer | null
  addressMasked: string
  state: MessageState
  attempts: number
  runner: number | null
  fencedAt: Date | null
  createdAt: Date
  /** False: the server that worked on it is gone. */
  alive: boolean
}

const COLUMNS = `account_id as "accountId", id, kind, channel, language,
  address_sealed as "addressSealed", data_sealed as "dataSealed",
  address_masked as "addressMasked", state, attempts, runner, fenced_at as "fencedAt",
  created_at as "createdAt"`

export const messageSecrets = (id: string): string => `message:${id}`
export const messageAddress = (id: string): string => `message-address:${id}`

/** The task of the queue, and how often it is tried: some 22 hours with its growing pauses. */
export const MESSAGE_TASK = 'message'
const ATTEMPTS = 12

type Connection = Pick<pg.PoolClient, 'query'>

/** Writes it, and its job unless it is only stored. */
export async function insertMessage(on: Connection, row: NewMessageRow): Promise<void> {
  await on.query(
    `insert into message (account_id, id, kind, channel, language, subject, cash_box_id,
       address_sealed, data_sealed, address_masked, state, created_at, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
    [
      ...[row.accountId, row.id, row.kind, row.channel, row.language, row.subject],
      ...[row.cashBoxId, row.addressSealed, row.dataSealed, row.addressMasked, row.state],
      row.createdAt,
    ],
  )
  if (row.state === 'queued') await addMessageJob(on, row)
}

async function addMessageJob(on: Connection, { accountId, id }: MessageKey): Promise<void> {
  const payload = { accountId, id }
  await addJob(on, { task: MESSAGE_TASK, payload, key: `message:${id}`, attempts: ATTEMPTS })
}

/** First number of the locks under which messages of one origin are counted. */
const COUNT_CLASS = 72_707_371

/**
 * How many there are about a subject, and of a cash box since a moment. Until the transaction ends
 * nobody else counts for this account.
 */
export async function countMessages(
  on: Connection,
  { accountId, subject, cashBoxId, since }: CountQuery,
): Promise<{ about: number; ofBox: number }> {
  await on.query('select pg_advisory_xact_lock($1, hashtext($2))', [COUNT_CLASS, accountId])
  const { rows } = await on.query<{ about: number; ofBox: number }>(
    `select (select count(*)::int from message where account_id = $1 and subject = $2) as about,
       (select count(*)::int from message where account_id = $1 and cash_box_id = $3
          and created_at > $4) as "ofBox"`,
    [accountId, subject, cashBoxId, since],
  )
  return rows[0] ?? { about: 0, ofBox: 0 }
}

export interface CountQuery {
  accountId: string
  subject: string
  cashBoxId: string
  since: Date
}

/** The message, locked until the transaction ends. */
export async function lockMessage(
  on: Connection,
  { accountId, id }: MessageKey,
): Promise<MessageRow | undefined> {
  const { rows } = await on.query<MessageRow>(
    `select ${COLUMNS}, runner is not null and ${runnerAlive('runner')} as alive from message
     where account_id = $1 and id = $2 for update`,
    [accountId, id],
  )
  return rows[0]
}

/** One try of one server; whatever it writes is compared with these. */
export interface Claim extends MessageKey {
  runner: number
  attempts: number
}

export async function claimMessage(on: Connection, claim: Claim, now: Date): Promise<void> {
  await on.query(
    `update message set state = 'sending', runner = $3, attempts = $4, fenced_at = null,
       changed_at = $5 where account_id = $1 and id = $2`,
    [claim.accountId, claim.id, claim.runner, claim.attempts, now],
  )
}

const OWN = `account_id = $1 and id = $2 and state = 'sending' and runner = $3 and attempts = $4`
const ownKey = ({ accountId, id, runner, attempts }: Claim) => [accountId, id, runner, attempts]

/** False: another server has taken the message over, and this one must let it go. */
export async function fenceMessage(store: Store, claim: Claim, now: Date): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `update message set fenced_at = $5, changed_at = $5 where ${OWN}`,
    [...ownKey(claim), now],
  )
  return rowCount === 1
}

/** What became of a try. */
export interface MessageEnd {
  state: 'queued' | 'failed' | 'unsure'
  error: string
}

export async function endMessage(
  on: Connection,
  claim: Claim,
  { state, error, now }: MessageEnd & { now: Date },
): Promise<boolean> {
  const { rowCount } = await on.query(
    `update message set state = $5, last_error = $6, runner = null, changed_at = $7,
       fenced_at = case when $5 = 'unsure' then fenced_at end where ${OWN}`,
    [...ownKey(claim), state, error, now],
  )
  return rowCount === 1
}

/**
 * It was taken: address and content are not needed any more. True once, also when somebody has
 * given the try up in the meantime.
 */
export async function recordSent(
  on: Connection,
  { accountId, id, attempts }: Claim,
  { providerId, now }: { providerId: string | null; now: Date },
): Promise<boolean> {
  const { rowCount } = await on.query(
    `update message set state = 'sent', provider_id = $4, last_error = null, runner = null,
       address_sealed = null, data_sealed = null, changed_at = $5
     where account_id = $1 and id = $2 and attempts = $3 and state in ('sending', 'unsure')`,
    [accountId, id, attempts, providerId, now],
  )
  return rowCount === 1
}

export interface ShownMessage {
  id: string
  kind: string
  channel: string
  address: string
  state: MessageState
  attempts: number
  error: string | null
  createdAt: Date
  /** Of the last change. */
  changedAt: Date
}

/** Those that are not sent, oldest first. */
export async function listOpenMessages(store: Store, most: number): Promise<ShownMessage[]> {
  const { rows } = await store.pool.query<ShownMessage>(
    `select id, kind, channel, address_masked as address, state, attempts, last_error as error,
       created_at as "createdAt", changed_at as "changedAt" from message
     where state <> 'sent' and state <> 'stored' order by created_at, id limit $1`,
    [most],
  )
  return rows
}

/**
 * Sends one again that failed, that may have arrived, or that waits; `unknown`: there is none,
 * `erased`: it holds nothing any more that could be sent.
 */
export async function requeueMessage(
  on: Connection,
  id: string,
  now: Date,
): Promise<'queued' | 'erased' | 'unknown'> {
  const { rows } = await on.query<MessageKey>(
    `update message set state = 'queued', last_error = null, fenced_at = null, changed_at = $2
     where id = $1 and state in ('failed', 'unsure', 'queued')
       and address_sealed is not null and data_sealed is not null
     returning account_id as "accountId", id`,
    [id, now],
  )
  for (const key of rows) await addMessageJob(on, key)
  if (rows.length > 0) return 'queued'
  const { rowCount } = await on.query(
    `select from message where id = $1 and state in ('failed', 'unsure')`,
    [id],
  )
  return rowCount === 0 ? 'unknown' : 'erased'
}
