// Who calls groups A and F: account id and access token or API key, looked up with a short memory.
import { sameBytes, sha256 } from '../../lib/hash.js'
import { isUuid } from '../../lib/id.js'
import { type AccountAccessRow, findAccountAccess } from '../../store/account/accounts.js'
import { type ApiKeyUse, useApiKey } from '../../store/account/api-keys.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { memory } from '../memory.js'
import type { CredentialsDeps } from './credentials.js'

export interface AccountIdentity extends Omit<AccountAccessRow, 'tokenHash'> {
  /** With which API key; undefined: with the access token of the account, or in the portal. */
  key?: Pick<ApiKeyUse, 'id' | 'scopes'> | undefined
  /** A register of the account calls, and sees nothing but itself. */
  till?: CashBoxAccess | undefined
}

export interface AccountCredentials {
  /** The account when id and token belong together, else undefined. Same work in both cases. */
  check(accountId: string, token: string): Promise<AccountIdentity | undefined>
  /** The account without a token, for what everybody of its market may see. */
  ofAccount(accountId: string): Promise<AccountIdentity | undefined>
  /** What is remembered of an account is asked anew: its token, keys or roles have changed. */
  forget(accountId: string): void
}

/** Tells a key from the access token of an account, which never begins so. */
export const API_KEY_START = 'fwk_'

const NOBODY = sha256('no account has this token')
/** Between account and token, in what keys are remembered by. */
const BETWEEN = '/'

export function createAccountCredentials(deps: CredentialsDeps): AccountCredentials {
  const { store, now } = deps
  const accounts = memory(deps, (id) => findAccountAccess(store, id))
  const keys = memory(deps, (of) => {
    const [accountId = '', hash = ''] = of.split(BETWEEN)
    return useApiKey(store, { accountId, hash: Buffer.from(hash, 'hex') }, now())
  })
  const find = (id: string) => accounts.find(id.toLowerCase())
  const byKey = async (id: string, hash: Buffer): Promise<AccountIdentity | undefined> => {
    const isGood = (key: ApiKeyUse | undefined) => key?.until == null || key.until > now()
    const of = id + BETWEEN + hash.toString('hex')
    const [account, key] = [await find(id), await keys.fitting(of, isGood)]
    return account === undefined || key === undefined ? undefined : { ...account, key }
  }
  return {
    check: async (accountId, token) => {
      if (!isUuid(accountId)) return undefined
      const hash = sha256(token)
      const id = accountId.toLowerCase()
      if (token.startsWith(API_KEY_START)) return byKey(id, hash)
      const fits = (account: AccountAccessRow | undefined) =>
        sameBytes(hash, account?.tokenHash ?? NOBODY)
      return accounts.fitting(id, fits)
    },
    ofAccount: async (accountId) => (isUuid(accountId) ? find(accountId) : undefined),
    forget: (accountId) => {
      accounts.forget(accountId.toLowerCase())
      keys.forget()
    },
  }
}
