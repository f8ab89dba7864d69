// Executes a rollout plan: uses up entitlements and places an order, all or nothing. The order
// itself is worked on by process.ts.
import { randomInt } from 'node:crypto'
import { fail } from '../../errors.js'
import { randomId } from '../../lib/id.js'
import {
  insertOrder,
  isDoubled,
  type NewSubscription,
  nextOrderNumber,
  subscribed,
} from '../../store/sales/orders.js'
import { listPlans, type PlanRow } from '../../store/sales/plans.js'
import type { Transaction } from '../../store/transaction.js'
import { type Actor, audited } from '../audit/audit.js'
import { useUp } from './entitlements.js'
import { isAllowed } from './plans.js'
import { ORDER, type SalesDeps, STEP } from './sales.js'

export interface Target {
  /** `outlet:3`, or the id of a queue. */
  key: string
  outletNumber: number
  queueId: string | null
}

export interface Production {
  accountId: string
  market: string
  operatorId: string
  plan: PlanRow
  /** Every target once. */
  targets: readonly Target[]
}

export interface PlanWish {
  accountId: string
  market: string
  number: string
}

/** Throws PLAN_UNKNOWN, also for plans that the caller must not know of, and PLAN_FORBIDDEN. */
export async function planToExecute(
  { store }: Pick<SalesDeps, 'store'>,
  { accountId, market, number }: PlanWish,
): Promise<PlanRow> {
  const wanted = number.trim().toLowerCase()
  const plans = await listPlans(store, market)
  const plan = plans.find((one) => one.number.toLowerCase() === wanted)
  const isForeign = plan !== undefined && plan.ownerId !== null && plan.ownerId !== accountId
  if (plan === undefined || (isForeign && !plan.allowed.includes(accountId))) {
    throw fail('PLAN_UNKNOWN', { plan: number })
  }
  if (!isAllowed(plan, accountId)) throw fail('PLAN_FORBIDDEN', { plan: number })
  return plan
}

/** The number of the order. Throws ENTITLEMENTS_INSUFFICIENT and ALREADY_SUBSCRIBED. */
export async function produce(
  deps: SalesDeps,
  actor: Actor,
  production: Production,
): Promise<string> {
  const number = orderNumber(await nextOrderNumber(deps.store))
  const { plan, targets, operatorId, accountId, market } = production
  try {
    return await audited(deps, actor, async (tx) => {
      const now = deps.now()
      const terms = termsOf(plan, targets.length)
      const consumed = await useUp(tx, { accountId, market, terms }, now)
      await refuseDoubles(tx, production)
      const order = {
        ...{ accountId, id: randomId(), number, planNumber: plan.number, operatorId },
      }
      const state = { state: ORDER.submitted, productionState: STEP.submit }
      await insertOrder(tx, { ...order, ...state, consumed, now }, linesOf(plan, targets))
      return {
        result: number,
        subjects: { orderId: order.id, orderNumber: number },
        after: { plan: plan.number, targets: targets.map(({ key }) => key), consumed },
      }
    })
  } catch (error) {
    // another call has given it to the same target at the same time
    if (isDoubled(error)) throw fail('ALREADY_SUBSCRIBED', { target: plan.number })
    throw error
  }
}

/** A queue costs one term, an outlet one of every product that needs one. */
function termsOf({ rolloutType, products }: PlanRow, targets: number): Map<string, number> {
  const terms = new Map<string, number>()
  for (const { entitlement } of products) {
    if (entitlement === null) continue
    const known = rolloutType === 'Queue' ? 0 : (terms.get(entitlement) ?? 0)
    terms.set(entitlement, known + targets)
  }
  return terms
}

async function refuseDoubles(
  tx: Transaction,
  { operatorId, targets, plan }: Production,
): Promise<void> {
  const present = await subscribed(tx, { operatorId, targets: targets.map(({ key }) => key) })
  const double = present.find((one) => plan.products.some(({ number }) => number === one.product))
  if (double === undefined) return
  throw fail('ALREADY_SUBSCRIBED', { target: `${double.product}, ${double.target}` })
}

function linesOf(plan: PlanRow, targets: readonly Target[]): NewSubscription[] {
  return targets.flatMap(({ key, outletNumber, queueId }) =>
    plan.products.map(({ number, cashBoxTemplateId }) => ({
      ...{ id: randomId(), outletNumber, target: key, product: number, queueId },
      templateId: cashBoxTemplateId,
    })),
  )
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** `ORD-00042-K7Q2M9`: six characters, letters and digits in turn. */
function orderNumber(running: bigint): string {
  const pairs = [0, 1, 2].map(() => `${LETTERS[randomInt(LETTERS.length)]}${randomInt(10)}`)
  return `ORD-${String(running).padStart(5, '0')}-${pairs.join('')}`
}
