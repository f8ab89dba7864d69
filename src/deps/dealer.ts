// What the Dealer API needs, put together from what works behind it. Called by src/deps.ts.
import type { DealerDeps } from '../api/dealer/deps.js'
import { createCallLimit } from '../api/shared/call-limit.js'
import type { FailureLimit } from '../api/shared/failure-limit.js'
import type { Config } from '../config.js'
import { createAccountCredentials } from '../core/account-credentials.js'
import { createOperatorList } from '../core/operators/list.js'
import { createOutlets } from '../core/outlets/outlets.js'
import { factsOf } from '../market/index.js'
import type { Common } from './workers.js'

export function dealerOf(
  config: Config,
  { common, failures }: { common: Common; failures: FailureLimit },
): DealerDeps {
  const { store, now } = common
  const memoryMs = config.CACHE_CREDENTIALS_MS
  return {
    store,
    now,
    factsOf,
    accounts: createAccountCredentials({ store, now, memoryMs, entries: config.CACHE_QUEUES }),
    failures,
    calls: createCallLimit(config.RATE_LIMIT_DEALER),
    operators: createOperatorList({ store, now }),
    outlets: createOutlets({ store, now }),
    environment: config.ENVIRONMENT,
  }
}
