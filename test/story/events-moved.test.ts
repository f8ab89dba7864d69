// Events of eight writers, some of whom commit late, moved by processes that are killed: the
// streams have each of them once, without gaps, and those of a writer in his order.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Child } from '../support/child.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { connected } from '../support/ledger.js'

const WRITERS = 8
/** Of each writer; npm run soak has more. */
const EVENTS = Number(process.env.MOVED_EVENTS ?? 1_500)
const KILLS = Number(process.env.MOVED_KILLS ?? 6)

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const INSERT = `insert into inbox (account_id, also_account_id, event_id, type, subject_kind,
  subject_id, data, at) values ($1, $2, $3, 'queue.started', 'queue', $4, $5, now())`

interface Written {
  account: string
  also: string | null
  id: string
  queue: string
  nth: number
}

/** Each writer has a queue of his own; every tenth transaction takes its time, some are undone. */
async function write(
  account: string,
  also: string | null,
  random: () => number,
): Promise<Written[]> {
  const own = await connected(database.config)
  const queue = randomUUID()
  const written: Written[] = []
  try {
    for (let nth = 0; nth < EVENTS; nth += 1) {
      const id = randomUUID()
      await own.query('begin')
      await own.query(INSERT, [account, also, id, queue, JSON.stringify({ nth })])
      if (random() < 0.1) await sleep(random() * 30)
      const isUndone = random() < 0.02
      await own.query(isUndone ? 'rollback' : 'commit')
      if (!isUndone) written.push({ account, also, id, queue, nth })
    }
  } finally {
    await own.end()
  }
  return written
}

/** Numbers that a test can repeat. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

it('are told once, in order and without gaps, whoever is killed while they are moved', {
  timeout: 60_000 + WRITERS * EVENTS * 5,
}, async () => {
  const accounts = [randomUUID(), randomUUID(), randomUUID()] as const
  const args = [JSON.stringify(database.config)]
  const start = async () => {
    const child = new Child('pump-script.ts', args)
    await child.line()
    return child
  }
  const pumps = [await start(), await start()]
  const writing = Promise.all(
    Array.from({ length: WRITERS }, (_, at) => {
      const also = at % 4 === 0 ? accounts[2] : null
      return write(accounts[at % 2] ?? '', also, numbersFrom(at + 1))
    }),
  )
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(300)
    const [victim] = pumps.splice(kill % pumps.length, 1)
    await victim?.kill('SIGKILL')
    // their sessions end in the middle as well
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%from inbox%' and pid <> pg_backend_pid()`)
    pumps.push(await start())
  }
  const written = (await writing).flat()
  await expect
    .poll(async () => (await client.query('select from inbox limit 1')).rows.length, {
      timeout: 20_000 + WRITERS * EVENTS,
    })
    .toBe(0)
  for (const pump of pumps) await pump.kill('SIGKILL')
  for (const account of accounts) {
    const { rows } = await client.query<{ seq: string; id: string; queue: string; data: string }>(
      `select seq, id, subject_id as queue, data from event where account_id = $1 order by seq`,
      [account],
    )
    expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, at) => at + 1))
    const wanted = written.filter((one) => one.account === account || one.also === account)
    expect(rows.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort())
    for (const queue of new Set(wanted.map((one) => one.queue))) {
      const told = rows.filter((row) => row.queue === queue)
      const order = told.map(({ data }) => (JSON.parse(data) as { nth: number }).nth)
      expect(order).toEqual(wanted.filter((one) => one.queue === queue).map(({ nth }) => nth))
    }
  }
  const heads = await client.query('select seq from stream_head order by seq')
  expect(heads.rows).toHaveLength(accounts.length)
})
