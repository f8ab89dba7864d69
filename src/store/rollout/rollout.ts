// Cash boxes, queues and signing units as rows, each with its line in the directory.
import type pg from 'pg'
import { fail } from '../../errors.js'
import { type Prisma, Prisma as PrismaErrors } from '../../generated/prisma/client.js'
import { plainBytes } from '../bytes.js'
import { type Store, TRANSACTION } from '../client.js'
import { onConnection } from '../transaction.js'

type Row<T> = Omit<T, 'secretsSealed'> & { secretsSealed?: Buffer | null }

export async function insertCashBox(
  { prisma }: Store,
  box: Omit<
    Prisma.CashBoxUncheckedCreateInput,
    'accessTokenHash' | 'accessTokenSealed' | 'privateKeySealed'
  > & { accessTokenHash: Buffer; accessTokenSealed: Buffer; privateKeySealed: Buffer },
): Promise<void> {
  const { accessTokenHash, accessTokenSealed, privateKeySealed, ...rest } = box
  await prisma.$transaction(async (tx) => {
    await tx.cashBox.create({
      data: {
        ...rest,
        accessTokenHash: plainBytes(accessTokenHash),
        accessTokenSealed: plainBytes(accessTokenSealed),
        privateKeySealed: plainBytes(privateKeySealed),
      },
    })
    await tx.directory.create({ data: { id: box.id, kind: 'cashbox', accountId: box.accountId } })
  }, TRANSACTION)
}

export async function insertQueue(
  { prisma }: Store,
  queue: Row<Prisma.QueueUncheckedCreateInput> & { scuIds: string[] },
): Promise<void> {
  const { scuIds, secretsSealed, ...data } = queue
  const { accountId, id } = queue
  try {
    await prisma.$transaction(async (tx) => {
      await tx.queue.create({
        data: { ...data, secretsSealed: secretsSealed ? plainBytes(secretsSealed) : null },
      })
      await tx.queueScu.createMany({
        data: scuIds.map((scuId, position) => ({ accountId, queueId: id, scuId, position })),
      })
      await tx.directory.create({ data: { id, kind: 'queue', accountId } })
    }, TRANSACTION)
  } catch (error) {
    if (isDouble(error))
      throw fail('IDENTIFICATION_TAKEN', { identification: queue.identification })
    throw error
  }
}

export async function insertScu(
  { prisma }: Store,
  scu: Row<Prisma.ScuUncheckedCreateInput> & { cashBoxId: string },
): Promise<void> {
  const { cashBoxId, secretsSealed, ...data } = scu
  const { accountId, id } = scu
  await prisma.$transaction(async (tx) => {
    await tx.scu.create({
      data: { ...data, secretsSealed: secretsSealed ? plainBytes(secretsSealed) : null },
    })
    await tx.cashBoxScu.create({ data: { accountId, cashBoxId, scuId: id } })
    await tx.directory.create({ data: { id, kind: 'scu', accountId } })
  }, TRANSACTION)
}

function isDouble(error: unknown): boolean {
  return error instanceof PrismaErrors.PrismaClientKnownRequestError && error.code === 'P2002'
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
