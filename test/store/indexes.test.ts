// Every index of the tables that receipts are written to has a query that needs it: the program's
// own text, explained by the planner. An index without one only costs.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/client.js'
import { forgetUnits } from '../../src/store/event/autopilot.js'
import {
  endsBefore,
  neighboursOf,
  newestReceipt,
  ticksAround,
} from '../../src/store/event/fleet/receipts.js'
import { receiptOfNumber, receiptsOfReference } from '../../src/store/event/fleet/search.js'
import { MOVE_LOCK, moveText } from '../../src/store/event/mover.js'
import { receiptSpan } from '../../src/store/journal/inspection.js'
import { actionRows, marketRows, receiptRows } from '../../src/store/journal/journal.js'
import { chainRows, countRows } from '../../src/store/journal/journal-chains.js'
import { rowOfItem } from '../../src/store/journal/journal-items.js'
import { lateRows, logRows, sharedRows } from '../../src/store/journal/journal-units.js'
import { loadHead } from '../../src/store/sign/queues.js'
import { findUnfinished } from '../../src/store/sign/unfinished.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'

const key = { accountId: randomUUID(), queueId: randomUUID() }
const scuId = randomUUID()
const query = { key, range: { from: 0n, to: 0n } }
const queue = {
  accountId: key.accountId,
  id: key.queueId,
  market: 'AT',
  identification: '',
  accountName: '',
}

let database: TestDatabase
let client: pg.Client

/** Every index of these tables, and what needs it. */
const NEEDS: Record<string, (store: Store) => unknown> = {
  queue_item_pkey: (store) => neighboursOf(store, key, 7),
  queue_item_account_id_id_idx: (store) => rowOfItem(store, key, randomUUID()),
  queue_item_account_id_queue_id_time_stamp_key: (store) => ticksAround(store, key, 1n),
  queue_item_account_id_queue_id_receipt_reference_time_stamp_idx: (store) =>
    receiptsOfReference(store, { queue, text: 'r', limit: 1 }),
  queue_item_unfinished_idx: (store) => findUnfinished(store, new Date()),
  receipt_journal_pkey: (store) => all(receiptRows(store, query)),
  recorded_receipt_pkey: (store) => all(marketRows(store, query)),
  action_journal_pkey: (store) => all(actionRows(store, query)),
  market_journal_pkey: (store) => endsBefore(store, key, 1n),
  market_journal_chain_idx: (store) => all(chainRows(store, query, 'T')),
  market_journal_counted_idx: (store) => countRows(store, key, 1),
  market_journal_device_log_idx: (store) =>
    all(logRows(store, { accountId: key.accountId, scuId }, { from: 1, to: 2 })),
  market_journal_late_idx: (store) => lateRows(store, key, { from: 1, to: 2 }),
  market_journal_unit_idx: (store) =>
    all(
      sharedRows(store, {
        ...{ accountId: key.accountId, scuId, kind: 'archive', after: 0n, upTo: 9n },
      }),
    ),
}
const TABLES = [
  ...['queue_item', 'receipt_journal', 'recorded_receipt', 'action_journal', 'market_journal'],
]

