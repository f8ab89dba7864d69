// What the portal needs from the outside. Put together by src/deps/portal.ts.
import type { FastifyInstance } from 'fastify'
import type { People } from '../../core/accounts/people/people.js'
import type { SecondFactorDeps } from '../../core/accounts/people/second-factor.js'
import type { Sessions } from '../../core/accounts/people/sessions.js'
import type { Sso } from '../../core/accounts/people/sso.js'
import type { Actor } from '../../core/audit/audit.js'
import type { AccountDeps } from '../shared/account/deps.js'

export interface SessionApiDeps extends AccountDeps {
  sessions: Sessions
  people: People
  codes: SecondFactorDeps
  /** Undefined: there is no provider of logins. */
  sso: Sso | undefined
  environment: 'sandbox' | 'production'
  publicUrl: string | undefined
  /** The token of an account, for whoever has confirmed who he is. */
  tokenOf(accountId: string): Promise<string | undefined>
  /** A new one; the former stops. */
  resetToken(actor: Actor): Promise<string>
}

export interface PortalDeps {
  session: SessionApiDeps
  /** Folder of the built pages; undefined: they are not there. */
  folder: string | undefined
}

/** A group that the portal offers as well, to whoever is logged in. */
export interface FurtherMount {
  /** Behind the portal's own address. */
  base: string
  register(scope: FastifyInstance, base: string, admitted: AccountDeps['admitted']): void
}
