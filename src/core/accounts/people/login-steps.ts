// The first half of a login that has two: a random value in a cookie of the browser that began it,
// and in the database what the second half has to fit. Works once.
import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../lib/hash.js'
import { networkOf } from '../../../lib/network.js'
import {
  insertLoginStep,
  type LoginStepKind,
  takeLoginStep,
} from '../../../store/account/login-steps.js'
import type { Store } from '../../../store/client.js'

export interface BegunStep<T> {
  kind: LoginStepKind
  /** Of whoever is logged in; null: nobody is. */
  sessionId: string | null
  address: string
  document: T
}

const TOKEN_BYTES = 32

/** What the cookie holds. */
export async function beginStep<T>(
  store: Store,
  { kind, sessionId, address, document }: BegunStep<T>,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await insertLoginStep(store, {
    ...{ hash: sha256(token), kind, sessionId, network: networkOf(address) },
    document: JSON.stringify(document),
  })
  return token
}

/** Undefined: it was begun by another browser or session, is over, or too old. */
export async function takeStep(
  store: Store,
  { token, kind }: { token: string | undefined; kind: LoginStepKind },
): Promise<{ sessionId: string | null; document: unknown } | undefined> {
  if (token === undefined) return undefined
  const found = await takeLoginStep(store, sha256(token), kind)
  if (found === undefined) return undefined
  return { ...found, document: JSON.parse(found.document) as unknown }
}
