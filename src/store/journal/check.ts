// What the checker of stored data asks the database itself: all queues, rows that are missing
// between others, and references that lead nowhere.
import { GLOBAL_HELPER } from '../../model/rollout.js'
import type { Store } from '../client.js'
import type { QueueKey } from '../sign/queues.js'

const PAGE_QUEUES = 500

/** Every queue there is, account by account. */
export async function* allQueues(store: Store): AsyncGenerator<QueueKey, void, undefined> {
  let after: QueueKey = { accountId: NOBODY, id: NOBODY }
  for (;;) {
    const found = await store.pool.query<{ account_id: string; id: string }>({
      name: 'all-queues',
      text: `select account_id, id from queue where (account_id, id) > ($1, $2)
        order by account_id, id limit ${PAGE_QUEUES}`,
      values: [after.accountId, after.id],
    })
    for (const { account_id: accountId, id } of found.rows) {
      after = { accountId, id }
      yield after
    }
    if (found.rows.length < PAGE_QUEUES) return
  }
}

/** How many that are now. */
export async function countQueues(store: Store): Promise<number> {
  const { rows } = await store.pool.query<{ n: number }>('select count(*)::int as n from queue')
  return rows[0]?.n ?? 0
}

const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Most places of one kind that are named; there may be millions. */
const MOST = 100

export interface RowGap {
  /** The row that should stand here. */
  expected: number
  found: number
}

/** Where the rows of a queue do not follow each other, and how many there are at the end. */
export async function findRowGaps(store: Store, key: QueueKey): Promise<RowGap[]> {
  const found = await store.pool.query<{ expected: bigint; found: bigint }>({
    text: `select expected, row as found from (
        select row, coalesce(lag(row) over (order by row), 0) + 1 as expected
        from queue_item where account_id = $1 and queue_id = $2) r
      where row <> expected order by row limit ${MOST}`,
    values: [key.accountId, key.id],
  })
  return found.rows.map((row) => ({ expected: Number(row.expected), found: Number(row.found) }))
}

/** Ids that several items of an account share: an answer could not be found by them. */
export async function findDoubledItems(store: Store, key: QueueKey): Promise<string[]> {
  const found = await store.pool.query<{ id: string }>({
    text: `select id from queue_item where account_id = $1 and id in (
        select id from queue_item where account_id = $1 and queue_id = $2)
      group by id having count(*) > 1 limit ${MOST}`,
    values: [key.accountId, key.id],
  })
  return found.rows.map((row) => row.id)
}

/** A row whose reference leads to nothing in its own account. */
export interface LostReference {
  /** `queue_item.queue_id` */
  column: string
  /** The queue that the row belongs to, or ''. */
  queueId: string
  accountId: string
  /** What the row refers to. */
  target: string
}

/**
 * Column → where it leads. Both sides are of one account; a row of another account is no target.
 * The database knows no foreign keys here: accounts may move to databases of their own one day.
 */
const REFERENCES: readonly (readonly [column: string, target: string])[] = [
  ['queue.cash_box_id', 'cash_box.id'],
  ['queue_item.queue_id', 'queue.id'],
  ['receipt_journal.queue_id', 'queue.id'],
  ['receipt_journal.queue_item_id', 'queue_item.id'],
  ['action_journal.queue_id', 'queue.id'],
  ['action_journal.queue_item_id', 'queue_item.id'],
  ['market_journal.queue_id', 'queue.id'],
  ['market_journal.queue_item_id', 'queue_item.id'],
  ['market_journal.scu_id', 'scu.id'],
  ['market_journal.certificate_fingerprint', 'certificate.fingerprint'],
  ['recorded_receipt.scu_id', 'scu.id'],
  ['recorded_receipt.certificate_fingerprint', 'certificate.fingerprint'],
  ['queue_scu.queue_id', 'queue.id'],
  ['queue_scu.scu_id', 'scu.id'],
  ['cash_box_scu.cash_box_id', 'cash_box.id'],
  ['cash_box_scu.scu_id', 'scu.id'],
  ['cash_box.outlet_id', 'outlet.id'],
  ['scu.outlet_id', 'outlet.id'],
  ['cash_box_helper.cash_box_id', 'cash_box.id'],
  ['cash_box_helper.helper_id', 'helper.id'],
  ['publication.id', 'cash_box.id'],
  ['operation.cash_box_id', 'cash_box.id'],
  ['payment_terminal.cash_box_id', 'cash_box.id'],
  ['payment.cash_box_id', 'cash_box.id'],
  ['payment.terminal_id', 'payment_terminal.id'],
  ['issued_receipt.cash_box_id', 'cash_box.id'],
  ['delivery.queue_item_id', 'issued_receipt.queue_item_id'],
]

