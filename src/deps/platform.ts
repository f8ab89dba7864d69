// What the Platform needs, put together from what works behind it.
import type { DealerDeps } from '../api/dealer/deps.js'
import { dealerOperations } from '../api/dealer/operations.js'
import type { PlatformDeps } from '../api/platform/deps.js'
import { platformOperations } from '../api/platform/operations.js'
import { parcelOf } from '../api/platform/parcel.js'
import type { Operation } from '../api/shared/account/operation.js'
import type { Config } from '../config.js'
import { createApiKeys } from '../core/accounts/api-keys.js'
import { createDrafts } from '../core/accounts/drafts.js'
import { createOutageDesk } from '../core/event/autopilot/desk.js'
import { createBackupDesk } from '../core/event/backup/desk.js'
import { createEvents } from '../core/event/events.js'
import { createFleet } from '../core/event/fleet/fleet.js'
import { createInspectionDesk } from '../core/event/inspection/desk.js'
import { createJobDesk } from '../core/event/job/desk.js'
import { Listeners } from '../core/event/listeners.js'
import { createProblems } from '../core/event/problem/problems.js'
import type { Pump } from '../core/event/pump.js'
import { createReceiptDesk } from '../core/event/receipt/desk.js'
import { createSubmissions } from '../core/event/report/submissions.js'
import { createWebhookDesk } from '../core/event/webhook-desk.js'
import { createWebhookWorker, type WebhookWorker } from '../core/event/webhook-worker.js'
import { createWalletDesk } from '../core/receipts/wallet/issuers.js'
import { toldBy } from '../core/rollout/inventory/registration-desk.js'
import { createUnitDesk } from '../core/rollout/unit-desk.js'
import { actingMarkets, marketOf } from '../market/index.js'
import { archiveOf } from './backups.js'
import { endingOf } from './dealer.js'
import { inspectionsFolder } from './inspections.js'
import type { Common, Workers } from './workers.js'

type Parts = Pick<Workers, 'common' | 'rendering' | 'beside'> &
  Pick<PlatformDeps, 'boxes'> & { pump: Pump }

export function platformOf(
  config: Config,
  dealer: DealerDeps,
  { common, pump, rendering, boxes, beside }: Parts,
): PlatformDeps {
  const { store, now, factsOf, accounts, failures, calls } = dealer
  const { fetch } = common.tools
  const registrations = { store, now, factsOf, marketOf: common.marketOf }
  const deps: PlatformDeps = {
    ...{ store, now, factsOf, accounts, boxes, failures, calls },
    actions: () => [
      { deps: dealer, operations: dealerOperations as readonly Operation[] },
      { deps, operations: platformOperations as readonly Operation[] },
    ],
    events: createEvents({ store, pump }),
    endWaits: () => pump.stop(),
    listeners: new Listeners(config.fixed.listenersMax),
    fleet: createFleet({ store, marketOf: common.marketOf }),
    apiKeys: createApiKeys({ store, now, accounts }),
    drafts: createDrafts({ store, now }),
    jobs: createJobDesk({ store, now }),
    inspections: createInspectionDesk({ store, now, root: inspectionsFolder(config) }),
    backups: createBackupDesk({ store, archive: archiveOf(config, common.tools) }),
    publicUrl: config.PUBLIC_URL,
    problems: createProblems({ store, now }),
    outages: createOutageDesk({ store, now, marketOf, acting: actingMarkets(common.sandbox) }),
    submissions: createSubmissions({ store, now, toldBy: (row) => toldBy(registrations, row) }),
    registrations,
    rendering,
    settings: dealer.settings,
    wallets: createWalletDesk({ store, now, sandbox: common.sandbox }),
    units: createUnitDesk({ store, now, marketOf, tools: common.tools }),
    keepsCalls: common.sandbox,
    receipts: createReceiptDesk({
      ...{ store, now, marketOf: common.marketOf, checksOf: beside.checksOf },
    }),
    webhooks: createWebhookDesk({
      ...{ store, now, fetch, sealer: store.sealer, allow: config.OUTBOUND_ALLOW },
    }),
  }
  return deps
}

export function webhookWorkerOf(
  config: Config,
  { store, now, tools }: Common,
  log: Workers['log'],
): WebhookWorker {
  const { fetch } = tools
  const { random } = Math
  return createWebhookWorker({
    ...endingOf({ store, now }),
    ...{ store, now, fetch, sealer: store.sealer, parcelOf, random, log },
    publicUrl: config.PUBLIC_URL,
  })
}
