// Lists over all merchants find their rows by keys, whatever they are asked for: how many rows of
// each table a page reads is counted by PostgreSQL, and what all pages have is what a plain
// question to the tables has.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fleetStock } from '../../bench/stand/fleet-stock.js'
import { createAccount } from '../../src/core/accounts/accounts.js'
import { registerPaths } from '../../src/core/event/problem/watched.js'
import { everyFacts } from '../../src/market/index.js'
import type { Store } from '../../src/store/client.js'
import { type BoxQuestion, listFleetBoxes } from '../../src/store/event/fleet/boxes.js'
import { type FleetQuestion, listFleet } from '../../src/store/event/fleet/queues.js'
import { queuesToLook } from '../../src/store/event/fleet/search.js'
import { forgetSpare } from '../../src/store/event/fleet/spare.js'
import { listFleetUnits, type UnitQuestion } from '../../src/store/event/fleet/units.js'
import { byOne } from '../../src/store/event/problem/detectors.js'
import { listProblems, type ProblemQuestion } from '../../src/store/event/problem/problems.js'
import { readRegisters } from '../../src/store/event/problem/registers.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { newAccount } from '../support/dealer.js'
import { openStand, type Stand } from '../support/stand.js'

const MERCHANTS = 80
const TILLS = 50
const LIMIT = 20
/** Of each table: a merchant takes a few looks, or all of his rows where most of them fit. */
const MOST_ROWS = 1_000
const SOON = new Date(Date.now() + 90 * 24 * 60 * 60 * 1000)
const TABLES = [
  ...['queue', 'cash_box', 'scu', 'unit_fact', 'queue_scu', 'cash_box_scu', 'problem'],
  'queue_watch',
]

let database: TestDatabase
let stand: Stand
let accountId: string
let counted: Map<string, number>

const sql = (text: string, values: unknown[] = []) => stand.store.pool.query(text, values)

/** Of one of a hundred: what few have. */
const RARE = [
  // a merchant of his own for each
  ...['queue set start_moment = null, stop_moment = null', 'queue set stop_moment = now()'].map(
    (change, at) => `update ${change} where account_id = (
       select id from account where kind = 'PosOperator' order by id offset ${3 + at} limit 1)
     and right(id::text, 1) < '4'`,
  ),
  `update cash_box set outlet_number = 7 where account_id = (select id from account
     where kind = 'PosOperator' order by id offset 5 limit 1) and right(id::text, 1) < '4'`,
  `insert into outlet (account_id, id, number, name, details, created_at)
     select id, gen_random_uuid(), 7, 'Seventh', '{}', now() from account
     where kind = 'PosOperator' order by id offset 6 limit 1`,
  `update cash_box c set outlet_id = o.id from outlet o where o.number = 7
     and o.account_id = c.account_id and right(c.id::text, 1) < '4'`,
  `update scu s set outlet_id = o.id from outlet o where o.number = 7
     and o.account_id = s.account_id and right(s.id::text, 1) > 'c'`,
  `update unit_fact set module_state = 2 where account_id = (select id from account
     where kind = 'PosOperator' order by id offset 7 limit 1) and right(scu_id::text, 1) < '4'`,
  `delete from queue_scu where account_id = (select id from account
     where kind = 'PosOperator' order by id offset 8 limit 1) and right(scu_id::text, 1) < '4'`,
  `update queue set cash_box_id = null where account_id = (select id from account
     where kind = 'PosOperator' order by id offset 9 limit 1) and right(id::text, 1) < '4'`,
  `update queue set identification = 'K-1' where id = (select id from queue limit 1)`,
  `insert into problem (account_id, id, kind, severity, subject_kind, subject_id, since, due,
     details, found_at, cleared_at)
   select account_id, gen_random_uuid(), 'report', 1 + (random() < 0.01)::int, 'queue', id,
     now() - random() * interval '30 days',
     case when random() < 0.5 then now() + random() * interval '30 days' end, '{}', now(),
     case when random() < 0.01 then now() end from queue`,
]

beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config)
  const dealer = await createAccount(
    { store: stand.store, now: () => new Date() },
    newAccount('PosDealer'),
  )
  accountId = dealer.accountId
  const client = new pg.Client(database.config)
  await client.connect()
  try {
    for (const text of fleetStock({ merchants: MERCHANTS, tills: TILLS, dealerId: accountId })) {
      await client.query(text)
    }
    for (const text of RARE) await client.query(text)
    await client.query('update unit_fact set described_at = now()')
  } finally {
    await client.end()
  }
  await forgetSpare(stand.store)
  await sql('analyze')
}, 120_000)
afterAll(async () => {
  await stand.close()
  await database.drop()
})

interface Node {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

function note(node: Node): void {
  const name = node['Relation Name'] ?? ''
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': other = 0 } =
    node
  const read = (node['Actual Rows'] + filtered + other) * node['Actual Loops']
  counted.set(name, (counted.get(name) ?? 0) + read)
  for (const below of node.Plans ?? []) note(below)
}

/** Counts what each statement reads, and answers it. */
const counting = {
  pool: {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await sql(`explain (analyze, format json) ${text}`, values)
      note((rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan)
      return sql(text, values)
    },
  },
} as unknown as Store

type Row = { id: string; accountId: string }

/** Ids of all pages, in their order; of the first page and the last one it is counted. */
async function pages<Asked extends object, One extends Row>(
  list: (store: Store, asked: Asked) => Promise<One[]>,
  asked: Omit<Asked, 'accountId' | 'limit' | 'after'>,
  placeOf: (row: One) => unknown = ({ accountId: account, id }) => ({ accountId: account, id }),
): Promise<string[]> {
  const ids: string[] = []
  for (let after: unknown, page = 0; ; page += 1) {
    const wish = { ...asked, accountId, limit: LIMIT, after } as unknown as Asked
    counted = new Map()
    const rows = await list(page === 0 ? counting : stand.store, wish)
    if (rows.length < LIMIT && page > 0) {
      counted = new Map()
      await list(counting, wish)
    }
    for (const table of page === 0 || rows.length < LIMIT ? TABLES : []) {
      expect([table, Math.max(counted.get(table) ?? 0, MOST_ROWS)]).toEqual([table, MOST_ROWS])
    }
    ids.push(...rows.map(({ id }) => id))
    const last = rows.at(-1)
    if (rows.length < LIMIT || last === undefined) return ids
    after = placeOf(last)
  }
}

const plain = async (text: string, values: unknown[] = []) =>
  (await sql(text, values)).rows.map(({ id }) => String(id))

const USED = `exists (select from queue q where q.account_id = c.account_id
  and q.cash_box_id = c.id and q.start_moment is not null)`
const BOXES: readonly [Omit<BoxQuestion, 'accountId' | 'limit'>, string, unknown[]?][] = [
  [{ state: 'unused' }, `not ${USED}`],
  [
    { state: 'stopped' },
    `${USED} and not exists (select from queue q where q.account_id = c.account_id
       and q.cash_box_id = c.id and q.start_moment is not null and q.stop_moment is null)`,
  ],
  [
    { outletNumber: 7 },
    `coalesce(c.outlet_number, (select number from outlet o where o.account_id = c.account_id
       and o.id = c.outlet_id), 1) = 7`,
  ],
  [
    { outage: true },
    `exists (select from outage o where o.cash_box_id = c.id and o.ended_at is null)`,
  ],
  [
    { certificateEndsBefore: SOON },
    `exists (select from cash_box_scu h join unit_fact f using (account_id, scu_id)
       where h.account_id = c.account_id and h.cash_box_id = c.id and f.certificate_ends < $1)`,
    [SOON],
  ],
  [{ market: 'FR' }, 'false'],
  [{ search: 'till 49' }, `c.description = 'Till 49'`],
  [
    { unpublished: true, state: 'active' },
    `c.published_at is null and exists (select from queue q where q.account_id = c.account_id
       and q.cash_box_id = c.id and q.start_moment is not null and q.stop_moment is null)`,
  ],
]

it.each(BOXES)('cash boxes by %j', async (asked, where, values = []) => {
  const found = await pages<BoxQuestion, Row>(listFleetBoxes, asked)
  const wanted = `select c.id from cash_box c where ${where} order by c.account_id, c.id`
  expect(found).toEqual(await plain(wanted, values))
  if (where !== 'false') expect(found.length).toBeGreaterThan(0)
})

const QUEUES: readonly [Omit<FleetQuestion, 'accountId' | 'limit'>, string][] = [
  [{ state: 'unused' }, 'q.start_moment is null'],
  [{ state: 'stopped' }, 'q.start_moment is not null and q.stop_moment is not null'],
  [
    { outage: true },
    'exists (select from outage o where o.queue_id = q.id and o.ended_at is null)',
  ],
  [
    { outletNumber: 7 },
    `exists (select from cash_box c left join outlet o on o.account_id = c.account_id
       and o.id = c.outlet_id where c.account_id = q.account_id and c.id = q.cash_box_id
       and coalesce(c.outlet_number, o.number) = 7)`,
  ],
  [{ market: 'FR' }, 'false'],
  [{ market: 'DE', state: 'stopped' }, `q.market = 'DE' and q.stop_moment is not null`],
  [{ search: 'till 49' }, `q.description = 'Till 49'`],
]

it.each(QUEUES)('Queues by %j', async (asked, where) => {
  const found = await pages<FleetQuestion, Row>(listFleet, asked)
  expect(found).toEqual(
    await plain(`select q.id from queue q where ${where} order by q.account_id, q.id`),
  )
  if (where !== 'false') expect(found.length).toBeGreaterThan(0)
})

describe('Queues that are silent', () => {
  const SINCE = new Date(Date.now() - 200 * 60 * 60 * 1000)
  const SILENT = `select id from queue where start_moment < $1 and stop_moment is null
    and coalesce(last_moment, start_moment) < $1 order by account_id, id`
  const silent = (silentSince: Date) => pages<FleetQuestion, Row>(listFleet, { silentSince })
  const looked = () =>
    byOne(stand.store, { name: 'registers', restMs: 0 }, (client) =>
      readRegisters(client, registerPaths(everyFacts)),
    )

  it('are found without all others once all were looked at, and also before', async () => {
    const { rows } = await sql(
      `update queue set last_moment = now() - interval '9 days' where id in (select id from queue
         where start_moment is not null and stop_moment is null limit 3) returning id`,
    )
    expect(await plain(SILENT, [SINCE])).toHaveLength(3)
    const before = await listFleet(stand.store, { accountId, limit: LIMIT, silentSince: SINCE })
    expect(new Set(before.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)))
    await looked()
    // they were made a moment ago, and new ones are looked at one by one
    await sql("update queue set created_at = now() - interval '2 days'")
    await sql('analyze queue, queue_watch')
    expect(await silent(SINCE)).toEqual(await plain(SILENT, [SINCE]))
    // one that went on since is silent no more, and one that has just fallen silent is
    await sql('update queue set last_moment = now() where id = $1', [rows[0].id])
    expect(await silent(SINCE)).toEqual(await plain(SILENT, [SINCE]))
    const lately = new Date(Date.now() - 20 * 60 * 60 * 1000)
    const all = await listFleet(stand.store, { accountId, limit: 9_000, silentSince: lately })
    expect(all.map(({ id }) => id)).toEqual(await plain(SILENT, [lately]))
  })

  it('are written down seldom', async () => {
    await sql("update queue set last_moment = now() + interval '7 hours' where start_moment > $1", [
      new Date(0),
    ])
    expect(await looked()).toBeGreaterThan(1_000)
    await sql("update queue set last_moment = now() + interval '8 hours' where start_moment > $1", [
      new Date(0),
    ])
    expect(await looked()).toBe(0)
  })
})

