// What the Dealer API needs from the outside. Put together by src/deps/dealer.ts.
import type { AccountCredentials } from '../../core/account-credentials.js'
import type { OperatorList } from '../../core/operators/list.js'
import type { Outlets } from '../../core/outlets/outlets.js'
import type { StockDeps } from '../../core/stock/stock.js'
import type { MarketFacts } from '../../market/market.js'
import type { Store } from '../../store/client.js'
import type { CallLimit } from '../shared/call-limit.js'
import type { FailureLimit } from '../shared/failure-limit.js'

export interface DealerDeps {
  store: Store
  now(): Date
  /** Undefined: a country without a market of its own. */
  factsOf(market: string): MarketFacts | undefined
  accounts: AccountCredentials
  failures: FailureLimit
  /** Calls per account. */
  calls: CallLimit
  operators: OperatorList
  outlets: Outlets
  stock: StockDeps
  environment: 'sandbox' | 'production'
}
