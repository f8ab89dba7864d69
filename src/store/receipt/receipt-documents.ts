// Files that were put to issued receipts.
import { reaching, type Store } from '../client.js'
import type { Connection } from '../transaction.js'
import type { ReceiptKey } from './issued.js'

export interface NewDocument extends ReceiptKey {
  id: string
  hash: Buffer
  mediaType: string
  filename: string
  content: Buffer
  appId: string | null
  createdAt: Date
}

export interface ListedDocument {
  id: string
  mediaType: string
  filename: string
  size: number
  createdAt: Date
}

/** Files that one receipt may have. */
export const MOST_DOCUMENTS = 10

/** `known`: the same content is there already; `full`: the receipt has too many. */
export async function insertDocument(
  client: Connection,
  document: NewDocument,
): Promise<'kept' | 'known' | 'full'> {
  const { accountId, queueId, queueItemId, hash } = document
  const key = [accountId, queueId, queueItemId]
  // one at a time: what is counted is what there will be
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key.join('/')])
  const found = await client.query<{ count: number; known: boolean }>(
    `select count(*)::int as count, coalesce(bool_or(hash = $4), false) as known
     from receipt_document where account_id = $1 and queue_id = $2 and queue_item_id = $3`,
    [...key, hash],
  )
  const { count = 0, known = false } = found.rows[0] ?? {}
  if (known) return 'known'
  if (count >= MOST_DOCUMENTS) return 'full'
  await client.query(
    `insert into receipt_document (account_id, queue_id, queue_item_id, id, hash, media_type,
       filename, size, content, app_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[...key, document.id, hash, document.mediaType, document.filename],
      ...[document.content.length, document.content, document.appId, document.createdAt],
    ],
  )
  return 'kept'
}

const LISTED = `id, media_type as "mediaType", filename, size, created_at as "createdAt"`

/** Oldest first. */
export async function listDocuments(store: Store, key: ReceiptKey): Promise<ListedDocument[]> {
  const found = await reaching(() =>
    store.pool.query<ListedDocument>({
      name: 'receipt-documents',
      text: `select ${LISTED} from receipt_document
        where account_id = $1 and queue_id = $2 and queue_item_id = $3 order by created_at, id`,
      values: [key.accountId, key.queueId, key.queueItemId],
    }),
  )
  return found.rows
}

export async function findDocument(
  store: Store,
  key: ReceiptKey,
  id: string,
): Promise<(ListedDocument & { content: Buffer }) | undefined> {
  const found = await reaching(() =>
    store.pool.query<ListedDocument & { content: Buffer }>({
      name: 'receipt-document',
      text: `select ${LISTED}, content from receipt_document
        where account_id = $1 and queue_id = $2 and queue_item_id = $3 and id = $4`,
      values: [key.accountId, key.queueId, key.queueItemId, id],
    }),
  )
  return found.rows[0]
}