const LINKED = `exists (select from queue_scu u where u.account_id = s.account_id
  and u.scu_id = s.id)`
const UNITS: readonly [Omit<UnitQuestion, 'accountId' | 'limit'>, string, unknown[]?][] = [
  [{ state: 'unused' }, `f.module_state is null and not ${LINKED}`],
  [{ state: 'terminated' }, 'f.module_state = 2'],
  [
    { outage: true },
    `exists (select from queue_scu u join outage o using (queue_id)
       where u.scu_id = s.id and o.ended_at is null)`,
  ],
  [
    { outletNumber: 7 },
    `coalesce((select number from outlet o where o.account_id = s.account_id
         and o.id = s.outlet_id),
       (select coalesce(c.outlet_number, o.number) from cash_box_scu h join cash_box c
         on c.account_id = h.account_id and c.id = h.cash_box_id
         left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
         where h.account_id = s.account_id and h.scu_id = s.id)) = 7`,
  ],
  [{ certificateEndsBefore: SOON }, 'f.certificate_ends < $1', [SOON]],
  [{ market: 'DE' }, 'false'],
  [
    { unpublished: true },
    `exists (select from cash_box_scu h join cash_box c on c.account_id = h.account_id
       and c.id = h.cash_box_id and c.published_at is null
       where h.account_id = s.account_id and h.scu_id = s.id)`,
  ],
]

