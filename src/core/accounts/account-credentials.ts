// Who calls the Dealer API: account id and access token, looked up with a short memory.
import { sameBytes, sha256 } from '../../lib/hash.js'
import { isUuid } from '../../lib/id.js'
import { type AccountAccessRow, findAccountAccess } from '../../store/account/accounts.js'
import { memory } from '../memory.js'
import type { CredentialsDeps } from './credentials.js'

export type AccountIdentity = Omit<AccountAccessRow, 'tokenHash'>

export interface AccountCredentials {
  /** The account when id and token belong together, else undefined. Same work in both cases. */
  check(accountId: string, token: string): Promise<AccountIdentity | undefined>
  /** The account without a token, for what everybody of its market may see. */
  ofAccount(accountId: string): Promise<AccountIdentity | undefined>
  /** What is remembered of an account is asked anew: its token or its roles have changed. */
  forget(accountId: string): void
}

const NOBODY = sha256('no account has this token')

export function createAccountCredentials(deps: CredentialsDeps): AccountCredentials {
  const accounts = memory(deps, (id) => findAccountAccess(deps.store, id))
  const find = (id: string) => accounts.find(id.toLowerCase())
  return {
    check: async (accountId, token) => {
      const hash = sha256(token)
      const fits = (account: AccountAccessRow | undefined) =>
        sameBytes(hash, account?.tokenHash ?? NOBODY)
      return isUuid(accountId) ? accounts.fitting(accountId.toLowerCase(), fits) : undefined
    },
    ofAccount: async (accountId) => (isUuid(accountId) ? find(accountId) : undefined),
    forget: (accountId) => accounts.forget(accountId.toLowerCase()),
  }
}
