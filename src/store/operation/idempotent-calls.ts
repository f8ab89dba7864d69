// Calls of accounts that carry an Idempotency-Key: what was asked, and the answer that every
// repetition gets.

import { plainBytes } from '../bytes.js'
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export interface CallKey {
  accountId: string
  key: string
}

export interface KnownCall {
  id: string
  requestHash: Buffer
  answerSealed: Buffer
}

/** Answers older than `since` are none. */
export async function findCall(
  { pool }: Store,
  { accountId, key, since }: CallKey & { since: Date },
): Promise<KnownCall | undefined> {
  const { rows } = await pool.query<KnownCall>({
    name: 'idempotent-call',
    text: `select id, request_hash as "requestHash", answer_sealed as "answerSealed"
      from idempotent_call
      where account_id = $1 and key = $2 and created_at >= $3 and answer_sealed is not null`,
    values: [accountId, key, since],
  })
  return rows[0]
}

/** False: another call has this key. While that one is at work this waits for its end. */
export async function claimCall(
  tx: Transaction,
  call: CallKey & { id: string; requestHash: Buffer; now: Date; since: Date },
): Promise<boolean> {
  const { accountId, key, id, requestHash, now, since } = call
  await tx.$executeRaw`delete from idempotent_call
    where account_id = ${accountId}::uuid and created_at < ${since}`
  const made = await tx.$executeRaw`insert into idempotent_call
    (account_id, key, id, request_hash, created_at)
    values (${accountId}::uuid, ${key}, ${id}::uuid, ${plainBytes(requestHash)}, ${now})
    on conflict do nothing`
  return made === 1
}

export async function keepAnswer(
  tx: Transaction,
  { accountId, key, answerSealed }: CallKey & { answerSealed: Buffer },
): Promise<void> {
  await tx.$executeRaw`update idempotent_call set answer_sealed = ${plainBytes(answerSealed)}
    where account_id = ${accountId}::uuid and key = ${key}`
}

/** Sealing context of an answer. */
export const idempotentAnswer = (id: string): string => `idempotent-call:${id}`
