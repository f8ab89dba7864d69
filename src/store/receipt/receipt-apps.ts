// Third-party receipt apps as rows.
import { reaching, type Store } from '../client.js'

export interface ReceiptAppRow {
  id: string
  name: string
  shareUrl: string | null
  secretHash: Buffer
  createdAt: Date
}

const COLUMNS = `id, name, share_url as "shareUrl", secret_hash as "secretHash",
  created_at as "createdAt"`

/** Those of these ids that are in use, in no order. */
export async function findApps(store: Store, ids: readonly string[]): Promise<ReceiptAppRow[]> {
  const found = await reaching(() =>
    store.pool.query<ReceiptAppRow>({
      name: 'receipt-apps',
      text: `select ${COLUMNS} from receipt_app where id = any($1::uuid[]) and active`,
      values: [ids],
    }),
  )
  return found.rows
}

/** All that are in use, oldest first. */
export async function listApps(store: Store): Promise<ReceiptAppRow[]> {
  const found = await reaching(() =>
    store.pool.query<ReceiptAppRow>(
      `select ${COLUMNS} from receipt_app where active order by created_at, id`,
    ),
  )
  return found.rows
}

/** It stays as a row that events refer to. Undefined: there is none in use with this id. */
export async function retireApp(store: Store, id: string): Promise<ReceiptAppRow | undefined> {
  const found = await reaching(() =>
    store.pool.query<ReceiptAppRow>(
      `update receipt_app set active = false where id = $1 and active returning ${COLUMNS}`,
      [id],
    ),
  )
  return found.rows[0]
}