/** Receipts with their record, of these numbers. */
const recordReceipts = (on: pg.Client, { from, to }: { from: number; to: number }) =>
  on.query(
    `insert into recorded_receipt select $1, $2, 10 * n + 1, gen_random_uuid(), now(), n, 1,
       gen_random_uuid(), sha256('{}'), gen_random_uuid(), 'kind', n, null, null, 'content'
     from generate_series($3::int, $4::int) n`,
    [key.accountId, key.queueId, from, to],
  )

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.config)
  await client.connect()
  const values = [key.accountId, key.queueId]
  await client.query(
    `insert into queue_item (account_id, queue_id, row, id, queue_moment, timeout_ms, done_moment,
       receipt_moment, receipt_reference, country, version, request, request_hash,
       processing_version, time_stamp)
     select $1, $2, n, gen_random_uuid(), now(), 0, now(), now(), 'r' || n, 'AT', 'v1', '{}',
       sha256('{}'), '', 10 * n from generate_series(1, 2000) n`,
    values,
  )
  await client.query(
    `insert into receipt_journal select $1, $2, 10 * n + 1, gen_random_uuid(), now(), n, 1,
       gen_random_uuid(), sha256('{}') from generate_series(1, 1000) n`,
    values,
  )
  await recordReceipts(client, { from: 1001, to: 2000 })
  await client.query(
    `insert into market_journal select $1, $2, 10 * n + 2, gen_random_uuid(),
       (array['T', 'counted', 'device-log', 'late', 'archive', 'ended', 'kind'])[1 + n % 7], n, $3,
       gen_random_uuid(), null, 'content' from generate_series(1, 2000) n`,
    [...values, scuId],
  )
  await client.query(
    `insert into action_journal select $1, $2, 10 * n + 3, gen_random_uuid(), null, now(), 0,
       'type', '', null, null from generate_series(1, 2000) n`,
    values,
  )
  await client.query(`analyze ${TABLES.join(', ')}`)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function all(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _page of pages) break
}

/** The statements that work sends, each with an answer that lets the next one follow. */
async function textsOf(work: (store: Store) => unknown): Promise<string[]> {
  const texts: string[] = []
  const pool = {
    query: async (sent: string | { text: string }) => {
      texts.push(typeof sent === 'string' ? sent : sent.text)
      return { rows: texts.length === 1 ? [{ last: 9n, start: 1n }] : [] }
    },
  }
  await work({ pool } as unknown as Store)
  return texts
}

it('no table of receipts has an index that is not in this file', async () => {
  const { rows } = await client.query(
    `select indexname as name from pg_indexes
     where schemaname = 'public' and tablename = any($1)`,
    [TABLES],
  )
  const names = rows.map(({ name }) => String(name).slice(0, 63))
  expect(names.sort()).toEqual(
    Object.keys(NEEDS)
      .map((name) => name.slice(0, 63))
      .sort(),
  )
})

