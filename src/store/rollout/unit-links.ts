// A unit that signs for other servers is no queue's: its log has one writer, and those servers
// would have no unit any more. Docs/decisions/0037-served-devices.md.
import { fail } from '../../errors.js'
import type { Transaction } from '../transaction.js'
import { type Ask, askingIn } from './inventory.js'

/**
 * Before units are linked to a queue, in the same transaction: a served call that is under way
 * finds the unit moved, or is seen here. Returns those that have signed for other servers.
 */
export async function servedAmong(
  ask: Ask,
  accountId: string,
  unitIds: readonly string[],
): Promise<string[]> {
  const ids = [...unitIds].toSorted()
  if (ids.length === 0) return []
  // in one order, and behind whoever commits an answer of it right now
  await ask(
    `select 1 as found from scu where account_id = $1::uuid and id = any($2::uuid[])
      order by id for no key update`,
    [accountId, ids],
  )
  await ask(
    `update scu s set version = version + 1 where account_id = $1::uuid and id = any($2::uuid[])
      and not exists (select from queue_scu u
        where u.account_id = s.account_id and u.scu_id = s.id) returning 1 as found`,
    [accountId, ids],
  )
  const rows = await ask<{ id: string }>(
    `select s.id from scu s where s.account_id = $1::uuid and s.id = any($2::uuid[])
      and not exists (select from queue_scu u
        where u.account_id = s.account_id and u.scu_id = s.id)
      and exists (select from served_log l
        where l.account_id = s.account_id and l.scu_id = s.id) order by s.id`,
    [accountId, ids],
  )
  return rows.map(({ id }) => id)
}

/** Throws FIELD_INVALID for the first of them that has signed for other servers. */
export async function demandUnserved(
  ask: Ask,
  accountId: string,
  unitIds: readonly string[],
): Promise<void> {
  const [served] = await servedAmong(ask, accountId, unitIds)
  if (served === undefined) return
  const expected = `a signing unit of this server alone; ${served} signs for other servers`
  throw fail('FIELD_INVALID', { field: 'ftSignaturCreationUnits', expected })
}

/**
 * The units of a queue in the order in which they are tried. Throws FIELD_INVALID for one that
 * signs for other servers.
 */
export async function putQueueUnits(
  tx: Transaction,
  { accountId, queueId, scuIds }: { accountId: string; queueId: string; scuIds: string[] },
): Promise<void> {
  await demandUnserved(askingIn(tx), accountId, scuIds)
  await tx.queueScu.deleteMany({ where: { accountId, queueId } })
  await tx.queueScu.createMany({
    data: scuIds.map((scuId, position) => ({ accountId, queueId, scuId, position })),
  })
}
