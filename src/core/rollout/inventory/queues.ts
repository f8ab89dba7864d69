// Queues as dealers see them.
import {
  listStockQueues,
  type StockPage,
  type StockQueue,
} from '../../../store/rollout/inventory.js'
import { plainly, queueOf, type StockDeps, type Wanted } from './inventory.js'

/** Oldest first; `at` and the id are the place of each in the list. */
export async function listQueues(deps: StockDeps, accountId: string, page: StockPage) {
  const rows = await listStockQueues(plainly(deps), { accountId, page })
  return rows.map((row) => ({ at: row.at, view: shortView(row) }))
}

/** Throws QUEUE_UNKNOWN. */
export async function queueDetails(deps: StockDeps, wanted: Wanted) {
  const queue = await queueOf(plainly(deps), wanted)
  const { commissioningDate, purchaseDate } = queue
  return { ...shortView(queue), commissioningDate, purchaseDate }
}

function shortView(queue: StockQueue) {
  const { id, cashBoxId, outletNumber, description, packageName, packageVersion } = queue
  const { startMoment, stopMoment } = queue
  const names = { id, cashBoxId, outletNumber, description, packageName, packageVersion }
  return { ...names, startMoment, stopMoment }
}
