// What every group that is called by accounts needs.
import type { FastifyRequest } from 'fastify'
import type {
  AccountCredentials,
  AccountIdentity,
} from '../../../core/accounts/account-credentials.js'
import type { Credentials } from '../../../core/accounts/credentials.js'
import type { AuditDeps } from '../../../core/audit/audit.js'
import type { MarketFacts } from '../../../market/facts.js'
import type { CallLimit } from '../call-limit.js'
import type { FailureLimit } from '../failure-limit.js'

export interface Admitted {
  account: AccountIdentity | undefined
  authenticated: boolean
  /** Who of the account it is, where that is known. */
  personId?: string | undefined
}

export interface AccountDeps extends AuditDeps {
  /** Undefined: a country without a market of its own. */
  factsOf(market: string): MarketFacts | undefined
  accounts: AccountCredentials
  /** Left out: registers call nothing of the group. */
  boxes?: Pick<Credentials, 'check'> | undefined
  failures: FailureLimit
  /** Calls per account. */
  calls: CallLimit
  /** Who calls, where account id and token are not what shows it. */
  admitted?:
    | ((
        request: FastifyRequest,
        operation?: { credentials?: boolean; method?: string },
      ) => Promise<Admitted>)
    | undefined
}
