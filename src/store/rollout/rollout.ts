// What a person needs of the queues of an account, and work that no two processes do at a time.
import type pg from 'pg'
import { Prisma } from '../../generated/prisma/client.js'
import type { Store } from '../client.js'
import { onConnection } from '../transaction.js'

/** True for an identification that another queue of the account has. */
export function isDouble(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

/** New parameters of a queue; its processes read it anew. False: there is no such queue. */
export async function replaceConfiguration(
  { pool }: Store,
  queue: { accountId: string; id: string; configuration: string },
): Promise<boolean> {
  const done = await pool.query(
    `update queue set configuration = $3, version = version + 1
     where account_id = $1 and id = $2`,
    [queue.accountId, queue.id, queue.configuration],
  )
  return done.rowCount === 1
}

export interface QueueOverview {
  id: string
  cashBoxId: string
  market: string
  started: boolean
  /** Sealed access token of the cash box. */
  accessTokenSealed: Uint8Array
  scuIds: string[]
}

/** The queues of an account with what a person needs to use them, oldest first. */
export async function listQueues({ prisma }: Store, accountId: string): Promise<QueueOverview[]> {
  const where = { accountId }
  const queues = await prisma.queue.findMany({
    where,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  const boxes = await prisma.cashBox.findMany({ where })
  const links = await prisma.queueScu.findMany({ where, orderBy: { position: 'asc' } })
  return queues.flatMap((queue) => {
    const box = boxes.find((one) => one.id === queue.cashBoxId)
    if (box === undefined) return []
    return {
      id: queue.id,
      cashBoxId: box.id,
      market: queue.market,
      started: queue.startMoment !== null,
      accessTokenSealed: box.accessTokenSealed,
      scuIds: links.filter((link) => link.queueId === queue.id).map((link) => link.scuId),
    }
  })
}

/** Runs work while no other process runs work under the same number. */
export async function exclusively<T>(
  store: Store,
  lock: number,
  work: () => Promise<T>,
): Promise<T> {
  // a session lock ends with its connection
  const run = async (client: pg.PoolClient): Promise<T> => {
    await client.query('select pg_advisory_lock($1)', [lock])
    return work()
  }
  return onConnection(store, run, 'close')
}
