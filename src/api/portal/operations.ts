// The portal's own table: what is done with sessions and people.

import type { Operation } from './operation.js'
import { meOperations } from './operations/me.js'
import { passkeyOperations } from './operations/passkeys.js'
import { peopleOperations } from './operations/people.js'
import { sessionOperations } from './operations/session.js'
import { ssoOperations } from './operations/sso.js'

export const sessionTable: readonly Operation[] = [
  ...sessionOperations,
  ...meOperations,
  ...passkeyOperations,
  ...ssoOperations,
  ...peopleOperations,
]
