// The token of an account, for people who have confirmed who they are.
import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../lib/hash.js'
import { findAccount, replaceToken } from '../../../store/account/accounts.js'
import type { Store } from '../../../store/client.js'
import { type Actor, type AuditDeps, audited } from '../../audit/audit.js'
import { accountSecrets, TOKEN_BYTES } from '../accounts.js'

export async function tokenOf(store: Store, accountId: string): Promise<string | undefined> {
  const sealed = (await findAccount(store, accountId))?.accessTokenSealed
  return sealed == null ? undefined : store.sealer.open(sealed, accountSecrets(accountId))
}

/** The former one stops at once. */
export async function resetTokenOf(deps: AuditDeps, actor: Actor): Promise<string> {
  const { accountId: id } = actor
  const accessToken = randomBytes(TOKEN_BYTES).toString('base64')
  await audited(deps, actor, async (tx) => {
    await replaceToken(
      { prisma: tx },
      {
        id,
        accessTokenHash: sha256(accessToken),
        accessTokenSealed: deps.store.sealer.seal(accessToken, accountSecrets(id)),
      },
    )
    return { result: undefined, subjects: { accountId: id } }
  })
  return accessToken
}