it.each(UNITS)('signing units by %j', async (asked, where, values = []) => {
  const found = await pages<UnitQuestion, Row>(listFleetUnits, asked)
  const wanted = `select s.id from scu s join unit_fact f on f.account_id = s.account_id
    and f.scu_id = s.id where ${where} order by s.account_id, s.id`
  expect(found).toEqual(await plain(wanted, values))
  if (where !== 'false') expect(found.length).toBeGreaterThan(0)
})

const DUE = `coalesce(due, '9999-12-31Z')`
const SORTS: readonly [ProblemQuestion['sort'], string][] = [
  ['-severity', '-severity, since, id'],
  ['severity', '-severity desc, since desc, id desc'],
  ['since', 'since, id'],
  ['-since', 'since desc, id desc'],
  ['due', `${DUE}, id`],
  ['-due', `${DUE} desc, id desc`],
]
const SHOWN = { severity: 1, snoozed: false, operatorId: undefined, cashBoxId: undefined }

describe.each(SORTS)('problems by %s', (sort, order) => {
  it.each([
    [{ kind: undefined, cleared: false }, 'cleared_at is null'],
    [{ kind: undefined, cleared: true }, 'cleared_at is not null'],
    [{ kind: 'tar' as const, cleared: false }, 'false'],
  ])('%j', async (more, where) => {
    let place: unknown
    const found = await pages<ProblemQuestion, Row & { place: unknown }>(
      async (store, asked) => {
        const rows = await listProblems(store, { ...asked, limit: asked.after ? 9_000 : LIMIT })
        place = rows.at(-1)?.place
        return rows
      },
      { ...SHOWN, ...more, sort },
      () => place,
    )
    expect(found).toEqual(await plain(`select id from problem where ${where} order by ${order}`))
  })
})

it('a Queue that is looked for by its name is found without the others', async () => {
  counted = new Map()
  const found = await queuesToLook(counting, { accountId, queue: 'k-1', most: 50 })
  expect(found.map(({ identification }) => identification)).toEqual(['K-1'])
  expect(counted.get('queue')).toBeLessThanOrEqual(2)
  expect(await queuesToLook(stand.store, { accountId, queue: undefined, most: 50 })).toEqual([])
})

