// Everything that an account may see of all of its merchants: who they are, CashBoxes, Queues,
// signing units and outages.
import {
  type BoxQuestion,
  type FleetBox,
  listFleetBoxes,
} from '../../../store/event/fleet/boxes.js'
import {
  type FleetOperator,
  listFleetOperators,
  type OperatorQuestion,
} from '../../../store/event/fleet/operators.js'
import { type FleetQuestion, type FleetRow, listFleet } from '../../../store/event/fleet/queues.js'
import type { Found, SearchQuestion } from '../../../store/event/fleet/search.js'
import {
  type FleetUnit,
  listFleetUnits,
  type UnitQuestion,
} from '../../../store/event/fleet/units.js'
import { listOutages, type OutageQuestion, type OutageRow } from '../../../store/event/outages.js'
import { type FactsDeps, readNewUnits } from './facts.js'
import { search } from './search.js'

export interface Fleet {
  operators(asked: OperatorQuestion): Promise<FleetOperator[]>
  cashBoxes(asked: BoxQuestion): Promise<FleetBox[]>
  queues(asked: FleetQuestion): Promise<FleetRow[]>
  units(asked: UnitQuestion): Promise<FleetUnit[]>
  /** The surest first. */
  search(asked: SearchQuestion): Promise<Found[]>
  outages(asked: OutageQuestion): Promise<OutageRow[]>
}

export function createFleet(deps: FactsDeps): Fleet {
  const { store } = deps
  // what was made a moment ago is shown as well
  const withNew =
    <A extends { accountId: string }, T>(list: (asked: A) => Promise<T>) =>
    async (asked: A): Promise<T> => {
      await readNewUnits(deps, asked.accountId)
      return list(asked)
    }
  return {
    operators: (asked) => listFleetOperators(store, asked),
    cashBoxes: withNew((asked: BoxQuestion) => listFleetBoxes(store, asked)),
    queues: (asked) => listFleet(store, asked),
    units: withNew((asked: UnitQuestion) => listFleetUnits(store, asked)),
    search: async (asked) => {
      await readNewUnits(deps, asked.accountId)
      return search(store, asked)
    },
    outages: (asked) => listOutages(store, asked),
  }
}
