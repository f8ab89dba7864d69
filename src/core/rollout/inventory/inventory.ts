// What every part of this folder asks for, and the looking up of what a caller names.
import { type ErrorCode, fail } from '../../../errors.js'
import type { Market } from '../../../market/contract.js'
import {
  type Ask,
  asking,
  listStockBoxes,
  listStockHelpers,
  listStockQueues,
  listStockUnits,
  type StockBox,
  type StockHelper,
  type StockQueue,
  type StockUnit,
} from '../../../store/rollout/inventory.js'
import type { AuditDeps } from '../../audit/audit.js'
import type { Publications } from './publication.js'

export interface StockDeps extends AuditDeps {
  marketOf(code: string): Market
  publications: Publications
}

/** One thing of an account; in nobody else's is it found. */
export interface Wanted {
  accountId: string
  id: string
}

function only<T>(rows: readonly T[], code: ErrorCode, details: Record<string, string>): T {
  const [row] = rows
  if (row === undefined) throw fail(code, details)
  return row
}

/** Throws QUEUE_UNKNOWN. */
export async function queueOf(ask: Ask, { accountId, id }: Wanted): Promise<StockQueue> {
  return only(await listStockQueues(ask, { accountId, id }), 'QUEUE_UNKNOWN', { queue: id })
}

/** Throws SCU_UNKNOWN. */
export async function unitOf(
  ask: Ask,
  { store }: Pick<StockDeps, 'store'>,
  { accountId, id }: Wanted,
): Promise<StockUnit> {
  return only(await listStockUnits(ask, store, { accountId, id }), 'SCU_UNKNOWN', { scu: id })
}

/** Throws CASH_BOX_UNKNOWN. */
export async function boxOf(ask: Ask, { accountId, id }: Wanted): Promise<StockBox> {
  return only(await listStockBoxes(ask, { accountId, id }), 'CASH_BOX_UNKNOWN', { cashBox: id })
}

/** One that no cash box holds is nobody's. Throws HELPER_UNKNOWN. */
export async function helperOf(ask: Ask, { accountId, id }: Wanted): Promise<StockHelper> {
  const found = await listStockHelpers(ask, { accountId, id })
  const held = found.filter(({ boxes }) => boxes.length > 0)
  return only(held, 'HELPER_UNKNOWN', { helper: id })
}

export const plainly = ({ store }: Pick<StockDeps, 'store'>): Ask => asking(store)
