// The connection by which a server is known to be alive, over a network that falls silent: whoever
// has lost it knows that before the others do, and nobody waits for it without an end.
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { isAway } from '../../src/store/client.js'
import {
  OPERATION_CHANNEL,
  type OperationLine,
  openOperationLine,
  RUNNER_CLASS,
} from '../../src/store/operation/operation-line.js'
import { type BreakingProxy, breakingProxy } from '../support/breaking-proxy.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'

const BEAT_MS = 400 * Number(process.env.TEST_PATIENCE ?? 1)
const RUNNER = 4_711
const NEVER = Number.POSITIVE_INFINITY

let database: TestDatabase
let direct: pg.Pool
let network: BreakingProxy
let line: OperationLine | undefined

beforeAll(async () => {
  database = await createTestDatabase()
  direct = new pg.Pool({ ...database.config, max: 2 })
  network = await breakingProxy(`${database.config.host}/.s.PGSQL.${database.config.port}`)
})
afterEach(async () => {
  await line?.close()
  network.plan({ way: 'there', behind: NEVER, how: 'silent' })
})
afterAll(async () => {
  await network.close()
  await direct.end()
  await database.drop()
})

function opened(): OperationLine {
  const connection = { ...database.config, host: '127.0.0.1', port: network.port }
  line = openOperationLine({ connection, pool: direct }, RUNNER, BEAT_MS)
  return line
}

/** A lock of a line that is silent stays until PostgreSQL gives that up. */
async function holders(): Promise<number> {
  const { rows } = await direct.query<{ count: string }>(
    `select count(*) from pg_locks where locktype = 'advisory' and granted and classid = $1
       and objid = $2`,
    [RUNNER_CLASS, RUNNER],
  )
  return Number(rows[0]?.count)
}

it.each(['there', 'back'] as const)(
  'is not ready two beats after its network fell silent (%s), and is again behind that',
  async (way) => {
    const made = opened()
    const ends: (string | undefined)[] = []
    made.onEnd((id) => ends.push(id))
    await made.ready()
    expect(made.isReady).toBe(true)
    const before = await holders()
    ends.length = 0
    network.plan({ way, behind: 0, how: 'silent' })
    await vi.waitUntil(() => !made.isReady, { timeout: 8 * BEAT_MS, interval: 5 })
    expect(network.isBroken()).toBe(true)
    // a new connection, whose listeners hear that something may have been missed
    await vi.waitUntil(() => made.isReady, { timeout: 10_000, interval: 20 })
    expect(ends).toEqual([undefined])
    await direct.query('select pg_notify($1, $2)', [OPERATION_CHANNEL, 'an id'])
    await vi.waitUntil(() => ends.includes('an id'), { timeout: 10_000, interval: 20 })
    expect(await holders()).toBe(before + 1)
  },
)

it.each([0, 20, 400])(
  'that cannot be opened, because it is silent behind %i bytes, says that the database is away',
  async (bytes) => {
    const made = opened()
    const before = await holders()
    network.plan({ way: 'back', behind: bytes, how: 'silent' })
    const began = performance.now()
    const error: unknown = await made.ready().catch((one: unknown) => one)
    expect(error).toBeInstanceOf(Error)
    expect(isAway(error), String(error)).toBe(true)
    expect(performance.now() - began).toBeLessThan(30 * BEAT_MS)
    expect(network.isBroken()).toBe(true)
    await made.ready()
    expect(await holders()).toBeGreaterThan(before)
  },
)

it('that is quiet stays open: a beat is no end', async () => {
  const made = opened()
  await made.ready()
  await new Promise((done) => setTimeout(done, 6 * BEAT_MS))
  expect(made.isReady).toBe(true)
})

/** Of many looks within some seconds, a thousandth apart: the least that held the lock. */
const LEAST = `create function least_held(class int, runner int, looks int) returns int
language plpgsql as $$
declare
  held int;
  least int;
begin
  for nth in 1..looks loop
    perform pg_sleep(0.001);
    select count(*) into held from pg_locks l
      where l.locktype = 'advisory' and l.granted and l.classid = class and l.objid = runner;
    least := least(least, held);
  end loop;
  return least;
end $$`

it('of a server that was busy itself is held all the while', async () => {
  const made = opened()
  await made.ready()
  const before = await holders()
  await direct.query(LEAST)
  const ends: (string | undefined)[] = []
  made.onEnd((id) => ends.push(id))
  // behind a beat nothing is heard for some others
  const { query } = pg.Client.prototype
  const beat = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...sent: unknown[]
  ) {
    const answer: unknown = Reflect.apply(query, this, sent)
    if (sent[0] === 'select 1' && beat.mock.calls.filter(([one]) => one === sent[0]).length === 1) {
      process.nextTick(() => {
        const until = performance.now() + 3 * BEAT_MS
        while (performance.now() < until);
      })
    }
    return answer
  })
  const { rows } = await direct.query<{ least: number }>('select least_held($1, $2, $3) as least', [
    RUNNER_CLASS,
    RUNNER,
    6 * BEAT_MS,
  ])
  beat.mockRestore()
  expect(ends).toEqual([undefined])
  expect(rows[0]?.least).toBe(before)
  expect(made.isReady).toBe(true)
})
