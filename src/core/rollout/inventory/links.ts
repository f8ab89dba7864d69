// Which signing unit a queue works with, whatever its country.
import type { UnitLink } from '../../../model/queue-facts.js'
import {
  type Ask,
  listStockQueues,
  listUnitsOfQueues,
  type StockQueue,
  type UnitOfQueue,
} from '../../../store/rollout/inventory.js'
import type { StockDeps } from './inventory.js'

export interface LinkedQueue {
  queue: StockQueue
  /** Started and not stopped. */
  active: boolean
  link: UnitLink
  /** Its units in the order in which they are tried. */
  unitIds: string[]
}

/** Every queue of the account. */
export async function linkedQueues(
  ask: Ask,
  deps: Pick<StockDeps, 'marketOf'>,
  accountId: string,
): Promise<LinkedQueue[]> {
  const queues = await listStockQueues(ask, { accountId })
  const units = await listUnitsOfQueues(ask, accountId)
  return queues.map((queue) => linked(deps, queue, units))
}

const NOT_LINKED: UnitLink = { scuId: null, switching: null }

function linked(
  { marketOf }: Pick<StockDeps, 'marketOf'>,
  queue: StockQueue,
  units: readonly UnitOfQueue[],
): LinkedQueue {
  const market = marketOf(queue.market)
  const state = market.queue.state.parse(JSON.parse(queue.state))
  return {
    queue,
    active: queue.startMoment !== null && queue.stopMoment === null,
    link: market.queue.link?.(state) ?? NOT_LINKED,
    unitIds: units.filter(({ queueId }) => queueId === queue.id).map(({ scuId }) => scuId),
  }
}

/** The unit that the queue works with now, or has left without having begun with the next one. */
export function currentUnit({ active, link, unitIds }: LinkedQueue): string | undefined {
  if (!active) return unitIds[0]
  return link.scuId ?? link.switching?.sourceId
}

/** Whether the queue cannot do without the unit. */
export function needs(linked: LinkedQueue, scuId: string): boolean {
  const { active, link, unitIds, queue } = linked
  if (!active) return queue.stopMoment === null && unitIds.includes(scuId)
  // a country without links tries all units of a queue
  if (link.scuId === null && link.switching === null) return unitIds.includes(scuId)
  const { switching } = link
  return [link.scuId, switching?.sourceId, switching?.targetId].includes(scuId)
}
