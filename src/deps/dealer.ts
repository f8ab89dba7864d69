// What the Dealer API needs, put together from what works behind it.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { ActivationDeps } from '../api/activation/index.js'
import type { DealerDeps, Invitations } from '../api/dealer/deps.js'
import { createCallLimit } from '../api/shared/call-limit.js'
import type { FailureLimit } from '../api/shared/failure-limit.js'
import type { Config } from '../config.js'
import { createAccountCredentials } from '../core/accounts/account-credentials.js'
import type { EndDeps } from '../core/accounts/connection-end.js'
import type { Credentials } from '../core/accounts/credentials.js'
import { createInvitationActions } from '../core/accounts/invitation/actions.js'
import { createActivations } from '../core/accounts/invitation/activation.js'
import { createImports, type ImportDeps } from '../core/accounts/invitation/csv/imports.js'
import { type InvitationDeps, languageOf } from '../core/accounts/invitation/deps.js'
import { createDirectInvitations } from '../core/accounts/invitation/direct.js'
import { createInvitationRecords } from '../core/accounts/invitation/records.js'
import { createInvitationSettings } from '../core/accounts/invitation/settings.js'
import { createOperatorList } from '../core/accounts/operators.js'
import { createOutlets } from '../core/accounts/outlets/outlets.js'
import type { Rendering } from '../core/receipts/rendering.js'
import { createTemplates } from '../core/rollout/template/execute.js'
import { createTemplateRecords } from '../core/rollout/template/records.js'
import type { SalesDeps } from '../core/sales/sales.js'
import { factsOf, markets } from '../market/index.js'
import type { Besides } from './beside/beside.js'
import { type Forget, publicationsOf } from './publications.js'
import type { Common } from './workers.js'

interface DealerParts {
  common: Common
  failures: FailureLimit
  credentials: Credentials
  log: Logger
  /** Whoever runs this server named the addresses of remote units. */
  named: boolean
  sales: SalesDeps
  forget: Forget
  rendering: Rendering
  lease: Lease
  beside: Besides
}

/** Accounts whose credentials are believed for a moment. */
const ACCOUNTS_KEPT = 10_000

/** By which others see that this process is alive. */
type Lease = Pick<ImportDeps, 'runner' | 'alive'>

export function dealerOf(
  config: Config,
  {
    common,
    failures,
    credentials,
    log,
    named,
    sales,
    forget,
    rendering,
    lease,
    beside,
  }: DealerParts,
): DealerDeps {
  const { store, now, marketOf } = common
  const memoryMs = config.fixed.credentialsMs
  return {
    store,
    now,
    factsOf,
    accounts: createAccountCredentials({ store, now, memoryMs, entries: ACCOUNTS_KEPT }),
    failures,
    calls: createCallLimit(config.RATE_LIMITS.dealer),
    operators: createOperatorList({ store, now }),
    ending: endingOf({ store, now }),
    outlets: createOutlets({ store, now }),
    settings: { store, now, fetch: common.tools.fetch, drawLogo: rendering.drawLogo },
    invitations: invitationsOf(config, { store, now, log }, { ...lease, beside }),
    publicUrl: config.PUBLIC_URL,
    sales,
    stock: { ...{ store, now, marketOf }, publications: publicationsOf(common, forget) },
    templates: createTemplates({
      ...{ store, now, log, randomBytes, named },
      markets: Object.values(markets),
      sandbox: !config.production,
    }),
    journal: beside.journal,
    templateRecords: createTemplateRecords(store),
    boxes: credentials,
    environment: config.ENVIRONMENT,
  }
}

/** Also for the command line. */
export function endingOf(parts: Pick<EndDeps, 'store' | 'now'>): EndDeps {
  return { ...parts, languageOf: (market) => languageOf({ factsOf }, market) }
}

type Parts = Pick<InvitationDeps, 'store' | 'now' | 'log'>

function invitationDeps(config: Config, parts: Parts): InvitationDeps {
  const file = resolve(config.DATA_DIR, 'agreement.md')
  const agreement = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  return { ...parts, factsOf, agreement }
}

function invitationsOf(
  config: Config,
  parts: Parts,
  { beside, ...lease }: Lease & { beside: Besides },
): Invitations {
  const deps = invitationDeps(config, parts)
  return {
    records: createInvitationRecords(deps),
    actions: createInvitationActions(deps),
    settings: createInvitationSettings(deps),
    imports: createImports({ ...parts, ...lease, perform: beside.performImport }),
    inviteDirectly: createDirectInvitations(deps),
    csvLimit: config.CSV_LIMIT,
  }
}

/** The page that the links of invitations lead to. */
export function activationOf(
  config: Config,
  { failures, ...parts }: Parts & { failures: FailureLimit },
): ActivationDeps {
  const deps = invitationDeps(config, parts)
  return {
    activations: createActivations(deps),
    failures,
    publicUrl: config.PUBLIC_URL,
    languageOf: (market) => languageOf(deps, market),
  }
}
