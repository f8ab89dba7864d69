// The job queue: what a server takes on, gives back and leaves behind.
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createJobs, type Jobs } from '../../src/jobs/runner.js'
import type { Task } from '../../src/jobs/tasks.js'
import {
  addJob,
  freeJobs,
  holderOf,
  JOB_CONNECTIONS,
  listJobs,
  openJobPool,
  retryJob,
} from '../../src/store/message/jobs.js'
import type { OperationLine } from '../../src/store/operation/operation-line.js'
import { openOperationLine } from '../../src/store/operation/operation-line.js'
import { inTransaction } from '../../src/store/transaction.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { openStand, type Stand } from '../support/stand.js'

let database: TestDatabase
let stand: Stand
const open: { jobs: Jobs; line: OperationLine }[] = []
const warnings: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config)
})
afterEach(async () => {
  for (const { jobs, line } of open.splice(0)) {
    await jobs.stop()
    await line.close()
  }
  await query('delete from graphile_worker._private_jobs')
})
afterAll(async () => {
  await stand.close()
  await database.drop()
})

async function query(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return (await stand.store.pool.query<Record<string, unknown>>(sql, values)).rows
}

function work(task: Task, runner = randomInt(2 ** 31 - 1)): { runner: number; jobs: Jobs } {
  const line = openOperationLine(stand.store, runner)
  const jobs = createJobs({
    ...{ store: stand.store, runner, alive: () => line.ready(), tasks: { count: task } },
    log: { warn: (_, text) => warnings.push(text), error: (_, text) => warnings.push(text) },
    sweepMs: 200,
  })
  jobs.start()
  open.push({ jobs, line })
  return { runner, jobs }
}

const add = (number: number, attempts = 3) =>
  addJob(stand.store.pool, { task: 'count', payload: { number }, key: `n:${number}`, attempts })

const addInOrder = (number: number) =>
  query(
    `select graphile_worker.add_job('count', json_build_object('number', $1::int),
       queue_name => 'one', max_attempts => 3, job_key => 'n:' || $1)`,
    [number],
  )

const jobs = () =>
  query('select id::text, key, attempts, locked_by, last_error from graphile_worker.jobs')

describe('a job', () => {
  it('commits with the transaction that adds it, and not without it', async () => {
    const seen: unknown[] = []
    work(async (payload) => void seen.push(payload))
    const rolledBack = inTransaction(stand.store, async (client) => {
      await addJob(client, { task: 'count', payload: { number: 1 }, key: 'n:1', attempts: 3 })
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await inTransaction(stand.store, (client) =>
      addJob(client, { task: 'count', payload: { number: 2 }, key: 'n:2', attempts: 3 }),
    )
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual([{ number: 2 }])
    await expect.poll(jobs).toEqual([])
  })

  it('that fails for good stays and is shown, until somebody has it tried again', async () => {
    let broken = true
    let done = 0
    const lasts: boolean[] = []
    work(async (_, { last }) => {
      lasts.push(last)
      if (broken) throw new Error('broken')
      done += 1
    })
    await add(1, 1)
    await expect
      .poll(() => listJobs(stand.store, 10), { timeout: 10_000 })
      .toMatchObject([{ task: 'count', state: 'failed', attempts: 1, error: 'broken' }])
    const [job] = await listJobs(stand.store, 10)
    broken = false
    expect(await retryJob(stand.store, job?.id ?? '')).toBe(true)
    await expect.poll(() => done, { timeout: 10_000 }).toBe(1)
    await expect.poll(jobs).toEqual([])
    expect(lasts).toEqual([true, true])
    expect(await retryJob(stand.store, '999999')).toBe(false)
  })

  it('is locked under the number of its server, and listed as running', async () => {
    let finish = (): void => undefined
    const { runner } = work(
      () =>
        new Promise((resolve) => {
          finish = resolve
        }),
    )
    await add(1)
    await expect
      .poll(jobs, { timeout: 10_000 })
      .toMatchObject([{ locked_by: holderOf(runner), attempts: 1 }])
    expect(await listJobs(stand.store, 10)).toMatchObject([{ state: 'running' }])
    // others see by its lock that it is alive, however long that takes
    await query(`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour'`)
    expect(await freeJobs(stand.store, { runner: 1, running: [] })).toBe(0)
    finish()
    await expect.poll(jobs).toEqual([])
  })
})

describe('a job that is locked', () => {
  const lock = (holder: string, age: string) =>
    query(
      `update graphile_worker._private_jobs set locked_by = $1, attempts = 1,
       locked_at = now() - $2::interval`,
      [holder, age],
    )

  it('by a server that died is taken over at once', async () => {
    let done = 0
    await add(1)
    await lock(holderOf(2 ** 31 - 2), '1 second')
    work(async () => {
      done += 1
    })
    await expect.poll(() => done, { timeout: 10_000 }).toBe(1)
  })

  it('by a server that never heard of it is given back after a while', async () => {
    const runner = randomInt(2 ** 31 - 3)
    const line = openOperationLine(stand.store, runner)
    await line.ready()
    await add(1)
    await lock(holderOf(runner), '5 seconds')
    expect(await freeJobs(stand.store, { runner, running: [] })).toBe(0)
    await lock(holderOf(runner), '11 seconds')
    const [job] = await jobs()
    expect(await freeJobs(stand.store, { runner, running: [String(job?.id)] })).toBe(0)
    expect(await freeJobs(stand.store, { runner, running: [] })).toBe(1)
    expect(await jobs()).toMatchObject([{ locked_by: null }])
    await line.close()
  })

  it('by a server that died keeps nobody from the jobs behind it', async () => {
    const done: unknown[] = []
    for (const number of [1, 2, 3]) await addInOrder(number)
    await query(
      `update graphile_worker._private_jobs set locked_by = $1, attempts = 1,
         locked_at = now() where key = 'n:1'`,
      [holderOf(2 ** 31 - 2)],
    )
    await query(
      `update graphile_worker._private_job_queues set locked_by = $1, locked_at = now()`,
      [holderOf(2 ** 31 - 2)],
    )
    work(async (payload) => void done.push(payload))
    await expect.poll(() => done, { timeout: 10_000 }).toHaveLength(3)
  })

  it('by a server that is at work keeps the order of its jobs', async () => {
    let finish = (): void => undefined
    const begun: unknown[] = []
    const once = async (payload: unknown) => {
      begun.push(payload)
      await new Promise<void>((resolve) => {
        finish = resolve
      })
    }
    work(once)
    work(once)
    for (const number of [1, 2, 3]) await addInOrder(number)
    for (const number of [1, 2, 3]) {
      await expect.poll(() => begun, { timeout: 10_000 }).toHaveLength(number)
      await query(
        `update graphile_worker._private_job_queues set locked_at = now() - interval '1h'`,
      )
      await freeJobs(stand.store, { runner: 1, running: [] })
      await sleep(300)
      expect(begun).toHaveLength(number)
      finish()
    }
    expect(begun).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }])
    await expect.poll(jobs).toEqual([])
  })

  it('by a server that died, and replaced meanwhile, is gone and has not failed', async () => {
    await add(1)
    await lock(holderOf(2 ** 31 - 2), '1 second')
    await add(1)
    expect(await jobs()).toHaveLength(2)
    expect(await freeJobs(stand.store, { runner: 1, running: [] })).toBe(1)
    expect(await listJobs(stand.store, 10)).toMatchObject([{ state: 'waiting', attempts: 0 }])
  })

  it('by somebody else is left alone', async () => {
    await add(1)
    await lock('pool-of-somebody', '1 hour')
    expect(await freeJobs(stand.store, { runner: 1, running: [] })).toBe(0)
  })
})

