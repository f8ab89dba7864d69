// Addresses of bundles that were handed out.
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export interface LinkRow {
  id: string
  madeBy: string
  createdAt: Date
  until: Date
  revokedAt: Date | null
  /** How often somebody began to fetch the file by it. */
  fetches: number
  fetchedAt: Date | null
}

interface LinkKey {
  /** Account of the bundle. */
  accountId: string
  id: string
}

const ROW = `id, made_by as "madeBy", created_at as "createdAt", until,
  revoked_at as "revokedAt", fetches, fetched_at as "fetchedAt"`

export async function insertLink(
  tx: Transaction,
  link: LinkKey & { inspectionId: string; madeBy: string; createdAt: Date; until: Date },
): Promise<void> {
  await tx.inspectionLink.create({ data: link })
}

/** Newest first. */
export async function listLinks(
  { pool }: Pick<Store, 'pool'>,
  { accountId, inspectionId }: { accountId: string; inspectionId: string },
): Promise<LinkRow[]> {
  const { rows } = await pool.query<LinkRow>(
    `select ${ROW} from inspection_link where account_id = $1 and inspection_id = $2
     order by created_at desc, id desc limit 1000`,
    [accountId, inspectionId],
  )
  return rows
}

/** Notes that it is used; false: it was ended, or there is none. */
export async function useLink(
  { pool }: Pick<Store, 'pool'>,
  { accountId, id }: LinkKey,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update inspection_link set fetches = fetches + 1, fetched_at = now()
     where account_id = $1 and id = $2 and revoked_at is null`,
    [accountId, id],
  )
  return rowCount === 1
}

/** The moment of the first time counts. False: there is none of this bundle. */
export async function revokeLink(
  tx: Transaction,
  { accountId, id, inspectionId, at }: LinkKey & { inspectionId: string; at: Date },
): Promise<boolean> {
  const count = await tx.$executeRaw`update inspection_link
    set revoked_at = coalesce(revoked_at, ${at})
    where account_id = ${accountId}::uuid and id = ${id}::uuid
      and inspection_id = ${inspectionId}::uuid`
  return count === 1
}

/** Those that ended before. */
export async function forgetLinks({ pool }: Pick<Store, 'pool'>, before: Date): Promise<void> {
  await pool.query('delete from inspection_link where until < $1', [before])
}
