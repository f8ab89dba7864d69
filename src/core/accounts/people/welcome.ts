// The first person of an account: whoever has accepted an invitation in its name.

import { randomId } from '../../../lib/id.js'
import type { Language } from '../../../lib/language.js'
import { findPerson, lockEmployees, putEmployee, putPerson } from '../../../store/account/people.js'
import type { Transaction } from '../../../store/transaction.js'
import { type LinkDeps, sendLink } from './people.js'

export interface FirstPerson {
  accountId: string
  company: string
  email: string
  name: string
  language: Language
  /** Where the portal is reached; undefined: no letter, a link is to be had by "forgotten". */
  base: string | undefined
}

/**
 * Becomes administrator of an account that nobody logs in for yet; others are added by those who
 * do. The link for the password, which goes out by mail as well; undefined: none is needed.
 */
export async function welcome(
  deps: LinkDeps,
  tx: Transaction,
  { accountId, company, name, language, base, ...first }: FirstPerson,
): Promise<string | undefined> {
  if ((await lockEmployees(tx, accountId)).length > 0) return undefined
  const email = first.email.trim().toLowerCase()
  const createdAt = deps.now()
  const personId = await putPerson(tx, { id: randomId(), email, name, language, createdAt })
  await putEmployee(tx, { accountId, personId, role: 'Administrator', createdAt })
  const known = await findPerson({ prisma: tx }, personId)
  if (base === undefined || known?.passwordHash != null) return undefined
  return sendLink(deps, tx, {
    ...{ personId, email, name, purpose: 'welcome', language, base, accountId, company },
  })
}
