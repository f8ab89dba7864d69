// Clears up after switches that receipts have finished: the marks go, the new unit is the one in
// use, and the cash boxes have changed since they were published. Called before anything that shows
// or changes signing units and cash boxes.

import type { NewEvent } from '../../../model/event.js'
import { SWITCH_BITS } from '../../../model/scu.js'
import {
  type Ask,
  anyMarked,
  askingIn,
  listStockUnits,
  type StockUnit,
} from '../../../store/rollout/inventory.js'
import {
  boxChanged,
  lockSigning,
  lockStock,
  setUnitMode,
  setUnitsOfQueue,
} from '../../../store/rollout/inventory-changes.js'
import type { Transaction } from '../../../store/transaction.js'
import { announce, audited } from '../../audit/audit.js'
import { plainly, type StockDeps } from './inventory.js'
import { type LinkedQueue, linkedQueues } from './links.js'
import { left, sourceOf, taken, targetOf, unmarked } from './switch-marks.js'

const OPERATION = 'switchFinished'

/** Does nothing where no switch was finished. */
export async function settleSwitches(
  deps: StockDeps,
  { accountId, traceId }: { accountId: string; traceId: string },
): Promise<void> {
  if (!(await anyMarked(plainly(deps), accountId, SWITCH_BITS.source))) return
  if ((await finished(plainly(deps), deps, accountId)).length === 0) return
  const actor = { accountId, onBehalfOf: null, operation: OPERATION, traceId }
  await audited(deps, actor, async (tx) => {
    await lockStock(tx, accountId)
    const over = await finished(askingIn(tx), deps, accountId)
    for (const pair of over) {
      await settle(deps, tx, pair)
      await announce(tx, actor, { event: finishedEvent(pair), moment: deps.now() })
    }
    const after = over.map(({ source, target }) => [source.head.id, target?.head.id ?? null])
    return { result: undefined, subjects: { accountId }, after: { finished: after } }
  })
}

function finishedEvent({ source, target }: Finished): NewEvent {
  const { id } = (target ?? source).head
  return {
    type: 'scu.switch_finished',
    subject: { kind: 'scu', id },
    data: { sourceScuId: source.head.id },
  }
}

interface Finished {
  source: StockUnit
  target: StockUnit | undefined
  queues: LinkedQueue[]
}

async function finished(ask: Ask, deps: StockDeps, accountId: string): Promise<Finished[]> {
  const units = await listStockUnits(ask, deps.store, { accountId })
  const sources = units.filter(({ head }) => targetOf(head) !== undefined)
  if (sources.length === 0) return []
  const queues = await linkedQueues(ask, deps, accountId)
  return sources
    .map((source) => {
      const target = units.find(({ head }) => head.id === targetOf(source.head))
      const own = queues.filter(({ unitIds }) => unitIds.includes(source.head.id))
      return { source, target, queues: own }
    })
    .filter(isOver)
}

/** Nobody is with the source any more, and somebody went to the target. */
function isOver({ source, target, queues }: Finished): boolean {
  const active = queues.filter((queue) => queue.active)
  const still = active.some(
    ({ link }) => link.scuId === source.head.id || link.switching?.sourceId === source.head.id,
  )
  return !still && active.some(({ link }) => link.scuId === target?.head.id)
}

async function settle(
  { now }: StockDeps,
  tx: Transaction,
  { source, target, queues }: Finished,
): Promise<void> {
  const { accountId } = source.head
  const moment = now()
  const pair = [source, ...(target === undefined ? [] : [target])]
  const [first] = queues
  const unitIds = pair.map(({ head }) => head.id)
  if (first !== undefined) await lockSigning(tx, accountId, { queueId: first.queue.id, unitIds })
  const back = target === undefined ? undefined : sourceOf(target.head)
  const marks = [
    left(source.head),
    // it may be the target of another switch by now
    ...(target === undefined ? [] : [back === source.head.id ? taken(target.head) : target.head]),
  ]
  for (const [at, { head }] of pair.entries()) {
    const { mode, configuration } = marks[at] ?? unmarked(head)
    await setUnitMode(tx, head, { mode, configuration, now: moment })
  }
  // the unit in use comes first, in what is published as well
  for (const { queue, link, unitIds: all } of queues) {
    if (target === undefined || link.scuId !== target.head.id) continue
    const ordered = [target.head.id, ...all.filter((id) => id !== target.head.id)]
    await setUnitsOfQueue(tx, { accountId, id: queue.id }, ordered)
  }
  const boxes = new Set(pair.flatMap((unit) => unit.boxes))
  for (const id of [...boxes].toSorted()) await boxChanged(tx, { accountId, id }, moment)
}
