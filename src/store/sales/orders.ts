// Orders and their subscriptions as rows, and the job that works on an order.
import { Prisma } from '../../generated/prisma/client.js'
import { JOB_SCHEMA } from '../../postgres/job-schema.js'
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export const ORDER_TASK = 'order'
/** Tries within about a day; then the portal's button, or `jobs retry`. */
const ATTEMPTS = 12

export interface Consumed {
  lotId: string
  terms: number
}

export interface NewOrder {
  accountId: string
  id: string
  number: string
  planNumber: string
  operatorId: string
  state: number
  productionState: number
  consumed: readonly Consumed[]
  now: Date
}

export interface NewSubscription {
  id: string
  outletNumber: number
  /** `outlet:3`, or the id of a queue. */
  target: string
  product: string
  templateId: string | null
  queueId: string | null
}

/** The running part of an order number; numbers of calls that failed are left out. */
export async function nextOrderNumber({ pool }: Store): Promise<bigint> {
  const { rows } = await pool.query<{ next: bigint }>(
    `select nextval('sales_order_number') as next`,
  )
  return rows[0]?.next ?? 0n
}

/** With its job. Throws what `isDoubled` knows when a product is on its target already. */
export async function insertOrder(
  tx: Transaction,
  order: NewOrder,
  lines: readonly NewSubscription[],
): Promise<void> {
  const { consumed, now, ...data } = order
  await tx.salesOrder.create({
    data: { ...data, consumed: JSON.stringify(consumed), createdAt: now, changedAt: now },
  })
  const { accountId, id: orderId, operatorId } = order
  await tx.subscription.createMany({
    data: lines.map((line, position) => ({ ...line, accountId, orderId, operatorId, position })),
  })
  await tx.$executeRawUnsafe(
    `select ${JOB_SCHEMA}.add_job($1, $2::json, max_attempts => ${ATTEMPTS}, job_key => $3)`,
    ORDER_TASK,
    JSON.stringify({ accountId, id: orderId }),
    `order:${orderId}`,
  )
}

/** Which of these targets have the product already; no other call gives it to them meanwhile. */
export async function subscribed(
  tx: Transaction,
  { operatorId, targets }: { operatorId: string; targets: readonly string[] },
): Promise<{ target: string; product: string }[]> {
  return tx.subscription.findMany({
    where: { operatorId, live: true, target: { in: [...targets] } },
    select: { target: true, product: true },
  })
}

export function isDoubled(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

export interface OrderLine extends NewSubscription {
  operatorId: string
  cashBoxId: string | null
  scuId: string | null
}

export interface OrderRow {
  accountId: string
  id: string
  number: string
  state: number
  productionState: number
  operatorId: string
  consumed: Consumed[]
  lines: OrderLine[]
}

type Key = { accountId: string; id: string } | { accountId: string; number: string }

export async function findOrder(prisma: Transaction, key: Key): Promise<OrderRow | undefined> {
  const found = await prisma.salesOrder.findFirst({ where: key })
  if (found === null) return undefined
  const { accountId, id: orderId } = found
  const lines = await prisma.subscription.findMany({
    where: { accountId, orderId },
    orderBy: { position: 'asc' },
  })
  return { ...found, consumed: JSON.parse(found.consumed) as Consumed[], lines }
}

/** Nobody else works on the order until the transaction ends. */
export async function lockOrder(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  await tx.$queryRaw`select 1 from sales_order
    where account_id = ${accountId}::uuid and id = ${id}::uuid for update`
}

export interface OrderMove {
  state?: number
  productionState?: number
  error?: string | null
}

export async function moveOrder(
  prisma: Transaction,
  { accountId, id }: { accountId: string; id: string },
  { move, now }: { move: OrderMove; now: Date },
): Promise<void> {
  await prisma.salesOrder.update({
    where: { accountId_id: { accountId, id } },
    data: { ...move, changedAt: now },
  })
}

/** Only while the order is submitted: whatever else became of it counts. False: it is not. */
export async function noteFailure(
  prisma: Transaction,
  { accountId, id }: { accountId: string; id: string },
  { move, now }: { move: OrderMove; now: Date },
): Promise<boolean> {
  const where = { accountId, id, state: SUBMITTED }
  const data = { ...move, changedAt: now }
  return (await prisma.salesOrder.updateMany({ where, data })).count > 0
}

const SUBMITTED = 1

export async function fillLine(
  prisma: Transaction,
  { accountId, id }: { accountId: string; id: string },
  made: { cashBoxId: string | null; queueId: string | null; scuId: string | null },
): Promise<void> {
  await prisma.subscription.update({ where: { accountId_id: { accountId, id } }, data: made })
}

/** Its products may be rolled out on the same targets again. */
export async function endLines(
  tx: Transaction,
  { accountId, id: orderId }: { accountId: string; id: string },
): Promise<void> {
  await tx.subscription.updateMany({ where: { accountId, orderId }, data: { live: false } })
}

/** Sealed tokens of cash boxes by their id. */
export async function sealedTokens(
  { prisma }: Store,
  { operatorId, ids }: { operatorId: string; ids: readonly string[] },
): Promise<Map<string, Uint8Array>> {
  const rows = await prisma.cashBox.findMany({
    where: { accountId: operatorId, id: { in: [...ids] } },
    select: { id: true, accessTokenSealed: true },
  })
  return new Map(rows.map((row) => [row.id, row.accessTokenSealed]))
}

/** The text of a stored template, whoever owns it: the plan decides who may use it. */
export async function findTemplateText({ prisma }: Store, id: string): Promise<string | undefined> {
  const found = await prisma.template.findFirst({ where: { id }, select: { content: true } })
  return found?.content
}
