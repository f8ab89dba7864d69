// What is rolled out for an operator, as its dealer sees it: queues, signing units, cash boxes and
// helpers.
import type { ScuHead } from '../../model/scu.js'
import type { Store } from '../client.js'
import { instantText } from '../instant.js'
import { scuOf } from '../sign/queues.js'
import type { Transaction } from '../transaction.js'

/** Runs a statement, in a transaction or outside of one. */
export type Ask = <T>(text: string, values: readonly unknown[]) => Promise<T[]>

export const asking =
  ({ pool }: Pick<Store, 'pool'>): Ask =>
  async <T>(text: string, values: readonly unknown[]) =>
    (await pool.query(text, [...values])).rows as T[]

export const askingIn =
  (tx: Transaction): Ask =>
  <T>(text: string, values: readonly unknown[]) =>
    tx.$queryRawUnsafe<T[]>(text, ...values)

/** Of an account; with further members only what they name. */
export interface StockFilter {
  accountId: string
  id?: string
  cashBoxId?: string
}

/** Of what is older first: behind a row, and so many at most. */
export interface StockPage {
  /** `at` and id of the row. */
  after?: readonly string[] | undefined
  most: number
}

/** Of lists that come in pages. */
export type PagedFilter = StockFilter & { page?: StockPage }

const valuesOf = ({ accountId, id, cashBoxId }: StockFilter) => [
  accountId,
  id ?? null,
  cashBoxId ?? null,
]

const pagedValues = ({ page, ...filter }: PagedFilter) => [
  ...valuesOf(filter),
  ...[page?.after?.[0] ?? null, page?.after?.[1] ?? null, page?.most ?? null],
]

/** When it was made: half of what rows are sorted by. */
const atOf = (table: string): string => `${instantText(`${table}.created_at`)} as at`

/** The statement has no name: its plan is made for this page, along the index. */
const pageOf = (table: string): string =>
  `and ($4::timestamptz is null
       or (${table}.created_at, ${table}.id) > ($4::timestamptz, $5::uuid))
     order by ${table}.created_at, ${table}.id limit $6::int`

/** Outlet of a cash box; without one it is the primary outlet. */
const NUMBER = 'coalesce(c.outlet_number, o.number, 1)'

export interface StockQueue {
  /** Its place in the list, with its id. */
  at: string
  id: string
  /** Null: it was taken out of its cash box. */
  cashBoxId: string | null
  market: string
  outletNumber: number
  description: string
  identification: string
  /** JSON text. */
  configuration: string
  /** State of the market, JSON text. */
  state: string
  packageName: string
  packageVersion: string
  urls: string[]
  timeoutMs: number
  startMoment: Date | null
  stopMoment: Date | null
  purchaseDate: Date | null
  commissioningDate: Date | null
}

/** Oldest first. */
export async function listStockQueues(ask: Ask, filter: PagedFilter): Promise<StockQueue[]> {
  const rows = await ask<Listed<StockQueue>>(
    `select ${atOf('q')}, q.id, q.cash_box_id as "cashBoxId", q.market, ${NUMBER} as "outletNumber",
       q.description, q.identification, q.configuration, q.state, q.package as "packageName",
       q.package_version as "packageVersion", q.url as "urlText", q.timeout_ms as "timeoutMs",
       q.start_moment as "startMoment", q.stop_moment as "stopMoment",
       q.purchase_date as "purchaseDate", q.commissioning_date as "commissioningDate"
     from queue q
     left join cash_box c on c.account_id = q.account_id and c.id = q.cash_box_id
     left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
     where q.account_id = $1::uuid and ($2::uuid is null or q.id = $2::uuid)
       and ($3::uuid is null or q.cash_box_id = $3::uuid)
       ${pageOf('q')}`,
    pagedValues(filter),
  )
  return rows.map(withUrls)
}

type Listed<T extends { urls: string[] }> = Omit<T, 'urls'> & { urlText: string }

function withUrls<T extends { urlText: string }>({ urlText, ...row }: T) {
  return { ...row, urls: JSON.parse(urlText) as string[] }
}

export interface StockUnit {
  /** Its place in the list, with its id. */
  at: string
  head: ScuHead
  description: string
  packageName: string
  packageVersion: string
  urls: string[]
  outletNumber: number
  hidden: boolean
  /** Cash boxes that hold it. */
  boxes: string[]
}

type UnitRow = Record<string, unknown> & Listed<Omit<StockUnit, 'head'>> & { account_id: string }

