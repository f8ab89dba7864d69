// What the portal needs, put together from what works behind it.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DealerDeps } from '../api/dealer/deps.js'
import type { PortalDeps } from '../api/portal/deps.js'
import { createFailureLimit } from '../api/shared/failure-limit.js'
import type { Config } from '../config.js'
import { resetTokenOf, tokenOf } from '../core/accounts/people/access.js'
import { createPasswords } from '../core/accounts/people/passwords.js'
import { createPeople } from '../core/accounts/people/people.js'
import { createSessions } from '../core/accounts/people/sessions.js'
import { createSso, type Sso, type SsoDeps } from '../core/accounts/people/sso.js'
import type { OutboundCall } from '../device/outbound.js'

export function portalOf(config: Config, dealer: DealerDeps, call: OutboundCall): PortalDeps {
  const { store, now, factsOf, accounts, calls, publicUrl, environment } = dealer
  const passwords = createPasswords()
  const known = { store, now, passwords }
  return {
    folder: builtPages(),
    session: {
      ...{ store, now, factsOf, accounts, calls, publicUrl, environment },
      failures: createFailureLimit(config.RATE_LIMITS.credentials),
      sessions: createSessions(known),
      people: createPeople(known),
      codes: { store, now },
      sso: ssoOf(config, { store, now, call }),
      tokenOf: (accountId) => tokenOf(store, accountId),
      resetToken: async (actor) => {
        const token = await resetTokenOf({ store, now }, actor)
        accounts.forget(actor.accountId)
        return token
      },
    },
  }
}

function ssoOf(config: Config, deps: Pick<SsoDeps, 'store' | 'now' | 'call'>): Sso | undefined {
  const provider = config.SSO_ISSUER
  return provider && createSso({ ...deps, ...provider })
}

/** Beside the compiled program, wherever this file runs from. */
function builtPages(): string | undefined {
  const folder = fileURLToPath(new URL('../../dist/portal', import.meta.url))
  return existsSync(`${folder}/index.html`) ? folder : undefined
}
