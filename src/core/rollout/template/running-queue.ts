// A queue of a local middleware that is in operation when its configuration names another signing
// unit: the one it works with stays, the other one is prepared, and the register changes over with
// its receipts. The server that publishes does not know what was signed here.
import { rowsMember, textMember } from '../../../lib/json-object.js'
import { askingIn, listStockUnits, type StockUnit } from '../../../store/rollout/inventory.js'
import {
  lockSigning,
  setUnitMode,
  setUnitsOfQueue,
} from '../../../store/rollout/inventory-changes.js'
import type { Transaction } from '../../../store/transaction.js'
import { currentUnit, linkedQueues } from '../inventory/links.js'
import {
  asSource,
  asTarget,
  type Marked,
  sourceOf,
  targetOf,
  unmarked,
} from '../inventory/switch-marks.js'
import { momentOf, type WriteDeps } from './execution-context.js'
import type { PlannedQueue } from './queues.js'

interface Running {
  accountId: string
  queue: PlannedQueue
}

/**
 * Does nothing for a queue that is not in operation, or whose register has begun to change over.
 */
export async function prepareUnits(
  deps: WriteDeps,
  tx: Transaction,
  { accountId, queue }: Running,
): Promise<void> {
  const ask = askingIn(tx)
  const marketOf = () => queue.market
  const linked = (await linkedQueues(ask, { marketOf }, accountId)).find(
    (one) => one.queue.id === queue.id,
  )
  if (linked?.active !== true || linked.link.switching !== null) return
  const current = currentUnit(linked)
  if (current === undefined) return
  const next = nextOf(queue, current)
  const unitIds = [...new Set([current, ...(next === undefined ? [] : [next])])]
  await lockSigning(tx, accountId, {
    queueId: queue.id,
    unitIds: [...new Set([...unitIds, ...linked.unitIds])].toSorted(),
  })
  const units = await listStockUnits(ask, deps.store, { accountId })
  const own = units.filter(({ head }) => [...unitIds, ...linked.unitIds].includes(head.id))
  for (const unit of own) await mark(deps, tx, { unit, current, next, queue })
  await setUnitsOfQueue(tx, { accountId, id: queue.id }, unitIds)
  if (next === undefined) return
  const about = { queueId: queue.id, scuId: current, targetScuId: next }
  deps.log.warn(
    about,
    'another signing unit is prepared; the register changes over by its receipts',
  )
}

/** The unit that is wanted; undefined: the one that is in use, or the change is over. */
function nextOf(queue: PlannedQueue, current: string): string | undefined {
  const wanted = queue.unitIds[0]
  const planned = rowsMember(queue.settings, queue.rules.unitTable.name).flatMap((row) => {
    const source = textMember(row, queue.rules.unitTable.id)?.toLowerCase()
    const target = /"TargetScuId":"([^"]+)"/i.exec(textMember(row, 'ModeConfigurationJson') ?? '')
    return source === undefined || target?.[1] === undefined
      ? []
      : [{ source, target: target[1].toLowerCase() }]
  })
  const own = planned.find(({ source, target }) => source === current || target === current)
  if (own !== undefined) return own.source === current ? own.target : undefined
  return wanted === current ? undefined : wanted
}

interface Marking {
  unit: StockUnit
  current: string
  next: string | undefined
  queue: PlannedQueue
}

async function mark(
  deps: WriteDeps,
  tx: Transaction,
  { unit: { head }, current, next, queue }: Marking,
): Promise<void> {
  const marks = marksOf(head, current, next)
  if (marks === undefined) return
  const { mode, configuration } = marks
  if (mode === head.mode && configuration === head.configuration) return
  const { createdAt: now } = momentOf(deps, queue.index)
  await setUnitMode(tx, head, { mode, configuration, now })
}

function marksOf(
  head: StockUnit['head'],
  current: string,
  next: string | undefined,
): Marked | undefined {
  if (next !== undefined && head.id === current) return asSource(head, next)
  if (next !== undefined && head.id === next) return asTarget(head, current)
  return targetOf(head) === undefined && sourceOf(head) === undefined ? undefined : unmarked(head)
}
