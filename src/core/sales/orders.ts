// Orders: what they show, the work on them, and giving one up.
import { fail } from '../../errors.js'
import type { EventType, NewEvent } from '../../model/event.js'
import { findOperator, grants } from '../../store/account/connections.js'
import { TRANSACTION } from '../../store/client.js'
import { cashBoxToken } from '../../store/master-key.js'
import {
  endLines,
  fillLine,
  findOrder,
  lockOrder,
  moveOrder,
  noteFailure,
  type OrderRow,
  sealedTokens,
} from '../../store/sales/orders.js'
import { type Actor, type AuditDeps, announce, audited } from '../audit/audit.js'
import { giveBack } from './entitlements.js'
import { FAILED, ORDER, type SalesDeps, STEP } from './sales.js'

/**
 * By its number, of the dealer who placed it. Tokens of cash boxes are told as long as he may write
 * there. Throws ORDER_UNKNOWN.
 */
export async function getOrder(
  { store }: Pick<SalesDeps, 'store'>,
  { accountId, number }: { accountId: string; number: string },
) {
  const order = await findOrder(store.prisma, { accountId, number: number.trim().toUpperCase() })
  if (order === undefined) throw fail('ORDER_UNKNOWN', { order: number })
  const ids = order.lines.flatMap(({ cashBoxId }) => (cashBoxId === null ? [] : [cashBoxId]))
  const { operatorId } = order
  const access = await findOperator(store, { accountId, operatorId })
  const mayWrite = access !== undefined && grants(access.right, 'ReadWrite')
  const sealed = await sealedTokens(store, { operatorId, ids: mayWrite ? ids : [] })
  const tokenOf = (id: string | null): string | null => {
    const found = id === null ? undefined : sealed.get(id)
    if (id === null || found === undefined) return null
    return store.sealer.open(Buffer.from(found), cashBoxToken(id))
  }
  return {
    salesorderId: order.id,
    salesOrderNumber: order.number,
    salesOrderState: order.state,
    productionState: order.productionState,
    subscriptions: order.lines.map((line) => ({
      salesOrderDetailId: line.id,
      operatorId: line.operatorId,
      outletnumber: line.outletNumber,
      relatedCashboxID: line.cashBoxId,
      relatedCashboxAccessToken: tokenOf(line.cashBoxId),
      relatedQueueID: line.queueId,
      relatedSCUID: line.scuId,
    })),
  }
}

export interface OrderKey {
  accountId: string
  id: string
}

/**
 * Brings an order to its end; run again it goes on where it was. Throws when a template fails: the
 * order then shows so, stays submitted and keeps what it has used up.
 */
export async function processOrder(deps: SalesDeps, key: OrderKey): Promise<void> {
  const { store } = deps
  const order = await findOrder(store.prisma, key)
  if (order === undefined || order.state !== ORDER.submitted) return
  const actor = { accountId: key.accountId, operation: 'order', traceId: '' }
  for (const { id } of order.lines) {
    try {
      await executeLine(deps, { ...actor, onBehalfOf: order.operatorId }, { order, lineId: id })
    } catch (error) {
      // another worker was faster, or the order was canceled meanwhile
      if (error instanceof AlreadyDone) continue
      const text = error instanceof Error ? error.message : String(error)
      const move = { productionState: STEP.submit + FAILED, error: text }
      await store.prisma.$transaction(async (tx) => {
        const isNoted = await noteFailure(tx, key, { move, now: deps.now() })
        if (!isNoted || order.productionState === move.productionState) return
        const owner = { accountId: key.accountId, onBehalfOf: null }
        const event = eventOf('order.failed', order)
        await announce(tx, owner, { event, moment: deps.now() })
      }, TRANSACTION)
      throw error
    }
  }
  await audited(deps, { ...actor, onBehalfOf: order.operatorId }, async (tx) => {
    await lockOrder(tx, key)
    const still = await findOrder(tx, key)
    const open = still?.lines.some(({ templateId, cashBoxId }) => templateId && !cashBoxId)
    const moves = still?.state === ORDER.submitted && open === false
    const move = { state: ORDER.fulfilled, productionState: STEP.done, error: null }
    if (moves) await moveOrder(tx, key, { move, now: deps.now() })
    const before = { state: still?.state }
    const after = { state: moves ? ORDER.fulfilled : still?.state }
    const change = { result: undefined, subjects: { orderId: key.id }, before, after }
    return moves ? { ...change, event: eventOf('order.done', order) } : change
  })
}

function eventOf(type: EventType, { id, operatorId }: OrderRow): NewEvent {
  return { type, subject: { kind: 'order', id }, data: { operatorId } }
}

class AlreadyDone extends Error {
  override name = 'AlreadyDone'
}

/** The cash box of a line and the note that it is made commit together: never a second one. */
async function executeLine(
  deps: SalesDeps,
  actor: Actor,
  { order, lineId }: { order: OrderRow; lineId: string },
): Promise<void> {
  const { accountId, id } = order
  const known = order.lines.find((line) => line.id === lineId)
  if (known === undefined || known.templateId === null || known.cashBoxId !== null) return
  const { operatorId, outletNumber, templateId } = known
  const wish = { operatorId, outletNumber, templateId, dealerId: accountId }
  await deps.executeTemplate(actor, wish, async (tx, made) => {
    await lockOrder(tx, order)
    const now = await findOrder(tx, { accountId, id })
    const line = now?.lines.find((one) => one.id === lineId)
    if (now?.state !== ORDER.submitted || line?.cashBoxId !== null) {
      throw new AlreadyDone()
    }
    const queueId = line.queueId ?? made.queueId
    await fillLine(tx, { accountId, id: lineId }, { ...made, queueId })
  })
}

/** Gives everything back. Throws ORDER_UNKNOWN, and ORDER_TOO_LATE once something was made. */
export async function cancelOrder(deps: AuditDeps, actor: Actor, number: string): Promise<void> {
  const { accountId } = actor
  await audited(deps, actor, async (tx) => {
    const found = await findOrder(tx, { accountId, number })
    if (found === undefined) throw fail('ORDER_UNKNOWN', { order: number })
    await lockOrder(tx, found)
    const order = (await findOrder(tx, { accountId, number })) ?? found
    const made = order.lines.some(({ templateId, cashBoxId }) => templateId && cashBoxId)
    if (order.state > ORDER.submitted || made) throw fail('ORDER_TOO_LATE', { order: number })
    await giveBack(tx, order)
    await endLines(tx, order)
    await moveOrder(tx, order, { move: { state: ORDER.canceled }, now: deps.now() })
    return {
      result: undefined,
      subjects: { orderId: order.id },
      before: { state: order.state },
      after: { state: ORDER.canceled, givenBack: order.consumed },
    }
  })
}
