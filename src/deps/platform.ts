// What the Platform needs, put together from what works behind it.
import type { DealerDeps } from '../api/dealer/deps.js'
import type { PlatformDeps } from '../api/platform/deps.js'
import type { Config } from '../config.js'
import { createEvents } from '../core/event/events.js'
import { Listeners } from '../core/event/listeners.js'
import type { Pump } from '../core/event/pump.js'

export function platformOf(config: Config, dealer: DealerDeps, pump: Pump): PlatformDeps {
  const { store, now, factsOf, accounts, failures, calls } = dealer
  return {
    ...{ store, now, factsOf, accounts, failures, calls },
    events: createEvents({ store, pump }),
    endWaits: () => pump.stop(),
    listeners: new Listeners(config.fixed.listenersMax),
  }
}