/** Oldest first. `cashBoxId`: those that it holds. */
export async function listStockUnits(
  ask: Ask,
  store: Store,
  filter: PagedFilter,
): Promise<StockUnit[]> {
  const rows = await ask<UnitRow>(
    `select ${atOf('s')}, s.account_id, s.id, s.market, s.package, s.mode, s.url,
       s.configuration, s.state,
       encode(s.secrets_sealed, 'base64') as secrets_sealed, s.fault_script,
       s.version::text as version, s.description, s.hidden, coalesce(n.number, (
         select min(${NUMBER}) from cash_box_scu h
         join cash_box c on c.account_id = h.account_id and c.id = h.cash_box_id
         left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
         where h.account_id = s.account_id and h.scu_id = s.id), 1) as "outletNumber",
       coalesce(nullif(s.package_name, ''), s.package) as "packageName",
       s.package_version as "packageVersion", s.urls as "urlText",
       array(select h.cash_box_id::text from cash_box_scu h
         where h.account_id = s.account_id and h.scu_id = s.id order by 1) as boxes
     from scu s left join outlet n on n.account_id = s.account_id and n.id = s.outlet_id
     where s.account_id = $1::uuid and ($2::uuid is null or s.id = $2::uuid)
       and ($3::uuid is null or exists (select from cash_box_scu h
         where h.account_id = s.account_id and h.scu_id = s.id and h.cash_box_id = $3::uuid))
       ${pageOf('s')}`,
    pagedValues(filter),
  )
  return rows.map((row) => {
    const { at, description, packageName, packageVersion, outletNumber, hidden, boxes } = row
    const head = scuOf(store, row.account_id, row)
    const { urls } = withUrls(row)
    const names = { description, packageName, packageVersion, urls }
    return { at, head, ...names, outletNumber, hidden, boxes }
  })
}

export interface StockBox {
  /** Its place in the list, with its id. */
  at: string
  cashBoxId: string
  description: string
  ipAddress: string
  outletNumber: number
  productType: number
  /** 0 never published, 1 changed since the publication, 2 up to date. */
  state: number
  /** Ticks of the publication, else of the last change. */
  timeStamp: bigint
  accessTokenSealed: Uint8Array
}

/** Oldest first. */
export async function listStockBoxes(ask: Ask, filter: PagedFilter): Promise<StockBox[]> {
  return ask<StockBox>(
    `select ${atOf('c')}, c.id as "cashBoxId", c.description, c.ip_address as "ipAddress",
       ${NUMBER} as "outletNumber", c.product_type as "productType",
       case when c.published_at is null then 0
         when c.time_stamp > c.published_at then 1 else 2 end as state,
       coalesce(c.published_at, c.time_stamp) as "timeStamp",
       c.access_token_sealed as "accessTokenSealed"
     from cash_box c left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
     where c.account_id = $1::uuid and ($2::uuid is null or c.id = $2::uuid)
       and ($3::uuid is null or c.id = $3::uuid)
       ${pageOf('c')}`,
    pagedValues(filter),
  )
}

export interface StockHelper {
  id: string
  description: string
  packageName: string
  packageVersion: string
  urls: string[]
  outletNumber: number
  /** Cash boxes that hold it. */
  boxes: string[]
}

/** Whether a switch of units is prepared, begun or over and not cleared up. */
export async function anyMarked(ask: Ask, accountId: string, bits: number): Promise<boolean> {
  const found = await ask(
    'select 1 from scu where account_id = $1::uuid and mode & $2::int <> 0 limit 1',
    [accountId, bits],
  )
  return found.length > 0
}

/** Oldest first. */
export async function listStockHelpers(ask: Ask, filter: StockFilter): Promise<StockHelper[]> {
  const rows = await ask<Listed<StockHelper>>(
    `select h.id, h.description, h.package as "packageName", h.url as "urlText",
       h.package_version as "packageVersion", coalesce((
         select min(${NUMBER}) from cash_box_helper l
         join cash_box c on c.account_id = l.account_id and c.id = l.cash_box_id
         left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
         where l.account_id = h.account_id and l.helper_id = h.id), 1) as "outletNumber",
       array(select l.cash_box_id::text from cash_box_helper l
         where l.account_id = h.account_id and l.helper_id = h.id order by 1) as boxes
     from helper h
     where h.account_id = $1::uuid and ($2::uuid is null or h.id = $2::uuid)
       and ($3::uuid is null or exists (select from cash_box_helper l
         where l.account_id = h.account_id and l.helper_id = h.id and l.cash_box_id = $3::uuid))
     order by h.created_at, h.id`,
    valuesOf(filter),
  )
  return rows.map(withUrls)
}

export interface UnitOfQueue {
  queueId: string
  scuId: string
}

/** By queue, in the order in which they are tried. */
export async function listUnitsOfQueues(ask: Ask, accountId: string): Promise<UnitOfQueue[]> {
  return ask<UnitOfQueue>(
    `select queue_id as "queueId", scu_id as "scuId" from queue_scu
     where account_id = $1::uuid order by queue_id, position, scu_id`,
    [accountId],
  )
}
