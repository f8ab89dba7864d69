// Signing units by themselves: what dealers see of them, and their place in cash boxes.
import { fail } from '../../../errors.js'
import {
  askingIn,
  listStockUnits,
  type StockPage,
  type StockUnit,
} from '../../../store/rollout/inventory.js'
import {
  boxChanged,
  holdUnit,
  lockSigning,
  lockStock,
  releaseUnit,
  setUnitsOfQueue,
} from '../../../store/rollout/inventory-changes.js'
import { type Actor, audited } from '../../audit/audit.js'
import { kept } from '../../kept.js'
import { settleSwitches } from './finish-switches.js'
import { boxOf, plainly, type StockDeps, unitOf, type Wanted } from './inventory.js'
import { currentUnit, type LinkedQueue, linkedQueues, needs } from './links.js'
import { targetOf } from './switch-marks.js'
import { TERMINATED, type TseView, tseOf } from './tse.js'

export interface UnitView extends TseView {
  id: string
  description: string
  outletNumber: number
  packageName: string
  packageVersion: string
  isHidden: boolean
}

export interface UnitsWanted {
  accountId: string
  outletNumber?: number | undefined
  page: StockPage
}

/**
 * Of countries whose units are modules of their own; with an outlet those that work there. Oldest
 * first; `at` and the id are the place of each in the list.
 */
export async function listUnits(
  deps: StockDeps,
  { accountId, outletNumber, page }: UnitsWanted,
): Promise<{ at: string; view: UnitView }[]> {
  const fits = ({ view }: { view: UnitView }) =>
    outletNumber === undefined ||
    (view.outletNumber === outletNumber && !view.isHidden && view.tseState !== TERMINATED)
  return kept(page, {
    read: async (part) => {
      const all = await listStockUnits(plainly(deps), deps.store, { accountId, page: part })
      return all.map((unit) => ({ unit, key: [unit.at, unit.head.id] }))
    },
    keep: async (units) => {
      const modules = units.map(({ unit }) => unit).filter(isModule(deps))
      const views = modules.map(async (unit) => ({ at: unit.at, view: await viewOf(deps, unit) }))
      return (await Promise.all(views)).filter(fits)
    },
  })
}

/** Throws SCU_UNKNOWN. */
export async function getUnit(deps: StockDeps, wanted: Wanted): Promise<UnitView> {
  const unit = await unitOf(plainly(deps), deps, wanted)
  if (!isModule(deps)(unit)) throw fail('SCU_UNKNOWN', { scu: wanted.id })
  return viewOf(deps, unit)
}

const isModule =
  ({ marketOf }: StockDeps) =>
  ({ head }: StockUnit): boolean =>
    marketOf(head.market).facts.capabilities.tse

async function viewOf(deps: StockDeps, unit: StockUnit): Promise<UnitView> {
  const { head, description, outletNumber, packageName, packageVersion, hidden } = unit
  return {
    ...{ id: head.id, description, outletNumber, packageName, packageVersion, isHidden: hidden },
    ...(await tseOf(deps, unit)),
  }
}

export interface Placing {
  accountId: string
  cashBoxId: string
  scuId: string
  rebuild: boolean
}

/** Nothing happens where it is there. Throws CASH_BOX_UNKNOWN, SCU_UNKNOWN, SCU_OUTLET_OTHER. */
export async function addUnit(deps: StockDeps, actor: Actor, placing: Placing): Promise<void> {
  const { accountId, cashBoxId, scuId, rebuild } = placing
  await audited(deps, actor, async (tx) => {
    await lockStock(tx, accountId)
    const ask = askingIn(tx)
    const box = await boxOf(ask, { accountId, id: cashBoxId })
    const unit = await unitOf(ask, deps, { accountId, id: scuId })
    if (unit.outletNumber !== box.outletNumber) {
      throw fail('SCU_OUTLET_OTHER', { scu: scuId, outlet: unit.outletNumber })
    }
    const added = await holdUnit(tx, { accountId, cashBoxId, scuId })
    if (!added && !rebuild) return { result: undefined, unchanged: true }
    if (added) await boxChanged(tx, { accountId, id: cashBoxId }, deps.now())
    if (rebuild) await deps.publications.publish(tx, { accountId, cashBoxId })
    const before = unit.boxes
    const after = [...new Set([...before, cashBoxId])].toSorted()
    return told({ cashBoxId, scuId }, before, after)
  })
}

/** Nothing happens where it is not there. Throws CASH_BOX_UNKNOWN, SCU_UNKNOWN, SCU_IN_USE. */
export async function removeUnit(deps: StockDeps, actor: Actor, placing: Placing): Promise<void> {
  const { accountId, cashBoxId, scuId, rebuild } = placing
  await settleSwitches(deps, { accountId, traceId: actor.traceId })
  await audited(deps, actor, async (tx) => {
    await lockStock(tx, accountId)
    const ask = askingIn(tx)
    await boxOf(ask, { accountId, id: cashBoxId })
    const { boxes: before } = await unitOf(ask, deps, { accountId, id: scuId })
    if (!before.includes(cashBoxId)) return { result: undefined, unchanged: true }
    await lockSigning(tx, accountId, { queueId: scuId, unitIds: [scuId] })
    const units = await listStockUnits(ask, deps.store, { accountId })
    const queues = (await linkedQueues(ask, deps, accountId)).filter(
      ({ queue }) => queue.cashBoxId === cashBoxId,
    )
    const user = queues.find((queue) => needs(queue, scuId) || isNext(queue, units, scuId))
    if (user !== undefined) throw fail('SCU_IN_USE', { scu: scuId, queue: user.queue.id })
    await releaseUnit(tx, { accountId, cashBoxId, scuId })
    for (const { queue, unitIds } of queues.filter((one) => one.unitIds.includes(scuId))) {
      const rest = unitIds.filter((id) => id !== scuId)
      await setUnitsOfQueue(tx, { accountId, id: queue.id }, rest)
    }
    await boxChanged(tx, { accountId, id: cashBoxId }, deps.now())
    if (rebuild) await deps.publications.publish(tx, { accountId, cashBoxId })
    const after = before.filter((id) => id !== cashBoxId)
    return told({ cashBoxId, scuId }, before, after)
  })
}

/** The target of a switch that is prepared and not begun. */
function isNext(queue: LinkedQueue, units: readonly StockUnit[], scuId: string): boolean {
  const current = units.find(({ head }) => head.id === currentUnit(queue))
  return queue.active && current !== undefined && targetOf(current.head) === scuId
}

function told(subjects: Record<string, string>, before: string[], after: string[]) {
  return {
    result: undefined,
    subjects,
    before: { cashBoxes: before },
    after: { cashBoxes: after },
  }
}
