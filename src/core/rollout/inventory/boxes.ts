// Cash boxes, and everything that one of them holds.
import { GLOBAL_HELPER } from '../../../model/rollout.js'
import { cashBoxToken } from '../../../store/master-key.js'
import {
  listStockBoxes,
  listStockHelpers,
  listStockQueues,
  listStockUnits,
  listUnitsOfQueues,
  type StockBox,
  type StockHelper,
  type StockPage,
  type StockQueue,
  type StockUnit,
  type UnitOfQueue,
} from '../../../store/rollout/inventory.js'
import { findSecrets } from '../../../store/rollout/inventory-secrets.js'
import { queueSecrets } from '../../../store/sign/queues.js'
import { masked } from '../../audit/mask.js'
import { settleSwitches } from './finish-switches.js'
import { boxOf, plainly, type StockDeps, type Wanted } from './inventory.js'

export type BoxView = Omit<StockBox, 'accessTokenSealed' | 'at'>

/** By age, without anything that they hold; `at` and the id are the place of each in the list. */
export async function listBoxes(
  deps: StockDeps,
  { accountId, traceId, page }: { accountId: string; traceId: string; page: StockPage },
): Promise<{ at: string; view: BoxView }[]> {
  await settleSwitches(deps, { accountId, traceId })
  const rows = await listStockBoxes(plainly(deps), { accountId, page })
  return rows.map((row) => ({ at: row.at, view: viewOf(row) }))
}

function viewOf({ accessTokenSealed: _sealed, at: _at, ...view }: StockBox): BoxView {
  return view
}

export interface BoxWish extends Wanted {
  traceId: string
  /** Whether the caller may see what opens things. */
  secrets: boolean
}

/** Throws CASH_BOX_UNKNOWN. */
export async function boxDetails(deps: StockDeps, wish: BoxWish) {
  const { accountId, id: cashBoxId, secrets } = wish
  await settleSwitches(deps, wish)
  const ask = plainly(deps)
  const box = await boxOf(ask, wish)
  const queues = await listStockQueues(ask, { accountId, cashBoxId })
  const units = await listStockUnits(ask, deps.store, { accountId, cashBoxId })
  const helpers = await listStockHelpers(ask, { accountId, cashBoxId })
  const order = await listUnitsOfQueues(ask, accountId)
  const { cashBoxId: _id, ...cashBox } = viewOf(box)
  const configuration = await deps.publications.read({ accountId, cashBoxId })
  return {
    cashBoxId,
    accessToken: secrets
      ? deps.store.sealer.open(Buffer.from(box.accessTokenSealed), cashBoxToken(cashBoxId))
      : null,
    cashBox,
    queues: queues.map(shownQueue),
    signatureCreationUnits: units.map(shownUnit),
    helpers: helpers.filter(({ id }) => id !== GLOBAL_HELPER).map(shownHelper),
    queueATProperties: await registered(deps, { accountId, queues, units, order, secrets }),
    configuration: secrets ? configuration : masked(configuration),
  }
}

const first = (urls: readonly string[]): string | null => urls[0] ?? null

function shownQueue(queue: StockQueue) {
  const { id, description, packageName, packageVersion, outletNumber } = queue
  return {
    ...{ id, description, countryCode: queue.market, packageName, packageVersion },
    ...{ url: first(queue.urls), outletNumber, timeout: queue.timeoutMs },
    commissioningDate: queue.commissioningDate,
    purchaseDate: queue.purchaseDate,
    decommissioningDate: queue.stopMoment,
  }
}

function shownUnit({ head, description, packageName, ...unit }: StockUnit) {
  const { packageVersion, outletNumber, urls } = unit
  return {
    ...{ id: head.id, market: head.market, description, packageName, packageVersion },
    ...{ url: first(urls) ?? head.url, outletNumber, mode: head.mode },
  }
}

function shownHelper({ boxes: _boxes, urls, ...helper }: StockHelper) {
  return { ...helper, url: first(urls) }
}

interface Registered {
  accountId: string
  queues: readonly StockQueue[]
  units: readonly StockUnit[]
  order: readonly UnitOfQueue[]
  secrets: boolean
}

/** Of queues whose receipts have an encrypted counter: its key, and the units that sign for it. */
async function registered(
  deps: StockDeps,
  { accountId, queues, units, order, secrets }: Registered,
) {
  const all = queues.map(async (queue) => {
    const { turnoverKey } = deps.marketOf(queue.market).rollout
    if (turnoverKey === undefined) return []
    const sealed = await findSecrets(deps.store, { accountId, queueId: queue.id })
    const opened =
      sealed === null ? '' : deps.store.sealer.open(Buffer.from(sealed), queueSecrets(queue.id))
    const key = turnoverKey(JSON.parse(queue.configuration), opened)
    const { encryptionKeyBase64, encryptionKeyCheckValue: _check, ...facts } = key
    const own = order.filter(({ queueId }) => queueId === queue.id)
    const heads = own.flatMap(({ scuId }) => units.filter(({ head }) => head.id === scuId))
    return [
      {
        ftQueueId: queue.id,
        cashBoxIdentification: queue.identification,
        encryptionKeyBase64: secrets ? encryptionKeyBase64 : null,
        ...facts,
        // the low byte says in which order they are tried
        scus: heads
          .toSorted((a, b) => (a.head.mode & 0xff) - (b.head.mode & 0xff))
          .map(({ head, urls }) => ({ url: first(urls) ?? head.url, mode: head.mode })),
      },
    ]
  })
  return (await Promise.all(all)).flat()
}