describe('a server', () => {
  it('that stops asks its jobs to leave off, and waits for them', async () => {
    let aborted = false
    const { jobs: queue } = work(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true
            reject(new Error('stopped'))
          })
        }),
    )
    await add(1)
    await expect.poll(jobs, { timeout: 10_000 }).toMatchObject([{ attempts: 1 }])
    await queue.stop()
    expect(aborted).toBe(true)
    expect(await jobs()).toMatchObject([{ locked_by: null, last_error: 'stopped' }])
  })

  it('uses no more than its few connections', async () => {
    const count = async () =>
      Number(
        (
          await query(`select count(*)::int as count from pg_stat_activity
            where datname = current_database() and backend_type = 'client backend'
              and pid <> pg_backend_pid()`)
        )[0]?.count,
      )
    let done = 0
    // the connections of the store, which the jobs use as well, are open before they are counted
    await Promise.all(Array.from({ length: 20 }, () => query('select pg_sleep(0.1)')))
    const before = await count()
    work(async () => {
      done += 1
    })
    for (let number = 0; number < 50; number += 1) await add(number)
    let most = 0
    while (done < 50) most = Math.max(most, await count())
    // one of them is the line by which others see that it is alive
    expect(most - before).toBeLessThanOrEqual(JOB_CONNECTIONS + 1)
  })

  it('may give a connection back twice', async () => {
    const pool = openJobPool(stand.store, () => undefined)
    try {
      for (const _ of [1, 2, 3]) {
        const client = await pool.connect()
        await client.query('select 1')
        client.release()
        expect(() => client.release()).not.toThrow()
      }
      expect([pool.totalCount, pool.idleCount]).toEqual([1, 1])
    } finally {
      await pool.end()
    }
  })

  it('whose connections are all ended goes on', async () => {
    let done = 0
    work(async () => {
      done += 1
    })
    await add(1)
    await expect.poll(() => done, { timeout: 10_000 }).toBe(1)
    await query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
              and pid <> pg_backend_pid()`)
    await add(2)
    await expect.poll(() => done, { timeout: 30_000 }).toBe(2)
  }, 60_000)
})

describe('the schema of the queue', () => {
  it('is the newest that the installed library has', async () => {
    const folder = fileURLToPath(new URL('../../node_modules/graphile-worker/sql', import.meta.url))
    const newest = readdirSync(folder).sort().at(-1)
    const [row] = await query('select max(id)::int as id from graphile_worker.migrations')
    expect(Number.parseInt(newest ?? '', 10)).toBe(row?.id)
  })
})
