// What the Dealer API needs, put together from what works behind it. Called by src/deps.ts.
import type { DealerDeps } from '../api/dealer/deps.js'
import { createCallLimit } from '../api/shared/call-limit.js'
import type { FailureLimit } from '../api/shared/failure-limit.js'
import type { Config } from '../config.js'
import { createAccountCredentials } from '../core/account-credentials.js'
import { createOperatorList } from '../core/operators/list.js'
import { createOutlets } from '../core/outlets/outlets.js'
import { createPublications } from '../core/stock/plain-publications.js'
import { factsOf } from '../market/index.js'
import type { Common, Workers } from './workers.js'

export function dealerOf(
  config: Config,
  parts: { common: Common; signing: Workers['signing']; failures: FailureLimit },
): DealerDeps {
  const { common, failures, signing } = parts
  const { store, now, marketOf } = common
  const refresh = (queueId: string) => signing.refresh(queueId)
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
    stock: {
      ...{ store, now, marketOf },
      publications: createPublications({ store, now, refresh }),
    },
    environment: config.ENVIRONMENT,
  }
}
