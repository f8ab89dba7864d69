// What the Platform needs, put together from what works behind it.
import type { DealerDeps } from '../api/dealer/deps.js'
import type { PlatformDeps } from '../api/platform/deps.js'
import { parcelOf } from '../api/platform/parcel.js'
import type { Config } from '../config.js'
import { createOutageDesk } from '../core/event/autopilot/desk.js'
import { createEvents } from '../core/event/events.js'
import { createFleet } from '../core/event/fleet/fleet.js'
import { createInspectionDesk } from '../core/event/inspection/desk.js'
import { createJobDesk } from '../core/event/job/desk.js'
import { Listeners } from '../core/event/listeners.js'
import { createProblems } from '../core/event/problem/problems.js'
import type { Pump } from '../core/event/pump.js'
import { createSubmissions } from '../core/event/report/submissions.js'
import { createWebhookDesk } from '../core/event/webhook-desk.js'
import { createWebhookWorker, type WebhookWorker } from '../core/event/webhook-worker.js'
import { toldBy } from '../core/rollout/inventory/registration-desk.js'
import { actingMarkets, marketOf } from '../market/index.js'
import { inspectionsFolder } from './inspections.js'
import type { Common, Workers } from './workers.js'

export function platformOf(
  config: Config,
  dealer: DealerDeps,
  { common, pump, rendering }: Pick<Workers, 'common' | 'rendering'> & { pump: Pump },
): PlatformDeps {
  const { store, now, factsOf, accounts, failures, calls } = dealer
  const { fetch } = common.tools
  const registrations = { store, now, factsOf, marketOf: common.marketOf }
  return {
    ...{ store, now, factsOf, accounts, failures, calls },
    events: createEvents({ store, pump }),
    endWaits: () => pump.stop(),
    listeners: new Listeners(config.fixed.listenersMax),
    fleet: createFleet({ store, marketOf: common.marketOf }),
    jobs: createJobDesk({ store, now }),
    inspections: createInspectionDesk({ store, now, root: inspectionsFolder(config) }),
    publicUrl: config.PUBLIC_URL,
    problems: createProblems({ store, now }),
    outages: createOutageDesk({ store, now, marketOf, acting: actingMarkets(common.sandbox) }),
    submissions: createSubmissions({ store, now, toldBy: (row) => toldBy(registrations, row) }),
    registrations,
    drawSheet: rendering.drawSheet,
    webhooks: createWebhookDesk({
      ...{ store, now, fetch, sealer: store.sealer, allow: config.OUTBOUND_ALLOW },
    }),
  }
}

export function webhookWorkerOf({ store, now, tools }: Common, log: Workers['log']): WebhookWorker {
  const { fetch } = tools
  const { random } = Math
  return createWebhookWorker({
    ...{ store, now, fetch, sealer: store.sealer, parcelOf, random, log },
  })
}
