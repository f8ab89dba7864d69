import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FiscalError } from '../../../src/errors.js'
import { Semaphore } from '../../../src/lib/semaphore.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import { answer, createTill, job, openStand, type Till } from '../../support/stand.js'

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

/** Holds the queue, as a slow statement of another server does, until the returned call. */
async function hold(till: Till): Promise<() => Promise<void>> {
  const blocker = await connected(database.config)
  await blocker.query('begin')
  await blocker.query('select 1 from queue where id = $1 for no key update', [till.queueId])
  return async () => {
    await blocker.query('rollback')
    await blocker.end()
  }
}

function codesOf(results: PromiseSettledResult<unknown>[]): string[] {
  return results.map((one) => {
    if (one.status === 'fulfilled') return 'fine'
    return one.reason instanceof FiscalError ? one.reason.code : String(one.reason)
  })
}

const waitsForLock = async (): Promise<number> => {
  const found = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return found.rowCount ?? 0
}

describe('too many receipts', () => {
  it('are refused at once with OVERLOADED, and those that were taken are signed', async () => {
    const stand = openStand(database.config, { limits: { waiting: 5 } })
    const till = await createTill(stand)
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => stand.signing.sign(job(till))),
    )
    const expected = Array.from({ length: 12 }, (_, at) => (at < 5 ? 'fine' : 'OVERLOADED'))
    expect(codesOf(results)).toEqual(expected)
    await answer(stand.signing.sign(job(till)))
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.receipts).toHaveLength(1 + 5 + 1)
    await stand.close()
  })

  it('that waited too long are refused: in line they leave nothing', async () => {
    const stand = openStand(database.config, { limits: { waitingMs: 300 } })
    const till = await createTill(stand)
    const free = await hold(till)
    const first = Promise.allSettled([stand.signing.sign(job(till, { reference: 'first' }))])
    await expect.poll(waitsForLock).toBe(1)
    const late = Promise.allSettled([stand.signing.sign(job(till, { reference: 'late' }))])
    expect(codesOf([...(await first), ...(await late)])).toEqual(['DATABASE_AWAY', 'OVERLOADED'])
    await free()
    await stand.signing.drained()
    const { items } = await readLedger(client, till.queueId)
    expect(items.map((item) => item.receiptReference)).toEqual(['r', 'first'])
    expect(stand.signing.waiting).toBe(0)
    await stand.close()
  })

  it('a change of the time of day makes nobody late', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const stand = openStand(database.config, { deps: { now: () => new Date(time) } })
    const till = await createTill(stand)
    const free = await hold(till)
    const first = stand.signing.sign(job(till))
    await expect.poll(waitsForLock).toBe(1)
    const second = stand.signing.sign(job(till))
    time += 3_600_000
    await free()
    await Promise.all([answer(first), answer(second)])
    await stand.close()
  })
})

describe('a queue that hangs', () => {
  it('does not keep other queues from signing', async () => {
    const stand = openStand(database.config)
    const stuck = await createTill(stand)
    const other = await createTill(stand)
    const free = await hold(stuck)
    const waiting = stand.signing.sign(job(stuck))
    await expect.poll(waitsForLock).toBe(1)
    for (let round = 0; round < 5; round += 1) await answer(stand.signing.sign(job(other)))
    expect((await readLedger(client, stuck.queueId)).items).toHaveLength(1)
    await free()
    await answer(waiting)
    await stand.close()
  })
})

describe('drained', () => {
  it('resolves when everything that waited is answered', async () => {
    const stand = openStand(database.config)
    const till = await createTill(stand)
    const free = await hold(till)
    const results = [1, 2, 3].map(() => stand.signing.sign(job(till)))
    let drained = false
    const end = stand.signing.drained().then(() => {
      drained = true
    })
    await expect.poll(waitsForLock).toBe(1)
    expect(drained).toBe(false)
    await free()
    await end
    await Promise.all(results.map(answer))
    await stand.close()
  })
})

describe('turns', () => {
  it('lets so many run at a time, in the order in which they came', async () => {
    const turns = new Semaphore(2)
    const order: number[] = []
    const ends: (() => void)[] = []
    const start = (number: number) =>
      turns.run(async () => {
        order.push(number)
        await new Promise<void>((resolve) => ends.push(resolve))
      })
    const all = [1, 2, 3, 4].map(start)
    await expect.poll(() => order).toEqual([1, 2])
    ends[0]?.()
    await expect.poll(() => order).toEqual([1, 2, 3])
    ends[1]?.()
    ends[2]?.()
    await expect.poll(() => order).toEqual([1, 2, 3, 4])
    ends[3]?.()
    await Promise.all(all)
  })

  it('hands a place on when the work fails', async () => {
    const turns = new Semaphore(1)
    const broken = turns.run(() => Promise.reject(new Error('broken')))
    const fine = turns.run(() => Promise.resolve('fine'))
    await expect(broken).rejects.toThrow('broken')
    expect(await fine).toBe('fine')
  })
})
