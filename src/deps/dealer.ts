// What the Dealer API needs, put together from what works behind it. Called by src/deps.ts.
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { DealerDeps } from '../api/dealer/deps.js'
import { createCallLimit } from '../api/shared/call-limit.js'
import type { FailureLimit } from '../api/shared/failure-limit.js'
import type { Config } from '../config.js'
import { createAccountCredentials } from '../core/account-credentials.js'
import type { Credentials } from '../core/credentials.js'
import { createOperatorList } from '../core/operators/list.js'
import { createOutlets } from '../core/outlets/outlets.js'
import type { SalesDeps } from '../core/sales/sales.js'
import { createTemplates } from '../core/template/execute.js'
import { createTemplateRecords } from '../core/template/records.js'
import { factsOf, markets } from '../market/index.js'
import { publicationsOf } from './publications.js'
import type { Common, Workers } from './workers.js'

interface DealerParts {
  common: Common
  signing: Workers['signing']
  failures: FailureLimit
  credentials: Credentials
  log: Logger
  sales: SalesDeps
}

export function dealerOf(
  config: Config,
  { common, signing, failures, credentials, log, sales }: DealerParts,
): DealerDeps {
  const { store, now, marketOf } = common
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
    sales,
    stock: { ...{ store, now, marketOf }, publications: publicationsOf(common, signing) },
    templates: createTemplates({
      ...{ store, now, log, randomBytes, named: false },
      markets: Object.values(markets),
      sandbox: !config.production,
    }),
    templateRecords: createTemplateRecords(store),
    boxes: credentials,
    environment: config.ENVIRONMENT,
  }
}
