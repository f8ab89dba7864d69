// What becomes of a queue whose dealer wants another signing unit for it. Pure: told from what is
// stored, carried out by switch.ts.
import type { StockUnit } from '../../../store/rollout/inventory.js'
import { currentUnit, type LinkedQueue } from './links.js'
import { targetOf } from './switch-marks.js'
import { TERMINATED, type TseView } from './tse.js'

export const SCENARIOS = [
  'AlreadyAssigned',
  'DirectAssignment',
  'TwoStepSwitch',
  'TwoStepSwitchPending',
] as const
export type Scenario = (typeof SCENARIOS)[number]

export type Obstacle =
  | 'switchBegun'
  | 'switchOther'
  | 'unitMarket'
  | 'unitHidden'
  | 'unitOutlet'
  | 'unitTerminated'
  | 'unitExpired'
  | 'unitServed'

export interface SwitchPlan {
  scenario: Scenario
  sourceId: string | null
  /** The target of a prepared switch that is given up. */
  replaced: string | null
}

export interface Situation {
  queue: LinkedQueue
  target: StockUnit
  tse: TseView
  /** Units of the account. */
  units: readonly StockUnit[]
  queues: readonly LinkedQueue[]
  /** The target signs for other servers. */
  served: boolean
}

/** Undefined members of a plan never are: an obstacle says why there is none. */
export function planOf(situation: Situation): SwitchPlan | Obstacle {
  const { queue, target, units } = situation
  const sourceId = currentUnit(queue) ?? null
  const source = units.find(({ head }) => head.id === sourceId)
  const pending = (source && queue.active ? targetOf(source.head) : undefined) ?? null
  const { switching } = queue.link
  const begun = queue.active && switching !== null
  const targetId = target.head.id
  if (begun) {
    if (switching.targetId !== targetId) return 'switchBegun'
    return { scenario: 'TwoStepSwitchPending', sourceId, replaced: null }
  }
  // the only unit of a queue that is not active, or the one it works with
  const alone = queue.active || queue.unitIds.length === 1
  if (sourceId === targetId && alone) {
    return { scenario: 'AlreadyAssigned', sourceId, replaced: pending }
  }
  const obstacle = obstacleOf(situation)
  if (obstacle !== undefined) return obstacle
  if (!queue.active || sourceId === null) {
    return { scenario: 'DirectAssignment', sourceId, replaced: null }
  }
  if (pending === targetId) return { scenario: 'TwoStepSwitchPending', sourceId, replaced: null }
  if (isTaken(situation, sourceId)) return 'switchOther'
  return { scenario: 'TwoStepSwitch', sourceId, replaced: pending }
}

function obstacleOf({ queue, target, tse, served }: Situation): Obstacle | undefined {
  if (target.head.market !== queue.queue.market) return 'unitMarket'
  if (target.hidden) return 'unitHidden'
  if (target.outletNumber !== queue.queue.outletNumber) return 'unitOutlet'
  if (tse.tseState === TERMINATED) return 'unitTerminated'
  if (tse.isCertificateExpired) return 'unitExpired'
  if (served) return 'unitServed'
  return undefined
}

/** A unit comes after one other unit; a source of a switch is no target at the same time. */
function isTaken({ target, units, queues }: Situation, sourceId: string): boolean {
  const live = units.filter(({ head }) =>
    queues.some(({ active, link }) => active && link.scuId === head.id),
  )
  const others = live.filter(({ head }) => head.id !== sourceId)
  return (
    others.some(({ head }) => [target.head.id, sourceId].includes(targetOf(head) ?? '')) ||
    live.some(({ head }) => head.id === target.head.id && targetOf(head) !== undefined)
  )
}