describe('what was never used', () => {
  const spare = async (kind: string) =>
    plain('select id from spare where kind = $1 order by account_id, id', [kind])
  const unusedBoxes = () => pages<BoxQuestion, Row>(listFleetBoxes, { state: 'unused' })

  it('is forgotten once it is used, and noted again with its last Queue gone', async () => {
    const before = await unusedBoxes()
    expect(await spare('cashbox')).toEqual(before)
    const { rows } = await sql(
      `select account_id, id, cash_box_id from queue where start_moment is not null
         and stop_moment is null and cash_box_id is not null order by id limit 1`,
    )
    const [queue] = rows
    await sql('update queue set cash_box_id = null where account_id = $1 and id = $2', [
      ...[queue.account_id, queue.id],
    ])
    expect(new Set(await unusedBoxes())).toEqual(new Set([...before, queue.cash_box_id]))
    await sql('update queue set cash_box_id = $3 where account_id = $1 and id = $2', [
      ...[queue.account_id, queue.id, queue.cash_box_id],
    ])
    expect(await unusedBoxes()).toEqual(before)
    await forgetSpare(stand.store)
    expect(await spare('cashbox')).toEqual(before)
  })

  it('stays noted when it is left at the moment in which others see it used', async () => {
    const { rows } = await sql(
      `select account_id, id, cash_box_id from queue where start_moment is not null
         and stop_moment is null and cash_box_id is not null order by id limit 1`,
    )
    const [queue] = rows
    const leave = 'update queue set cash_box_id = null where account_id = $1 and id = $2'
    const values = [queue.account_id, queue.id]
    // noted, and used again
    await sql(leave, values)
    await sql('update queue set cash_box_id = $3 where account_id = $1 and id = $2', [
      ...[...values, queue.cash_box_id],
    ])
    const client = new pg.Client(database.config)
    await client.connect()
    try {
      await client.query('begin')
      await client.query(leave, values)
      const forgetting = forgetSpare(stand.store)
      const { rows: own } = await client.query('select pg_backend_pid() as pid')
      const waits = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
      await expect
        .poll(async () => (await client.query(waits, [own[0].pid])).rowCount)
        .toBeGreaterThan(0)
      await client.query('commit')
      await forgetting
    } finally {
      await client.end()
    }
    expect(await unusedBoxes()).toContain(queue.cash_box_id)
  })
})

it('a receipt moves the row of its Queue and no index', async () => {
  const client = new pg.Client(database.config)
  await client.connect()
  try {
    // rows with the room that each page is made with, and few of one page
    await client.query('vacuum full queue')
    await client.query('begin')
    const { rows } = await client.query(
      'select account_id, id from queue where start_moment is not null order by id limit 20',
    )
    for (const { account_id: account, id } of rows) {
      await client.query(
        `update queue set version = version + 1, start_moment = start_moment,
           stop_moment = stop_moment, current_row = current_row + 1, last_moment = now(),
           queued_row = queued_row + 1, receipt_numerator = receipt_numerator + 1,
           time_stamp = time_stamp + 1 where account_id = $1 and id = $2`,
        [account, id],
      )
    }
    const { rows: counts } = await client.query(
      `select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_xact_user_tables
       where relname = 'queue'`,
    )
    expect(counts).toEqual([{ all: '20', hot: '20' }])
    await client.query('rollback')
  } finally {
    await client.end()
  }
})

it('a CashBox that was changed is listed once, and to nobody else', async () => {
  const foreign = await createAccount(
    { store: stand.store, now: () => new Date() },
    newAccount('PosOperator'),
  )
  const { rows } = await sql(
    `update cash_box set time_stamp = published_at + 1 where id in (
       select id from cash_box where published_at is not null order by id limit 2) returning id`,
  )
  const [own, other] = rows.map(({ id }) => String(id))
  await sql('update cash_box set account_id = $1, outlet_id = null where id = $2', [
    foreign.accountId,
    other,
  ])
  for (const asked of [{ unpublished: true }, { unpublished: true, outletNumber: 1 }]) {
    const found = await pages<BoxQuestion, Row>(listFleetBoxes, asked)
    expect(new Set(found).size).toBe(found.length)
    expect(found).toContain(own)
    expect(found).not.toContain(other)
  }
})
