// Exports of a security device's memory while another server fetches them.
import { reaching, type Store } from '../client.js'
import type { UnitKey } from './scus.js'

export interface ServedExport {
  id: string
  from: number
  to: number
  /** The device has it no more. */
  erased: boolean
  sha256: Buffer
  length: number
}

interface Columns {
  id: string
  range_from: bigint
  range_to: bigint
  erased: boolean
  sha256: Buffer
  length: number
}

const FACTS = 'id, range_from, range_to, erased, sha256, octet_length(tar) as length'

function exportOf({ range_from: from, range_to: to, ...row }: Columns): ServedExport {
  return { ...row, from: Number(from), to: Number(to) }
}

/** The oldest one that a device has no more, and nobody else yet; it begins anew. */
export async function pendingExport(
  store: Store,
  { accountId, id }: UnitKey,
): Promise<ServedExport | undefined> {
  const found = await reaching(() =>
    store.pool.query<Columns>({
      text: `update served_export set sent = 0 where account_id = $1 and id = (
          select id from served_export where account_id = $1 and scu_id = $2 and erased
          order by created_at, id limit 1) returning ${FACTS}`,
      values: [accountId, id],
    }),
  )
  return found.rows.map(exportOf)[0]
}

/** A new one; those before it that are still in the device go. */
export async function keepExport(
  store: Store,
  { accountId, id: scuId }: UnitKey,
  kept: Omit<ServedExport, 'length'> & { tar: Buffer; now: Date },
): Promise<void> {
  const { id, from, to, erased, sha256, tar, now } = kept
  await reaching(() =>
    store.pool.query({
      text: `with gone as (delete from served_export
          where account_id = $1 and scu_id = $3 and not erased)
        insert into served_export (account_id, id, scu_id, range_from, range_to, erased, sha256,
          tar, sent, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9)`,
      values: [accountId, id, scuId, from, to, erased, sha256, tar, now],
    }),
  )
}

export async function findExport(
  store: Store,
  { accountId, id: scuId }: UnitKey,
  id: string,
): Promise<ServedExport | undefined> {
  const found = await reaching(() =>
    store.pool.query<Columns>({
      text: `select ${FACTS} from served_export
        where account_id = $1 and scu_id = $2 and id = $3`,
      values: [accountId, scuId, id],
    }),
  )
  return found.rows.map(exportOf)[0]
}

/** The next bytes, at most so many; whoever asks twice gets what follows. */
export async function nextPart(
  store: Store,
  { accountId, id }: UnitKey,
  most: number,
): Promise<{ part: Buffer; isLast: boolean } | undefined> {
  const found = await reaching(() =>
    store.pool.query<{ part: Buffer; is_last: boolean }>({
      text: `update served_export e set sent = least(e.sent + $3, octet_length(e.tar))
        from (select id, sent from served_export where account_id = $1 and id = $2 for update) b
        where e.account_id = $1 and e.id = b.id
        returning substring(e.tar from b.sent + 1 for $3) as part,
          e.sent = octet_length(e.tar) as is_last`,
      values: [accountId, id, most],
    }),
  )
  return found.rows.map(({ part, is_last: isLast }) => ({ part, isLast }))[0]
}

export async function dropExport(store: Store, { accountId, id }: UnitKey): Promise<void> {
  await reaching(() =>
    store.pool.query('delete from served_export where account_id = $1 and id = $2', [
      accountId,
      id,
    ]),
  )
}
