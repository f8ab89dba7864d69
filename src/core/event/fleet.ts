// All Queues and outages that an account may see.
import type { Store } from '../../store/client.js'
import { type FleetQuestion, type FleetRow, listFleet } from '../../store/event/fleet.js'
import { listOutages, type OutageQuestion, type OutageRow } from '../../store/event/outages.js'

export interface Fleet {
  queues(asked: FleetQuestion): Promise<FleetRow[]>
  outages(asked: OutageQuestion): Promise<OutageRow[]>
}

export const createFleet = (store: Store): Fleet => ({
  queues: (asked) => listFleet(store, asked),
  outages: (asked) => listOutages(store, asked),
})
