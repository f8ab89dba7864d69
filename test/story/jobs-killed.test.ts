// Servers that are killed and frozen while they do long work: it ends, by one of them at a time,
// and nothing that was kept is done again.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../src/core/accounts/accounts.js'
import { findJob, insertJob, type JobRow } from '../../src/store/event/job/jobs.js'
import { Child } from '../support/child.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { newAccount } from '../support/dealer.js'
import { openStand, type Stand, testKey } from '../support/stand.js'

let database: TestDatabase
let stand: Stand
let accountId = ''
const masterKey = testKey()
beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config, { masterKey })
  const accounts = { store: stand.store, now: () => new Date() }
  accountId = (await createAccount(accounts, newAccount('PosOperator'))).accountId
  await stand.store.pool.query('create table step (n serial, job_id uuid, step int, pid int)')
})
afterAll(async () => {
  await stand.close()
  await database.drop()
})

async function start(stepMs: number): Promise<Child> {
  const settings = { connection: database.config, masterKey: masterKey.toString('base64'), stepMs }
  const child = new Child('job-script.ts', [JSON.stringify(settings)])
  await child.line()
  return child
}

async function ask(total: number): Promise<string> {
  const id = randomUUID()
  const job = { accountId, id, kind: 'steps', askedBy: accountId, args: { total }, at: new Date() }
  await stand.store.prisma.$transaction((tx) => insertJob(tx, job))
  return id
}

async function shown(id: string): Promise<JobRow> {
  const row = await findJob(stand.store, { accountId, id })
  if (row === undefined) throw new Error('the job is gone')
  return row
}

/** Looks at it until it has ended; it is never shown as running with an old pulse. */
async function ended(id: string): Promise<JobRow> {
  for (;;) {
    const row = await shown(id)
    if (row.state === 'running') {
      const age = Date.now() - (row.heartbeatAt?.getTime() ?? 0)
      expect(age).toBeLessThan(20_000)
    }
    if (row.finishedAt !== null) return row
    await sleep(100)
  }
}

const rows = async <T>(sql: string, id: string): Promise<T[]> =>
  (await stand.store.pool.query(sql, [id])).rows as T[]

async function expectDone(id: string, total: number): Promise<void> {
  const row = await ended(id)
  expect([row.state, row.result]).toEqual(['succeeded', JSON.stringify({ steps: total })])
  const steps = await rows<{ step: number; n: number }>(
    'select step, n from step where job_id = $1 order by n',
    id,
  )
  expect(new Set(steps.map(({ step }) => step)).size).toBe(total)
  // a step back goes to the last checkpoint, and no further
  let furthest = -1
  for (const { step } of steps) {
    expect(step).toBeLessThanOrEqual(furthest + 1)
    expect(step).toBeGreaterThanOrEqual(Math.floor(furthest / 3) * 3)
    furthest = Math.max(furthest, step)
  }
}

describe('long work', () => {
  it('goes on behind its last checkpoint when the servers that do it are killed', async () => {
    const servers = [await start(15), await start(15)]
    const history = fc.array(
      fc.record({ who: fc.nat(1), afterMs: fc.integer({ max: 700, min: 0 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    await fc.assert(
      fc.asyncProperty(history, async (kills) => {
        const total = 60
        const id = await ask(total)
        for (const { who, afterMs } of kills) {
          await sleep(afterMs)
          await servers[who]?.kill('SIGKILL')
          servers[who] = await start(15)
        }
        await expectDone(id, total)
      }),
      { numRuns: 4, endOnFailure: true },
    )
    for (const server of servers) await server.kill('SIGKILL')
  }, 180_000)

  it('is taken from a server that is frozen, which changes nothing when it wakes', async () => {
    const frozen = await start(20)
    const id = await ask(400)
    const pids = async () =>
      (await rows<{ pid: number }>('select distinct pid from step where job_id = $1', id)).length
    await expect.poll(pids, { timeout: 20_000 }).toBe(1)
    frozen.process.kill('SIGSTOP')
    const other = await start(20)
    await sleep(10_000)
    expect([(await shown(id)).state, await pids()]).toEqual(['running', 1])
    await expect.poll(pids, { timeout: 15_000 }).toBe(2)
    frozen.process.kill('SIGCONT')
    await expectDone(id, 400)
    const late = await rows<{ count: number }>(
      `select count(*)::int4 as count from step s where job_id = $1 and pid = ${frozen.process.pid}
         and n > (select min(n) from step o where o.job_id = s.job_id and o.pid <> s.pid)`,
      id,
    )
    // the one that it was in the middle of, until it looks at its lease
    expect(late[0]?.count).toBeLessThanOrEqual(3)
    await frozen.kill('SIGKILL')
    await other.kill('SIGKILL')
  }, 90_000)
})