/** Tables whose rows belong to an account, and the kinds of the directory. */
const OWNED = [
  'outlet',
  'cash_box',
  'scu',
  'queue',
  'helper',
  'certificate',
  'directory',
  'connection',
  'message',
]
const LISTED = { cashbox: 'cash_box', queue: 'queue', scu: 'scu', helper: 'helper' }

interface Lost {
  queue_id: string
  account_id: string
  target: string
}

/**
 * References that lead nowhere, and objects that the directory does not know or knows in vain.
 * Wants a snapshot: the planner is told for the transaction to compare whole tables by hash,
 * because with young statistics it walks an index that holds only a part of the reference, again
 * for every row.
 */
export async function findLostReferences(store: Store): Promise<LostReference[]> {
  await store.pool.query({ text: 'set local enable_nestloop = off' })
  await store.pool.query({ text: 'set local enable_mergejoin = off' })
  const lost: LostReference[] = []
  const search = async (column: string, text: string): Promise<void> => {
    const { rows } = await store.pool.query<Lost>({ text: `${text} limit ${MOST}` })
    lost.push(
      ...rows.map((row) => ({
        column,
        queueId: row.queue_id,
        accountId: row.account_id,
        target: row.target,
      })),
    )
  }
  for (const [column, target] of REFERENCES) await search(column, danglingSql(column, target))
  for (const table of OWNED) await search(`${table}.account_id`, ownerSql(table))
  for (const [kind, table] of Object.entries(LISTED)) {
    await search(`directory.id (${kind})`, unlistedSql(kind, table))
    await search(`directory.id (${kind})`, listedInVainSql(kind, table))
  }
  return lost
}

const OF_QUEUES = [
  ...['queue_item', 'receipt_journal', 'recorded_receipt', 'action_journal', 'market_journal'],
  'queue_scu',
]

/** Which queue a row of this table belongs to. */
function queueOf(table: string): string {
  if (table === 'queue') return 's.id::text'
  return OF_QUEUES.includes(table) ? 's.queue_id::text' : "''"
}

function danglingSql(column: string, target: string): string {
  const [table = '', field = ''] = column.split('.')
  const [other = '', key = ''] = target.split('.')
  // an item belongs to the queue whose journals name it
  const same = other === 'queue_item' ? 'and t.queue_id = s.queue_id' : ''
  return `select ${queueOf(table)} as queue_id, s.account_id, s.${field}::text as target
    from ${table} s where s.${field} is not null and not exists (
      select from ${other} t where t.account_id = s.account_id and t.${key} = s.${field} ${same})`
}

function ownerSql(table: string): string {
  return `select ${queueOf(table)} as queue_id, s.account_id, s.account_id::text as target
    from ${table} s where not exists (select from account a where a.id = s.account_id)`
}

function unlistedSql(kind: string, table: string): string {
  return `select ${queueOf(table)} as queue_id, s.account_id, s.id::text as target
    from ${table} s where s.id <> '${GLOBAL_HELPER}' and not exists (select from directory d
      where d.id = s.id and d.kind = '${kind}' and d.account_id = s.account_id)`
}

function listedInVainSql(kind: string, table: string): string {
  return `select '' as queue_id, d.account_id, d.id::text as target
    from directory d where d.kind = '${kind}' and not exists (
      select from ${table} s where s.id = d.id and s.account_id = d.account_id)`
}
