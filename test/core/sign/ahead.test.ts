// Receipts that come while the statement before is on its way are computed meanwhile; whatever
// becomes of that statement, each gets one number, one place in the chain and one answer.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { SignResult } from '../../../src/core/sign/job.js'
import { marketOf } from '../../../src/market/index.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  answer,
  createTill,
  job,
  member,
  openStand,
  type Stand,
  type StandOptions,
  type Till,
  testKey,
} from '../../support/stand.js'

const masterKey = testKey()
let database: TestDatabase
let client: pg.Client
let holder: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  holder = await connected(database.config)
})

afterAll(async () => {
  await client.end()
  await holder.end()
  await database.drop()
})

/** A stand that counts what its countries are asked to do. */
function counting(options: StandOptions = {}, pauseMs?: () => number) {
  const asked: string[] = []
  const stand = openStand(database.config, {
    masterKey,
    ...options,
    deps: {
      ...options.deps,
      marketOf: (code) => {
        const market = marketOf(code)
        const process: typeof market.process = (input) => {
          asked.push(input.receipt.request.receiptReference ?? '')
          const ms = pauseMs?.() ?? 0
          return ms === 0 ? market.process(input) : sleep(ms).then(() => market.process(input))
        }
        return { ...market, process }
      },
    },
  })
  onTestFinished(() => stand.close())
  return { stand, asked }
}

/** The next statement of the queue waits until it is let go. */
async function hold({ queueId }: Till): Promise<(change?: string) => Promise<void>> {
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM queue WHERE id = $1 FOR UPDATE', [queueId])
  return async (change) => {
    if (change !== undefined) await holder.query(change, [queueId])
    await holder.query('COMMIT')
  }
}

/** One receipt, whose statement waits for the holder. */
async function sent(stand: Stand, till: Till): Promise<{ first: Promise<SignResult> }> {
  const first = stand.signing.sign(job(till, { reference: 'first' }))
  // looked at later
  void Promise.allSettled([first])
  await expect.poll(isHeld).toBe(true)
  return { first }
}

async function isHeld(): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_stat_activity
     WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  )
  return rows.length > 0
}

const references = (count: number) => Array.from({ length: count }, (_, at) => `r${at}`)

const signAll = ({ signing }: Stand, till: Till, count: number) =>
  references(count).map((reference) => signing.sign(job(till, { reference })))

/** Five receipts are computed behind the statement of another one, which is held. */
async function fiveBehind({ stand, asked }: ReturnType<typeof counting>, till: Till) {
  const release = await hold(till)
  const { first } = await sent(stand, till)
  const all = signAll(stand, till, 5)
  await expect.poll(() => asked.slice(-5)).toEqual(references(5))
  return { release, first, all }
}

/** Nothing of the queue is lost, doubled or out of order. */
async function holds(till: Till, stand: Stand, texts: readonly string[]): Promise<void> {
  const ledger = await readLedger(client, till.queueId)
  verifyLedger(ledger, stand.store.sealer)
  const rows = texts.map((text) => Number(member(text, 'ftQueueRow')))
  expect(rows).toEqual(rows.toSorted((a, b) => a - b))
  const stored = new Set(ledger.items.map((item) => item.response))
  expect(texts.every((text) => stored.has(text))).toBe(true)
}

