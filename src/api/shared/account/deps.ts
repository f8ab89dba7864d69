// What every group that is called by accounts needs.
import type { AccountCredentials } from '../../../core/accounts/account-credentials.js'
import type { AuditDeps } from '../../../core/audit/audit.js'
import type { MarketFacts } from '../../../market/facts.js'
import type { CallLimit } from '../call-limit.js'
import type { FailureLimit } from '../failure-limit.js'

export interface AccountDeps extends AuditDeps {
  /** Undefined: a country without a market of its own. */
  factsOf(market: string): MarketFacts | undefined
  accounts: AccountCredentials
  failures: FailureLimit
  /** Calls per account. */
  calls: CallLimit
}