it.each(Object.entries(NEEDS))(
  '%s is what a query of the program is answered by',
  async (name, work) => {
    const plans: string[] = []
    for (const text of await textsOf(work)) {
      const { rows } = await client.query(`explain (generic_plan) ${text}`)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    expect(plans.join('\n')).toMatch(new RegExp(` (using|on) ${name.slice(0, 63)}\\b`))
  },
)

describe('a journal that has grown since the planner looked at it', () => {
  let young: TestDatabase
  let reader: pg.Client
  /** Few rows of a queue are wanted of each of these. */
  const WORK: Record<string, (store: Store) => unknown> = {
    'a page of receipts': (store) => all(receiptRows(store, query)),
    'a page of the journal of the country': (store) => all(marketRows(store, query)),
    'the first receipts': (store) => all(receiptRows(store, { key, range: { from: 0n, to: -3n } })),
    'the newest receipt before a tick': (store) => endsBefore(store, key, 2n ** 62n),
    'the newest receipt of a merchant': (store) => newestReceipt(store, key.accountId),
    'the receipt before a period': (store) =>
      receiptSpan(store, key, { from: 2n ** 61n, upTo: 2n ** 62n }),
    'a receipt by its number': (store) => receiptOfNumber(store, { queue, number: 7n }),
    // it cannot be opened: it was never made
    'the head of a queue': (store) =>
      Promise.allSettled([loadHead(store, { accountId: key.accountId, id: key.queueId })]),
  }

  beforeAll(async () => {
    young = await createTestDatabase()
    reader = new pg.Client(young.config)
    await reader.connect()
    await reader.query('alter table recorded_receipt set (autovacuum_enabled = false)')
    const values = [key.accountId, key.queueId]
    await reader.query(
      `insert into account (id, kind, name, market, country, email, roles, created_at)
       values ($1, 'PosOperator', 'x', 'AT', 'AT', 'x@x.example', '{}', now())`,
      [key.accountId],
    )
    await reader.query(
      `insert into queue (account_id, id, market, description, identification, configuration,
         state, time_stamp, created_at) values ($1, $2, 'AT', '', 'x', '{}', '{}', 0, now())`,
      values,
    )
    await recordReceipts(reader, { from: 1, to: 5000 })
  })
  afterAll(async () => {
    await reader.end()
    await young.drop()
  })

  it.each(Object.entries(WORK))('%s is read without the rest of it', async (_, work) => {
    const plans: string[] = []
    const pool = {
      query: async (sent: { text: string; values: unknown[] } | string, given: unknown[] = []) => {
        const { text, values } = typeof sent === 'string' ? { text: sent, values: given } : sent
        const { rows } = await reader.query(`explain (analyze) ${text}`, values)
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
        return await reader.query(text, values)
      },
    }
    await work({ pool } as unknown as Store)
    const read = [
      ...plans.join('\n').matchAll(/ on recorded_receipt\b.*actual time=\S+ rows=([\d.]+)/g),
    ].map(([, rows]) => Number(rows))
    expect(read.length).toBeGreaterThan(0)
    // a page, and the row that says whether there is more
    expect(Math.max(...read)).toBeLessThanOrEqual(501)
  })
})

it('events on their way into the streams read no journal as a whole', async () => {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${moveText(500)}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  for (const table of ['receipt_journal', 'recorded_receipt']) {
    expect(plan).toContain(`using ${table}_pkey`)
    expect(plan).not.toContain(`Seq Scan on ${table}`)
  }
})

it('a move reads what it takes, also when its plan was made for an empty inbox', async () => {
  await client.query('begin')
  await client.query(MOVE_LOCK, [1, 2])
  await client.query(`prepare move as ${moveText(500)}`)
  await client.query('execute move')
  await client.query(
    `insert into inbox (account_id, event_id, type, subject_kind, subject_id, data, at)
     select $1, gen_random_uuid(), 'order.done', 'order', gen_random_uuid(), '{}', now()
     from generate_series(1, 5000)`,
    [key.accountId],
  )
  const { rows } = await client.query<{ 'QUERY PLAN': string }>('explain (analyze) execute move')
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  await client.query('rollback')
  expect(plan).toContain('Tid Scan on inbox')
  expect(plan).not.toMatch(/Seq Scan/)
  const read = [...plan.matchAll(/ on inbox\b.*actual time=\S+ rows=(\d+)/g)]
  expect(read.length).toBeGreaterThan(1)
  expect(Math.max(...read.map(([, count]) => Number(count)))).toBe(500)
})

it('units that no outage waits for are looked up, however many there are', async () => {
  const { rows: made } = await client.query(
    `insert into account (id, kind, name, market, country, email, roles, created_at)
     values (gen_random_uuid(), 'PosOperator', 'x', 'AT', 'AT', 'x@x.example', '{}', now())
     returning id`,
  )
  const values = [made[0].id]
  await client.query(
    `insert into queue (account_id, id, market, description, identification, configuration, state,
       time_stamp, created_at)
     select $1, gen_random_uuid(), 'AT', '', n::text, '{}', '{}', n, now()
     from generate_series(1, 2000) n`,
    values,
  )
  await client.query(
    `insert into scu (account_id, id, market, package, description, configuration, state,
       time_stamp, created_at)
     select account_id, id, 'AT', 'none', '', '{}', '{}', 1, now() from queue
     where account_id = $1`,
    values,
  )
  await client.query(
    `insert into queue_scu (account_id, queue_id, scu_id, position)
     select account_id, id, id, 0 from queue where account_id = $1`,
    values,
  )
  await client.query(
    `insert into unit_probe (account_id, scu_id, state, since, next_at, told)
     select account_id, id, 'out', now(), now(), true from scu where account_id = $1 limit 200`,
    values,
  )
  await client.query('analyze queue, scu, queue_scu, unit_probe')
  const [text] = await textsOf(forgetUnits)
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  // that one would be made of all units in use
  expect(plan).not.toContain('hashed SubPlan')
})
