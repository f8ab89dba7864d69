// API keys as an account makes, changes and ends them.
import { randomBytes } from 'node:crypto'
import { fail } from '../../errors.js'
import { sha256 } from '../../lib/hash.js'
import { randomId } from '../../lib/id.js'
import {
  type ApiKeyId,
  type ApiKeyRow,
  type ApiKeyScope,
  deleteApiKey,
  insertApiKey,
  listApiKeys,
  rotateApiKey,
} from '../../store/account/api-keys.js'
import type { Store } from '../../store/client.js'
import { type Actor, type AuditDeps, audited } from '../audit/audit.js'
import { type AccountCredentials, API_KEY_START } from './account-credentials.js'

/** Most of one account. */
const MOST = 50
const BYTES = 32
const HOUR_MS = 60 * 60 * 1000

export interface NewApiKey {
  name: string
  scopes: ApiKeyScope[]
  expiresAt: Date | null
}

export interface MadeApiKey {
  key: ApiKeyRow
  token: string
}

export interface ApiKeys {
  list(accountId: string): Promise<ApiKeyRow[]>
  /** The token is told this once. Throws API_KEYS_FULL, FIELD_INVALID. */
  create(actor: Actor, wish: NewApiKey): Promise<MadeApiKey>
  /** The former token is good for so many hours as well. Throws API_KEY_UNKNOWN. */
  rotate(actor: Actor, id: string, hours: number): Promise<{ token: string; oldUntil: Date }>
  /** Throws API_KEY_UNKNOWN. */
  remove(actor: Actor, id: string): Promise<void>
}

interface ApiKeyDeps extends AuditDeps {
  store: Store
  accounts: Pick<AccountCredentials, 'forget'>
}

const newToken = (): string => API_KEY_START + randomBytes(BYTES).toString('base64url')

export function createApiKeys(deps: ApiKeyDeps): ApiKeys {
  return {
    list: (accountId) => listApiKeys(deps.store, accountId),
    create: (actor, wish) => create(deps, actor, wish),
    rotate: async (actor, id, hours) => {
      const changed = await rotate(deps, { actor, id, hours })
      deps.accounts.forget(actor.accountId)
      return changed
    },
    remove: async (actor, id) => {
      const key: ApiKeyId = { accountId: actor.accountId, id }
      await audited(deps, actor, async (tx) => {
        const before = await deleteApiKey(tx, key)
        if (before === undefined) throw fail('API_KEY_UNKNOWN', { key: id })
        return { result: undefined, subjects: { apiKeyId: id }, before }
      })
      deps.accounts.forget(actor.accountId)
    },
  }
}

function create(
  deps: ApiKeyDeps,
  actor: Actor,
  { name, expiresAt, ...wish }: NewApiKey,
): Promise<MadeApiKey> {
  const createdAt = deps.now()
  if (expiresAt !== null && expiresAt <= createdAt) {
    throw fail('FIELD_INVALID', { field: 'expiresAt', expected: 'a moment to come' })
  }
  const scopes = [...new Set(wish.scopes)]
  const token = newToken()
  const id = randomId()
  const { accountId } = actor
  const key = {
    accountId,
    id,
    name,
    scopes,
    createdAt,
    expiresAt,
    lastUsedAt: null,
    oldUntil: null,
  }
  return audited(deps, actor, async (tx) => {
    if (!(await insertApiKey(tx, { ...key, tokenHash: sha256(token) }, MOST))) {
      throw fail('API_KEYS_FULL', { most: MOST })
    }
    const after = { name, scopes, expiresAt }
    return { result: { key, token }, subjects: { apiKeyId: id }, after }
  })
}

function rotate(
  deps: ApiKeyDeps,
  { actor, id, hours }: { actor: Actor; id: string; hours: number },
): Promise<{ token: string; oldUntil: Date }> {
  const token = newToken()
  const oldUntil = new Date(deps.now().getTime() + hours * HOUR_MS)
  const key = { accountId: actor.accountId, id }
  return audited(deps, actor, async (tx) => {
    const changed = await rotateApiKey(tx, key, { tokenHash: sha256(token), oldUntil })
    if (!changed) throw fail('API_KEY_UNKNOWN', { key: id })
    return { result: { token, oldUntil }, subjects: { apiKeyId: id }, after: { oldUntil } }
  })
}
