// Finds issued receipts.
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { reaching, type Store } from '../../store/client.js'
import { findIssued, findPublished, type IssuedReceipt } from '../../store/receipt/issued.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { brandingOf } from './branding/branding.js'

export interface Address {
  queueId: string
  queueItemId: string
}

/** As the cash box sees it that published it. Throws RECEIPT_UNKNOWN. */
export async function issuedBy(
  store: Store,
  access: CashBoxAccess,
  address: Address,
): Promise<IssuedReceipt> {
  const { accountId, cashBoxId } = access
  return found(store, address, (key) => findIssued(store, { accountId, cashBoxId, ...key }))
}

/** For whoever has the address. Throws RECEIPT_UNKNOWN. */
export async function published(store: Store, address: Address): Promise<IssuedReceipt> {
  return found(store, address, (key) => findPublished(store, key))
}

async function found(
  store: Store,
  { queueId, queueItemId }: Address,
  find: (key: Address) => Promise<IssuedReceipt | undefined>,
): Promise<IssuedReceipt> {
  const key = { queueId: queueId.toLowerCase(), queueItemId: queueItemId.toLowerCase() }
  const known = isUuid(key.queueId) && isUuid(key.queueItemId)
  const receipt = known ? await reaching(() => find(key)) : undefined
  if (receipt !== undefined) return { ...receipt, branding: await brandingOf(store, receipt) }
  throw fail('RECEIPT_UNKNOWN', { queue: queueId.slice(0, 40), item: queueItemId.slice(0, 40) })
}
