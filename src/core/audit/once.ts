// A call that may be repeated without being done twice: its key, its answer and what it does commit
// together, so that of two calls at the same time, in whatever servers, one works and the other one
// waits for its answer.
import { fail } from '../../errors.js'
import { randomId } from '../../lib/id.js'
import { writeJson } from '../../lib/json-write.js'
import type { Store } from '../../store/client.js'
import {
  claimCall,
  findCall,
  idempotentAnswer,
  keepAnswer,
} from '../../store/operation/idempotent-calls.js'
import type { Transaction } from '../../store/transaction.js'

/** How long an answer is kept. */
export const KEPT_MS = 24 * 60 * 60 * 1000

export interface Once {
  /** First of the transaction. Throws AnsweredBefore when another call was faster. */
  claim(tx: Transaction): Promise<void>
  /** Last of the transaction. */
  keep(tx: Transaction, result: unknown): Promise<void>
}

/** Another call with this key has done it. */
export class AnsweredBefore extends Error {
  override name = 'AnsweredBefore'
}

export interface OnceCall {
  accountId: string
  key: string
  requestHash: Buffer
  /** What the caller is answered, from the result of the work. */
  answerOf(result: unknown): unknown
}

interface OnceDeps {
  store: Store
  now(): Date
}

/** The answer as it was sent. Throws IDEMPOTENCY_KEY_USED when something else was asked then. */
export async function answeredBefore(
  { store, now }: OnceDeps,
  { accountId, key, requestHash }: OnceCall,
): Promise<string | undefined> {
  const since = new Date(now().getTime() - KEPT_MS)
  const found = await findCall(store, { accountId, key, since })
  if (found === undefined) return undefined
  if (!requestHash.equals(found.requestHash)) throw fail('IDEMPOTENCY_KEY_USED', { key })
  return store.sealer.open(found.answerSealed, idempotentAnswer(found.id))
}

export function createOnce({ store, now }: OnceDeps, call: OnceCall): Once {
  const { accountId, key, requestHash, answerOf } = call
  let id = ''
  return {
    claim: async (tx) => {
      id = randomId()
      const since = new Date(now().getTime() - KEPT_MS)
      const made = await claimCall(tx, { accountId, key, id, requestHash, now: now(), since })
      if (!made) throw new AnsweredBefore('another call with this key has done it')
    },
    keep: async (tx, result) => {
      const answerSealed = store.sealer.seal(writeJson(answerOf(result)), idempotentAnswer(id))
      await keepAnswer(tx, { accountId, key, answerSealed })
    },
  }
}
