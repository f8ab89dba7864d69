// Receipts that lie in this server alone: what is taken out of a register, or kept outside by a
// backup, is noted, and when it was too long ago people are told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerPaths, watchedBy } from '../../src/core/event/problem/watched.js'
import { exportJournal } from '../../src/core/journal/export.js'
import { workOutbox } from '../../src/core/journal/outbox.js'
import { tellKept } from '../../src/core/journal/told.js'
import { isoText, ticksOf } from '../../src/lib/ticks.js'
import { everyFacts, marketOf } from '../../src/market/index.js'
import { detect } from '../../src/store/event/problem/detectors.js'
import { readRegisters } from '../../src/store/event/problem/registers.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { answer, createTill, job, openStand, type Stand, type Till } from '../support/stand.js'

const DAY_MS = 24 * 60 * 60 * 1000
const BEGAN = Date.parse('2031-03-01T09:00:00Z')
const CLOSING = 0x4445_0001_0000_0007n

let database: TestDatabase
let stand: Stand
let at: Till
let de: Till
let clock = BEGAN

const now = () => new Date(clock)

beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config, { deps: { now } })
  at = await createTill(stand)
  de = await createTill(stand, { market: 'DE' })
})
afterAll(async () => {
  await stand.close()
  await database.drop()
})

async function sell(till: Till, minute: number, wanted = {}): Promise<void> {
  clock = Math.max(clock, BEGAN + minute * 60_000)
  await answer(stand.signing.sign(job(till, wanted)))
}

async function since(till: Till): Promise<string | null> {
  const { rows } = await stand.store.pool.query('select state from queue where id = $1', [
    till.queueId,
  ])
  return JSON.parse(rows[0]?.state).heldSince
}

const minute = (of: number): string => isoText(new Date(BEGAN + of * 60_000))
const ticks = (of: number): bigint => ticksOf(BEGAN + of * 60_000)

/** All work that waits, in its order. */
async function work(till: Till): Promise<number> {
  const { rows } = await stand.store.pool.query(
    `delete from graphile_worker._private_jobs where key like $1 returning id, payload`,
    [`outbox:${till.queueId}:exported:%`],
  )
  const deps = { store: stand.store, marketOf, tools: stand.deps.tools, now }
  const run = { signal: new AbortController().signal, last: false }
  for (const { payload } of rows) {
    await workOutbox({ ...deps, open: stand.signing.open }, payload, run)
  }
  return rows.length
}

async function takeOut(till: Till, type: bigint, range = { from: 0n, to: 0n }): Promise<number> {
  const { accountId, queueId } = till
  const deps = { store: stand.store, marketOf, now }
  const { body } = await exportJournal(deps, { accountId, queueId, type, range })
  for await (const _piece of body);
  return work(till)
}

describe('the Austrian journal', () => {
  const DEP7 = 0x4154_0000_0000_0001n
  const DEP131 = 0x4154_0000_0000_0131n

  it('lies here alone from the first receipt on, and is taken out by a whole DEP7', async () => {
    expect(await since(at)).toBe(minute(0))
    await sell(at, 1)
    expect(await takeOut(at, DEP131)).toBe(1)
    expect(await since(at)).toBe(minute(0))
    await takeOut(at, DEP7)
    expect(await since(at)).toBeNull()
  })

  it('is held again from the next receipt on; pieces go on where the last one ended', async () => {
    await sell(at, 10)
    await sell(at, 20)
    await sell(at, 30)
    expect(await since(at)).toBe(minute(10))
    // behind a gap, a number of rows, and one that ends before
    await takeOut(at, DEP7, { from: ticks(15), to: 0n })
    await takeOut(at, DEP7, { from: 0n, to: -100n })
    await takeOut(at, DEP7, { from: 0n, to: ticks(5) })
    expect(await since(at)).toBe(minute(10))
    await takeOut(at, DEP7, { from: ticks(10), to: ticks(25) })
    expect(await since(at)).toBe(minute(25))
    await takeOut(at, DEP7, { from: ticks(25), to: 0n })
    expect(await since(at)).toBeNull()
  })

  it('is outside when a backup has kept it', async () => {
    await sell(at, 40)
    const deps = { store: stand.store, now }
    const { accountId, queueId } = at
    const market = marketOf('AT')
    await tellKept(deps, { accountId, queueId }, { market, until: new Date(clock + 1) })
    expect(await work(at)).toBe(1)
    expect(await since(at)).toBeNull()
  })
})

it('the German data are outside with the closing that has them', async () => {
  const DSFINVK = 0x4445_0000_0000_0002n
  expect(await since(de)).not.toBeNull()
  await sell(de, 50)
  await sell(de, 51, { receiptCase: CLOSING, cents: null })
  await sell(de, 60)
  await takeOut(de, DSFINVK)
  expect(await since(de)).toBe(minute(60))
  await sell(de, 61, { receiptCase: CLOSING, cents: null })
  await takeOut(de, DSFINVK)
  expect(await since(de)).toBeNull()
})

async function told(till: Till, days: number) {
  const state = `jsonb_set(state::jsonb, '{heldSince}', to_jsonb($2::text))::text`
  const held = isoText(new Date(Date.now() - days * DAY_MS))
  await stand.store.pool.query(`update queue set state = ${state} where id = $1`, [
    till.queueId,
    held,
  ])
  const facts = everyFacts
  const client = await stand.store.pool.connect()
  await readRegisters(client, registerPaths(facts)).finally(() => client.release())
  await detect(stand.store, 'archive', { restMs: 0, watched: watchedBy('archive', facts) })
  const { rows } = await stand.store.pool.query(
    `select severity, due from problem where kind = 'archive' and subject_id = $1
      and cleared_at is null`,
    [till.queueId],
  )
  return rows.map(({ severity, due }) => [severity, due === null ? null : +due])
}

it.each([
  ...[
    { days: 77, severity: undefined },
    { days: 79, severity: 1 },
  ],
  ...[
    { days: 86, severity: 2 },
    { days: 93, severity: 3 },
    { days: 1, severity: undefined },
  ],
])('an Austrian register with receipts of $days days: severity $severity', async (given) => {
  const due = Math.floor((Date.now() + (92 - given.days) * DAY_MS) / DAY_MS)
  const found = await told(at, given.days)
  const days = found.map(([severity, at]) => [severity, Math.floor((at ?? 0) / DAY_MS)])
  expect(days).toEqual(given.severity === undefined ? [] : [[given.severity, due]])
})

it('a German one is told of after a year, without a last day', async () => {
  expect(await told(de, 364)).toEqual([])
  expect(await told(de, 366)).toEqual([[1, null]])
})
