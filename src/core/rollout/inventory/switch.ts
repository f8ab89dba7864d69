// Another signing unit for a queue: at once while nothing is signed with it, by marks and the
// receipts of the register afterwards.
import { fail } from '../../../errors.js'
import type { Language } from '../../../lib/language.js'
import { sentenceOf } from '../../../notify/message.js'
import { askingIn, listStockUnits, type StockUnit } from '../../../store/rollout/inventory.js'
import {
  boxChanged,
  holdUnit,
  lockSigning,
  lockStock,
  setUnitMode,
  setUnitsOfQueue,
} from '../../../store/rollout/inventory-changes.js'
import { servedAmong } from '../../../store/rollout/unit-links.js'
import type { Transaction } from '../../../store/transaction.js'
import { type Actor, audited } from '../../audit/audit.js'
import { settleSwitches } from './finish-switches.js'
import { boxOf, queueOf, type StockDeps, unitOf } from './inventory.js'
import { linkedQueues } from './links.js'
import { asSource, asTarget, type Marked, unmarked } from './switch-marks.js'
import { planOf, type Scenario, type Situation, type SwitchPlan } from './switch-plan.js'
import { tseOf } from './tse.js'

export interface SwitchWish {
  accountId: string
  queueId: string
  targetScuId: string
  addToCashBox: boolean
  rebuild: boolean
  triggerCloudRestart: boolean
}

export interface SwitchResult {
  /** What the dealer and the register do next. */
  message: string
  scenario: Scenario
  queueId: string
  cashBoxId: string
  targetScuId: string
  sourceScuId: string | null
  addedToCashBox: boolean
  rebuilt: boolean
  cloudRestartTriggered: boolean
}

const CLOUD = 1

/** Throws QUEUE_UNKNOWN, SCU_UNKNOWN and SCU_SWITCH_IMPOSSIBLE. */
export async function switchUnit(
  deps: StockDeps,
  { actor, language }: { actor: Actor; language: Language },
  wish: SwitchWish,
): Promise<SwitchResult> {
  const { accountId } = wish
  await settleSwitches(deps, { accountId, traceId: actor.traceId })
  const result = await audited(deps, actor, async (tx) => {
    await lockStock(tx, accountId)
    const done = await carryOut(deps, tx, { wish, language })
    const { queueId, targetScuId: scuId, cashBoxId } = done
    const { scenario, sourceScuId, targetScuId, addedToCashBox, rebuilt } = done
    return {
      result: done,
      subjects: { queueId, scuId, cashBoxId },
      before: { scuId: sourceScuId },
      after: { scenario, scuId: targetScuId, addedToCashBox, rebuilt },
      event: {
        type: 'scu.switch_initiated',
        subject: { kind: 'scu', id: targetScuId },
        cashBoxId,
        data: { queueId, sourceScuId },
      },
    }
  })
  const { cashBoxId } = result
  if (result.cloudRestartTriggered) await deps.publications.restart({ accountId, cashBoxId })
  return result
}

interface Carrying {
  wish: SwitchWish
  language: Language
}

async function carryOut(
  deps: StockDeps,
  tx: Transaction,
  { wish, language }: Carrying,
): Promise<SwitchResult> {
  const { accountId, queueId, targetScuId } = wish
  const ask = askingIn(tx)
  const queue = await queueOf(ask, { accountId, id: queueId })
  const { cashBoxId } = queue
  if (cashBoxId === null) throw impossible(language, 'queueWithoutBox')
  const situation = await situationOf(deps, tx, wish)
  const plan = planOf(situation)
  if (typeof plan === 'string') throw impossible(language, plan)
  const changed = await apply(deps, tx, { situation, plan })
  const box = { accountId, cashBoxId }
  const addedToCashBox = wish.addToCashBox && (await holdUnit(tx, { ...box, scuId: targetScuId }))
  if (changed || addedToCashBox) await boxChanged(tx, { accountId, id: cashBoxId }, deps.now())
  if (wish.rebuild) await deps.publications.publish(tx, box)
  const { productType } = await boxOf(ask, { accountId, id: cashBoxId })
  return {
    message: messageOf(plan, language),
    ...{ scenario: plan.scenario, queueId, cashBoxId, targetScuId, sourceScuId: plan.sourceId },
    ...{ addedToCashBox, rebuilt: wish.rebuild },
    cloudRestartTriggered: wish.triggerCloudRestart && productType === CLOUD,
  }
}

const impossible = (language: Language, key: Parameters<typeof sentenceOf>[0]) =>
  fail('SCU_SWITCH_IMPOSSIBLE', { reason: sentenceOf(key, language) })

/** Everything is read behind the locks: no receipt moves the queue meanwhile. */
async function situationOf(
  deps: StockDeps,
  tx: Transaction,
  { accountId, queueId, targetScuId }: SwitchWish,
): Promise<Situation> {
  const ask = askingIn(tx)
  await unitOf(ask, deps, { accountId, id: targetScuId })
  const own = (await linkedQueues(ask, deps, accountId)).find(({ queue }) => queue.id === queueId)
  const unitIds = [...new Set([...(own?.unitIds ?? []), targetScuId])].toSorted()
  await lockSigning(tx, accountId, { queueId, unitIds })
  const queues = await linkedQueues(ask, deps, accountId)
  const units = await listStockUnits(ask, deps.store, { accountId })
  const queue = queues.find((one) => one.queue.id === queueId)
  const target = units.find(({ head }) => head.id === targetScuId)
  if (queue === undefined) throw fail('QUEUE_UNKNOWN', { queue: queueId })
  if (target === undefined) throw fail('SCU_UNKNOWN', { scu: targetScuId })
  const served = (await servedAmong(ask, accountId, [targetScuId])).length > 0
  return { queue, target, units, queues, tse: await tseOf(deps, target), served }
}

/** False: everything was as wanted. */
async function apply(
  deps: StockDeps,
  tx: Transaction,
  { situation, plan }: { situation: Situation; plan: SwitchPlan },
): Promise<boolean> {
  const { queue, target, units } = situation
  const { scenario, sourceId, replaced } = plan
  const key = { accountId: target.head.accountId, id: queue.queue.id }
  const find = (id: string | null) => units.find(({ head }) => head.id === id)
  const mark = (unit: StockUnit | undefined, marks: (head: StockUnit['head']) => Marked) =>
    unit === undefined
      ? Promise.resolve()
      : setUnitMode(tx, unit.head, { ...marks(unit.head), now: deps.now() })
  if (replaced !== null) await mark(find(replaced), unmarked)
  if (scenario === 'DirectAssignment') {
    await mark(target, unmarked)
    await setUnitsOfQueue(tx, key, [target.head.id])
    return true
  }
  if (scenario === 'TwoStepSwitch') {
    await mark(find(sourceId), (head) => asSource(head, target.head.id))
    await mark(target, (head) => asTarget(head, sourceId ?? ''))
    const kept = queue.unitIds.filter((id) => id !== replaced && id !== target.head.id)
    await setUnitsOfQueue(tx, key, [...kept, target.head.id])
    return true
  }
  if (scenario !== 'AlreadyAssigned' || replaced === null) return false
  await mark(find(sourceId), unmarked)
  await setUnitsOfQueue(
    tx,
    key,
    queue.unitIds.filter((id) => id !== replaced),
  )
  return true
}

function messageOf({ scenario, replaced }: SwitchPlan, language: Language): string {
  const given = replaced === null ? '' : ` ${sentenceOf('switchReplaced', language)}`
  return sentenceOf(`switch${scenario}`, language) + given
}
