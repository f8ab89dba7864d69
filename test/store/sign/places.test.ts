import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { QueueHead } from '../../../src/model/queue.js'
import { commitBatch, loadHead } from '../../../src/store/sign/queues.js'
import type { SignBatch } from '../../../src/store/sign/sign-batch.js'
import { notePlace, signStatement } from '../../../src/store/sign/sign-statement.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected } from '../../support/ledger.js'
import { testStore } from '../../support/make.js'
import { createTill, openStand, type Stand, type Till } from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let stand: Stand
let till: Till

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  stand = openStand(database.config)
})

afterAll(async () => {
  await stand.close()
  await client.end()
  await database.drop()
})

beforeEach(async () => {
  till = await createTill(stand)
})

async function headOf({ accountId, queueId: id }: Till): Promise<QueueHead> {
  const head = await loadHead(stand.store, { accountId, id })
  if (head === undefined) throw new Error('no head')
  return head
}

const NOTHING: SignBatch = {
  ...{ heads: [], items: [], completions: [], recorded: [], receipts: [], markets: [] },
  ...{ actions: [], certificates: [], operations: [], endings: [], outbox: [], events: [] },
  scus: [],
}

interface Move {
  head: QueueHead
  /** Moves since the head was loaded. */
  moves?: bigint
}

/** A queue that moves alone, and the same with its unit. */
const alone = ({ head, moves = 0n }: Move): SignBatch => ({
  ...NOTHING,
  heads: [
    { group: 0, version: head.version + moves, next: head, state: head.state, secretsSealed: null },
  ],
})
const withUnit = (move: Move): SignBatch => {
  const { moves = 0n } = move
  const heads = alone(move).heads.map((one) => ({ ...one, group: 1 }))
  const scus = move.head.scus.map((scu) => ({
    ...{ ...scu, group: 1, version: scu.version + moves, timeStamp: 1n },
  }))
  return { ...NOTHING, heads, scus }
}

const FORMS = [
  ['alone', alone],
  ['with its unit', withUnit],
] as const

/** Tables of the rows that a statement of the form moves. */
const rowsOf = (form: (move: Move) => SignBatch): string[] =>
  form === alone ? ['queue'] : ['queue', 'scu']

async function placeOf(table: 'queue' | 'scu', id: string): Promise<string> {
  const { rows } = await client.query(`select ctid::text as place from ${table} where id = $1`, [
    id,
  ])
  return rows[0].place
}

const nowhere = (): Stand['store']['signPlaces'] => ({ queues: new Map(), units: new Map() })

/** Where this process has seen the row in a version of it. */
function seenOf(
  id: string,
  version: bigint,
  { queues, units } = stand.store.signPlaces,
): string | undefined {
  const seen = queues.get(id) ?? units.get(id)
  return seen?.version === version ? seen.place : undefined
}

/** Pages that PostgreSQL looks at for the statement; nothing of it stays. */
async function pagesOf(batch: SignBatch): Promise<{ pages: number; plan: string }> {
  const { text, values } = signStatement(batch, new Map(), stand.store.signPlaces)
  await client.query('begin')
  try {
    await client.query('set local enable_seqscan = off')
    const { rows } = await client.query(
      `explain (analyze, buffers, timing off, summary off, format json) ${text}`,
      values,
    )
    const [{ Plan }] = rows[0]['QUERY PLAN']
    const pages = Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
    return { pages, plan: JSON.stringify(Plan) }
  } finally {
    await client.query('rollback')
  }
}

/** Until a statement waits for a lock. */
async function isBlocked(): Promise<void> {
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await client.query(waiting)).rowCount === 0) await sleep(5)
}

