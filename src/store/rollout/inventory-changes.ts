// Changes of what is rolled out, in the transaction of their audit row.
import { ticksOf } from '../../lib/ticks.js'
import type { Transaction } from '../transaction.js'
import { askingIn } from './inventory.js'
import { demandUnserved } from './unit-links.js'

export interface StockKey {
  accountId: string
  id: string
}

const STOCK_LOCK = 727_073_71

/** One change at a time of what an account has rolled out. */
export async function lockStock(tx: Transaction, accountId: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(${STOCK_LOCK}::int4, hashtext(${accountId}))`
}

/**
 * Nothing is signed with these units, and with the queues that have one of them, until the
 * transaction ends. Locks are taken in the order of the sign path: queues by id, then units.
 */
export async function lockSigning(
  tx: Transaction,
  accountId: string,
  { queueId, unitIds }: { queueId: string; unitIds: readonly string[] },
): Promise<void> {
  const ask = askingIn(tx)
  await ask(
    `select q.id from queue q where q.account_id = $1::uuid and (q.id = $2::uuid
       or exists (select from queue_scu u where u.account_id = q.account_id and u.queue_id = q.id
         and u.scu_id::text = any(string_to_array($3, ','))))
     order by q.id for no key update of q`,
    [accountId, queueId, unitIds.join(',')],
  )
  await ask(
    `select s.id from scu s where s.account_id = $1::uuid
       and s.id::text = any(string_to_array($2, ','))
     order by s.id for no key update of s`,
    [accountId, unitIds.join(',')],
  )
}

export type Described = 'queue' | 'scu' | 'cash_box' | 'helper'

const DESCRIBE: Readonly<Record<Described, string>> = {
  queue: 'update queue set description = $3 where account_id = $1::uuid and id = $2::uuid',
  scu: 'update scu set description = $3 where account_id = $1::uuid and id = $2::uuid',
  cash_box: 'update cash_box set description = $3 where account_id = $1::uuid and id = $2::uuid',
  helper: 'update helper set description = $3 where account_id = $1::uuid and id = $2::uuid',
}

/** Not part of what is published: no time stamp and no version moves. */
export async function describe(
  tx: Transaction,
  { accountId, id }: StockKey,
  { what, description }: { what: Described; description: string },
): Promise<void> {
  await tx.$executeRawUnsafe(DESCRIBE[what], accountId, id, description)
}

export async function setQueueDates(
  tx: Transaction,
  { accountId, id }: StockKey,
  dates: { purchaseDate: Date | null; commissioningDate: Date | null },
): Promise<void> {
  await tx.$executeRaw`update queue set purchase_date = ${dates.purchaseDate},
    commissioning_date = ${dates.commissioningDate}
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
}

/** Mode and configuration of a unit; whoever has it in memory reads it again. */
export async function setUnitMode(
  tx: Transaction,
  { accountId, id }: StockKey,
  { mode, configuration, now }: { mode: number; configuration: string; now: Date },
): Promise<void> {
  await tx.$executeRaw`update scu set mode = ${mode}, configuration = ${configuration},
    version = version + 1, time_stamp = ${ticksOf(now.getTime())}
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
  await tx.$executeRaw`update queue q set version = q.version + 1 from queue_scu u
    where u.account_id = ${accountId}::uuid and u.scu_id = ${id}::uuid
      and q.account_id = u.account_id and q.id = u.queue_id`
}

/**
 * The units of a queue, in the order in which they are tried. Throws FIELD_INVALID for one that
 * signs for other servers.
 */
export async function setUnitsOfQueue(
  tx: Transaction,
  { accountId, id }: StockKey,
  unitIds: readonly string[],
): Promise<void> {
  await demandUnserved(askingIn(tx), accountId, unitIds)
  await tx.queueScu.deleteMany({ where: { accountId, queueId: id } })
  await tx.queueScu.createMany({
    data: unitIds.map((scuId, position) => ({ accountId, queueId: id, scuId, position })),
  })
  await tx.$executeRaw`update queue set version = version + 1
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
}

export interface Membership {
  accountId: string
  cashBoxId: string
  scuId: string
}

/** False: it was there. */
export async function holdUnit(tx: Transaction, held: Membership): Promise<boolean> {
  const { count } = await tx.cashBoxScu.createMany({ data: [held], skipDuplicates: true })
  return count === 1
}

/** False: it was not there. */
export async function releaseUnit(tx: Transaction, held: Membership): Promise<boolean> {
  const { count } = await tx.cashBoxScu.deleteMany({ where: held })
  return count === 1
}

/** What it holds is another thing than what was published. */
export async function boxChanged(
  tx: Transaction,
  { accountId, id }: StockKey,
  now: Date,
): Promise<void> {
  const ticks = ticksOf(now.getTime())
  await tx.$executeRaw`update cash_box
    set time_stamp = greatest(time_stamp, coalesce(published_at, 0) + 1, ${ticks})
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
}