describe('receipts behind a statement that is on its way', () => {
  it('are computed once, before it comes back, and written together', async () => {
    const { stand, asked } = counting()
    const till = await createTill(stand)
    const release = await hold(till)
    const { first } = await sent(stand, till)
    asked.length = 0
    stand.seen.batches.length = 0
    const all = signAll(stand, till, 40)
    await expect.poll(() => asked).toEqual(references(40))
    expect(stand.seen.batches).toEqual([])
    await release()
    const texts = await Promise.all([first, ...all].map(answer))
    expect(asked).toEqual(references(40))
    expect(stand.seen.batches.map(({ receipts }) => receipts)).toEqual([1, 40])
    await holds(till, stand, texts)
  })

  it('are computed anew where another server was faster', async () => {
    const { stand, asked } = counting()
    const till = await createTill(stand)
    const { release, first, all } = await fiveBehind({ stand, asked }, till)
    asked.length = 0
    await release('UPDATE queue SET version = version + 1 WHERE id = $1')
    const texts = await Promise.all([first, ...all].map(answer))
    expect(asked).toEqual(['first', ...references(5)])
    expect(stand.seen.conflicts).toBe(1)
    await holds(till, stand, texts)
  })

  it('are computed anew where the queue was changed', async () => {
    const { stand, asked } = counting()
    const till = await createTill(stand)
    const { release, first, all } = await fiveBehind({ stand, asked }, till)
    asked.length = 0
    stand.signing.refresh(till.queueId)
    await release()
    const texts = await Promise.all([first, ...all].map(answer))
    expect(asked).toEqual(references(5))
    await holds(till, stand, texts)
  })

  it('are refused when their time is over, and leave nothing', async () => {
    const { stand, asked } = counting({ limits: { waitingMs: 800 } })
    const till = await createTill(stand)
    const { release, first, all } = await fiveBehind({ stand, asked }, till)
    const refused = await Promise.allSettled([first, ...all])
    expect(refused.map((one) => one.status === 'rejected' && one.reason.code)).toEqual([
      ...['DATABASE_AWAY', 'OVERLOADED', 'OVERLOADED', 'OVERLOADED', 'OVERLOADED', 'OVERLOADED'],
    ])
    await release()
    const text = await answer(stand.signing.sign(job(till, { reference: 'after' })))
    const { items } = await readLedger(client, till.queueId)
    expect(items.slice(1).map((item) => item.receiptReference)).toEqual(['first', 'after'])
    await holds(till, stand, [text])
  })

  it('are computed anew where one before them was refused meanwhile', async () => {
    const { stand } = counting({ limits: { waitingMs: 1500 } })
    const till = await createTill(stand)
    const release = await hold(till)
    const { first } = await sent(stand, till)
    const [early] = signAll(stand, till, 1)
    await sleep(900)
    const late = stand.signing.sign(job(till, { reference: 'late' }))
    const refused = await Promise.allSettled([first, early])
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await release()
    const text = await answer(late)
    const { items } = await readLedger(client, till.queueId)
    expect(items.slice(1).map((item) => item.receiptReference)).toEqual(['first', 'late'])
    await holds(till, stand, [text])
  })

  it('are computed anew where that statement failed', async () => {
    const { stand, asked } = counting()
    const till = await createTill(stand)
    await client.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.receipt_reference = 'first' THEN RAISE EXCEPTION 'refused'; END IF;
      RETURN NEW; END $$`)
    await client.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON queue_item FOR EACH ROW EXECUTE FUNCTION refuse()',
    )
    onTestFinished(async () => void (await client.query('DROP FUNCTION refuse CASCADE')))
    const { release, first, all } = await fiveBehind({ stand, asked }, till)
    asked.length = 0
    await release()
    await expect(first).rejects.toThrow('refused')
    const texts = await Promise.all(all.map(answer))
    expect(asked).toEqual(references(5))
    const { items } = await readLedger(client, till.queueId)
    expect(items.slice(1).map((item) => item.receiptReference)).toEqual(references(5))
    await holds(till, stand, texts)
  })

  it('do not keep the next statement back where a country takes its time', async () => {
    const { stand } = counting({}, () => 4)
    const till = await createTill(stand)
    const release = await hold(till)
    const { first } = await sent(stand, till)
    // more than can be computed
    const results: Promise<string>[] = []
    const timer = setInterval(() => results.push(answer(stand.signing.sign(job(till)))), 2)
    onTestFinished(() => clearInterval(timer))
    await sleep(100)
    await release()
    await answer(first)
    await results[0]
    const waitedFor = results.length
    clearInterval(timer)
    const texts = await Promise.all(results)
    expect(waitedFor).toBeLessThan(500)
    const { receipts } = await readLedger(client, till.queueId)
    expect(receipts).toHaveLength(2 + texts.length)
    await holds(till, stand, texts)
  })
})

/** What happens to a queue, in this order; receipts wait for nothing unless it says so. */
const EVENT = fc.oneof(
  { weight: 6, arbitrary: fc.record({ sells: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 2, arbitrary: fc.constant('turn' as const) },
  ...(['other server sells', 'is changed', 'pause'] as const).map((what) => ({
    weight: 1,
    arbitrary: fc.constant(what),
  })),
)

it('whatever happens in which order: one number, one place, one answer each', async () => {
  let pauseMs = 0
  const { stand } = counting({}, () => pauseMs)
  const { stand: other } = counting()
  await fc.assert(
    fc.asyncProperty(
      fc.array(EVENT, { minLength: 5, maxLength: 40 }),
      fc.boolean(),
      async (events, takesTime) => {
        pauseMs = 0
        const till = await createTill(stand)
        pauseMs = takesTime ? 1 : 0
        const results: Promise<string>[] = []
        const others: Promise<string>[] = []
        for (const event of events) {
          if (event === 'turn') await new Promise(setImmediate)
          else if (event === 'pause') await sleep(3)
          else if (event === 'is changed') stand.signing.refresh(till.queueId)
          else if (event === 'other server sells')
            others.push(answer(other.signing.sign(job(till))))
          else {
            for (let at = 0; at < event.sells; at += 1) {
              results.push(answer(stand.signing.sign(job(till))))
            }
          }
        }
        const texts = await Promise.all(results)
        const more = await Promise.all(others)
        const { receipts } = await readLedger(client, till.queueId)
        expect(receipts).toHaveLength(1 + texts.length + more.length)
        await holds(till, stand, texts)
        expect(new Set([...texts, ...more]).size).toBe(texts.length + more.length)
      },
    ),
    { numRuns: Number(process.env.AHEAD_RUNS ?? 15) },
  )
}, 60_000)