describe.each(FORMS)('a queue that moves %s', (_, batchOf) => {
  it('is found where it lies, and where it has gone to', async () => {
    const head = await headOf(till)
    const [unit] = head.scus
    for (let moves = 0n; moves < 20n; moves += 1n) {
      expect(seenOf(head.id, head.version + moves)).toBeDefined()
      expect([...(await commitBatch(stand.store, batchOf({ head, moves })))]).toEqual([head.id])
      const seen = seenOf(head.id, head.version + moves + 1n)
      expect(seen).toBe(await placeOf('queue', head.id))
      if (batchOf === alone || unit === undefined) continue
      const unitSeen = seenOf(unit.id, unit.version + moves + 1n)
      expect(unitSeen).toBe(await placeOf('scu', unit.id))
    }
  })

  it('is looked up by its id where nobody knows its place', async () => {
    const head = await headOf(till)
    const store = { ...stand.store, signPlaces: nowhere() }
    expect([...(await commitBatch(store, batchOf({ head })))]).toEqual([head.id])
    expect(seenOf(head.id, head.version + 1n, store.signPlaces)).toBe(
      await placeOf('queue', head.id),
    )
  })

  it('loses once when its row was written anew, and wins when it is loaded', async () => {
    const head = await headOf(till)
    const change = "update queue set description = 'other' where id = $1"
    await client.query(change, [head.id])
    expect([...(await commitBatch(stand.store, batchOf({ head })))]).toEqual([])
    const again = await headOf(till)
    expect(again.version).toBe(head.version)
    expect([...(await commitBatch(stand.store, batchOf({ head: again })))]).toEqual([head.id])
  })

  it.each(rowsOf(batchOf))(
    'is moved whole or not at all, its %s written meanwhile',
    async (table) => {
      const head = await headOf(till)
      const id = table === 'queue' ? head.id : head.scus[0]?.id
      const other = await connected(database.config)
      try {
        await other.query('begin')
        await other.query(`update ${table} set description = 'other' where id = $1`, [id])
        const waiting = commitBatch(stand.store, batchOf({ head }))
        await isBlocked()
        await other.query('commit')
        const moved = (await waiting).has(head.id) ? 1n : 0n
        const now = await headOf(till)
        expect(now.version).toBe(head.version + moved)
        const unitMoved = batchOf === withUnit ? moved : 0n
        const versions = (one: QueueHead, more = 0n) => one.scus.map((scu) => scu.version + more)
        expect(versions(now)).toEqual(versions(head, unitMoved))
      } finally {
        await other.end()
      }
    },
  )

  it('loses where another row lies in its place', async () => {
    const head = await headOf(till)
    const other = await headOf(await createTill(stand))
    const wrong = nowhere()
    const place = await placeOf('queue', other.id)
    notePlace(wrong.queues, head.id, { version: head.version, place })
    const store = { ...stand.store, signPlaces: wrong }
    const before = await client.query('select * from queue order by id')
    expect([...(await commitBatch(store, batchOf({ head })))]).toEqual([])
    expect((await client.query('select * from queue order by id')).rows).toEqual(before.rows)
  })

  it('leaves no states behind that nobody sees any more', async () => {
    const head = await headOf(till)
    const pages = async () => {
      const size = "select pg_relation_size('queue') + pg_relation_size('scu') as bytes"
      return Number((await client.query(size)).rows[0].bytes) / 8192
    }
    // a transaction in another database of the cluster keeps PostgreSQL from looking: once more
    let [moves, grown] = [0n, Number.POSITIVE_INFINITY]
    for (let round = 0; round < 100 && grown >= 20; round += 1) {
      const before = await pages()
      for (const end = moves + 400n; moves < end; moves += 1n) {
        await commitBatch(stand.store, batchOf({ head, moves }))
      }
      grown = (await pages()) - before
    }
    // else a page has five of them
    expect(grown).toBeLessThan(20)
  })

  it('costs the same however many states somebody else may still see', async () => {
    const head = await headOf(till)
    const holder = await connected(database.config)
    try {
      await holder.query('begin')
      await holder.query('select pg_current_xact_id()')
      const first = await pagesOf(batchOf({ head }))
      expect(first.plan).toContain('Tid Range Scan')
      expect(first.plan).not.toContain('Seq Scan')
      for (let moves = 0n; moves < 300n; moves += 1n) {
        await commitBatch(stand.store, batchOf({ head, moves }))
      }
      const later: number[] = []
      for (let moves = 300n; moves < 309n; moves += 1n) {
        later.push((await pagesOf(batchOf({ head, moves }))).pages)
        await commitBatch(stand.store, batchOf({ head, moves }))
      }
      // one that finds its page full goes to another, and its keys are compared with all there are
      const [usual] = later.sort((a, b) => a - b).slice(4)
      expect(usual).toBeLessThanOrEqual(first.pages)
    } finally {
      await holder.end()
    }
  })
})

it('remembers so many places, and no more', () => {
  const places: ReturnType<typeof nowhere>['queues'] = new Map()
  const place = '(0,1)'
  for (let n = 0; n < 50_000; n += 1) notePlace(places, String(n), { version: 1n, place })
  expect(places.size).toBeLessThanOrEqual(20_000)
  expect(places.get('49999')).toEqual({ version: 1n, place })
})

it('a server plans by indexes, and what reads whole tables does not', async () => {
  const plain = testStore(database.config)
  try {
    const settings = `select current_setting('enable_seqscan') as seqscan`
    const of = async ({ pool }: Pick<typeof plain, 'pool'>) =>
      (await pool.query(settings)).rows[0].seqscan
    expect([await of(stand.store), await of(plain)]).toEqual(['off', 'on'])
  } finally {
    await plain.close()
  }
})
