// The commands that show and repeat what the job queue could not do, on an embedded database.
import { randomUUID } from 'node:crypto'
import * as path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import type { Database } from '../../src/postgres/database.js'
import { addJob } from '../../src/store/message/jobs.js'
import { insertMessage } from '../../src/store/message/messages.js'
import { command, type Said } from '../support/command.js'
import { open } from '../support/data-folder.js'
import { prepareCluster } from '../support/prepared-cluster.js'

let folder: string
let database: Database
let pool: pg.Pool
let env: Record<string, string>

beforeAll(async () => {
  folder = makeThrowAwayFolder()
  env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', MASTER_KEY: '' }
  database = await open(prepareCluster(env.DATA_DIR ?? ''))
  await run('demo')
  pool = new pg.Pool(database.poolConfig)
  // the end of its server breaks idle connections
  pool.on('error', () => undefined)
})
afterAll(async () => {
  await pool.end()
  await database.stop()
  await removeThrowAwayFolder(folder)
})

const run = (...words: string[]): Promise<Said> => command(words, env)

/** A message in this state; without a job. */
async function message(state: string, error: string | null): Promise<string> {
  const id = randomUUID()
  await insertMessage(pool, {
    ...{ accountId: randomUUID(), id, kind: 'receipt', channel: 'email', language: 'de' },
    ...{ subject: 'q/i', cashBoxId: null, addressMasked: 'm…@c….example', state: 'stored' },
    ...{ addressSealed: Buffer.alloc(1), dataSealed: Buffer.alloc(1), createdAt: new Date() },
  })
  const sql = 'update message set state = $2, last_error = $3, attempts = 1 where id = $1'
  await pool.query(sql, [id, state, error])
  return id
}

const key = async (id: string) =>
  (await pool.query('select key from graphile_worker.jobs where key = $1', [`message:${id}`])).rows

describe('jobs', () => {
  it('list is empty while nothing is to do', async () => {
    expect(await run('jobs', 'list')).toEqual({
      ...{ code: 0, stdout: 'There is nothing to do, and nothing failed.\n', stderr: '' },
    })
    await message('stored', null)
    await message('sent', null)
    expect((await run('jobs', 'list', '--json')).stdout).toBe('{"messages":[],"jobs":[]}\n')
  })

  it('list shows messages and other jobs, retry has them tried again', async () => {
    const failed = await message('failed', 'SMTP 550: no such user')
    const unsure = await message('unsure', 'no answer')
    await addJob(pool, { task: 'later', payload: {}, key: 'k', attempts: 1 })
    const { rows } = await pool.query<{ id: string }>('select id from graphile_worker.jobs')
    const job = rows[0]?.id ?? ''
    const { code, stdout } = await run('jobs', 'list')
    expect(code).toBe(0)
    const [first, second, third] = stdout.split('\n')
    expect(first).toMatch(
      new RegExp(`^${failed}  failed  receipt by email to m…@c….example  1 try  .*no such user$`),
    )
    expect(second).toMatch(new RegExp(`^${unsure}  unsure  .*  no answer$`))
    expect(third).toMatch(new RegExp(`^${job}  waiting  later  0 tries  `))
    expect(await run('jobs', 'retry', failed)).toMatchObject({ stdout: `queued  ${failed}\n` })
    expect(await run('jobs', 'retry', unsure)).toMatchObject({ code: 0 })
    expect([...(await key(failed)), ...(await key(unsure))]).toHaveLength(2)
    expect(await run('jobs', 'retry', job)).toMatchObject({ stdout: `queued  ${job}\n` })
    const { messages } = JSON.parse((await run('jobs', 'list', '--json')).stdout)
    expect(messages).toMatchObject([
      { id: failed, state: 'queued', error: null, address: 'm…@c….example' },
      { id: unsure, state: 'queued' },
    ])
  })

  it('retry says so when there is nothing to try again', async () => {
    const sent = await message('sent', null)
    for (const id of [sent, randomUUID(), '99999999']) {
      const { code, stderr } = await run('jobs', 'retry', id)
      expect(code).toBe(1)
      expect(stderr).toContain(`There is no job ${id} here`)
    }
    const erased = await message('failed', 'SMTP 550')
    await pool.query('update message set address_sealed = null, data_sealed = null where id = $1', [
      erased,
    ])
    expect(await run('jobs', 'retry', erased)).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining(`content of message ${erased} were erased`) },
    })
    expect((await run('jobs', 'retry', 'x')).code).toBe(2)
    expect((await run('jobs', 'retry')).code).toBe(2)
  })
})
