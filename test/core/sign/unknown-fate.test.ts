import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FiscalError } from '../../../src/errors.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  ASK,
  answer,
  createTill,
  createTills,
  job,
  member,
  openStand,
  SALE,
  type Stand,
  type Till,
  testKey,
} from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let stand: Stand
const masterKey = testKey()

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.superuser)
  stand = openStand(database.config, { masterKey })
})

afterAll(async () => {
  await stand.close()
  await client.end()
  await database.drop()
})

type Query = (config: unknown) => Promise<pg.QueryResult>

/** Every sign statement goes through `bend`, which may send it or not, and say what it likes. */
function bendStatements(at: Stand, bend: (send: () => Promise<pg.QueryResult>) => unknown) {
  const { pool } = at.store
  const query = pool.query.bind(pool) as Query
  Reflect.set(pool, 'query', (config: { name?: string }) =>
    config.name?.startsWith('sign-') ? bend(() => query(config)) : query(config),
  )
  return () => Reflect.set(pool, 'query', query)
}

function lostConnection(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
}

async function itemsOf(till: Till) {
  const ledger = await readLedger(client, till.queueId)
  verifyLedger(ledger, stand.store.sealer)
  return ledger.items
}

describe('a statement that answers nobody', () => {
  it('but was committed: the stored receipts are answered, and none is made twice', async () => {
    const tills = await createTills(stand, 3)
    let times = 0
    const restore = bendStatements(stand, async (send) => {
      const result = await send()
      times += 1
      if (times === 1) throw lostConnection()
      return result
    })
    const texts = await Promise.all(tills.map((till) => answer(stand.signing.sign(job(till)))))
    restore()
    expect(times).toBe(1)
    for (const [at, till] of tills.entries()) {
      const items = await itemsOf(till)
      expect(items).toHaveLength(2)
      expect(items[1]?.response).toBe(texts[at])
      await answer(stand.signing.sign(job(till)))
    }
  })

  it('and was never sent: the receipts are made anew', async () => {
    const tills = await createTills(stand, 3)
    let times = 0
    const restore = bendStatements(stand, (send) => {
      times += 1
      return times === 1 ? Promise.reject(lostConnection()) : send()
    })
    await Promise.all(tills.map((till) => answer(stand.signing.sign(job(till)))))
    restore()
    expect(times).toBe(2)
    for (const till of tills) expect(await itemsOf(till)).toHaveLength(2)
  })

  it('and begins only after the retry: it finds other heads and writes nothing', async () => {
    const till = await createTill(stand)
    let late: (() => Promise<pg.QueryResult>) | undefined
    const restore = bendStatements(stand, (send) => {
      if (late !== undefined) return send()
      late = send
      return Promise.reject(lostConnection())
    })
    const text = await answer(stand.signing.sign(job(till)))
    restore()
    expect((await late?.())?.rows).toEqual([])
    const items = await itemsOf(till)
    expect(items.map((item) => item.id).slice(1)).toEqual([member(text, 'ftQueueItemID')])
  })

  it('and begins between the question and the retry: it writes nothing either', async () => {
    const till = await createTill(stand)
    let late: (() => Promise<pg.QueryResult>) | undefined
    let rows: unknown[] | undefined
    const restore = bendStatements(stand, async (send) => {
      if (late === undefined) {
        late = send
        throw lostConnection()
      }
      // what the connection held back arrives just now
      rows ??= (await late()).rows
      return send()
    })
    await answer(stand.signing.sign(job(till)))
    restore()
    expect(rows).toEqual([])
    expect(await itemsOf(till)).toHaveLength(2)
  })

  it('and begins only after a receipt request found nothing: it writes nothing', async () => {
    const till = await createTill(stand)
    const other = openStand(database.config, { masterKey })
    let late: (() => Promise<pg.QueryResult>) | undefined
    let fail: (error: Error) => void = () => undefined
    const restore = bendStatements(stand, (send) => {
      if (late !== undefined) return send()
      late = send
      return new Promise((_resolve, reject) => {
        fail = reject
      })
    })
    const hanging = answer(stand.signing.sign(job(till, { reference: 'asked' })))
    await expect.poll(() => late !== undefined).toBe(true)
    const asked = job(till, { reference: 'asked', receiptCase: SALE | ASK })
    expect(await other.signing.sign(asked)).toEqual({ kind: 'nothing' })
    expect((await late?.())?.rows).toEqual([])
    expect(await itemsOf(till)).toHaveLength(1)
    fail(lostConnection())
    await hanging
    restore()
    await other.close()
  })

  it('while the database stays away means "try again", and nothing is stored', async () => {
    const patient = openStand(database.config, { limits: { waitingMs: 400 } })
    const till = await createTill(patient)
    const restore = bendStatements(patient, () => Promise.reject(lostConnection()))
    const [error] = await Promise.allSettled([patient.signing.sign(job(till))])
    restore()
    expect(error.status).toBe('rejected')
    const { code } = (error as PromiseRejectedResult).reason as FiscalError
    expect(['OVERLOADED', 'DATABASE_AWAY']).toContain(code)
    expect((await readLedger(client, till.queueId)).items).toHaveLength(1)
    await patient.close()
  })
})

describe('a database that refuses because of itself', () => {
  it.each(['53100', '40P01', '40001', '57014', '58030'])(
    '(%s) is asked again, and the receipt is made once',
    async (code) => {
      const till = await createTill(stand)
      let times = 0
      const restore = bendStatements(stand, (send) => {
        times += 1
        return times <= 2 ? Promise.reject(Object.assign(new Error('no'), { code })) : send()
      })
      await answer(stand.signing.sign(job(till)))
      restore()
      expect(times).toBe(3)
      expect(await itemsOf(till)).toHaveLength(2)
    },
  )
})

const SESSIONS = `select pid from pg_stat_activity where datname = current_database()
  and pid <> pg_backend_pid() and backend_type = 'client backend'`

describe('sessions that an administrator ends', () => {
  it('under running statements: every receipt is made once, and the process stays', async () => {
    const tills = await createTills(stand, 4)
    const blocker = await connected(database.config)
    await blocker.query('begin')
    await blocker.query('select 1 from queue for no key update')
    const results = tills.map((till) => answer(stand.signing.sign(job(till))))
    const waiting = `${SESSIONS} and wait_event_type = 'Lock'`
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBeGreaterThan(0)
    await client.query(`select pg_terminate_backend(pid) from (${waiting}) s`)
    // now the question after the fate waits for the same lock: that session is ended as well
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBeGreaterThan(0)
    await client.query(`select pg_terminate_backend(pid) from (${waiting}) s`)
    await blocker.query('rollback')
    await blocker.end()
    await Promise.all(results)
    for (const till of tills) expect(await itemsOf(till)).toHaveLength(2)
  })

  it('again and again under load: nothing answered is lost, nothing is made twice', async () => {
    const tills = await createTills(stand, 5)
    const done = new Map<string, string>()
    let running = true
    const killer = (async () => {
      while (running) {
        await client.query(`select pg_terminate_backend(pid) from (${SESSIONS}) s`)
        await sleep(60)
      }
    })()
    const caller = async (till: Till, name: string) => {
      for (let round = 0; round < 25; round += 1) {
        const reference = `${name}-${round}`
        const [result] = await Promise.allSettled([stand.signing.sign(job(till, { reference }))])
        if (result.status === 'fulfilled' && result.value.kind === 'answered') {
          done.set(reference, result.value.responseText)
        } else if (result.status === 'rejected') {
          expect(result.reason).toBeInstanceOf(FiscalError)
        }
      }
    }
    await Promise.all(tills.flatMap((till, at) => [1, 2].map((n) => caller(till, `${at}.${n}`))))
    running = false
    await killer
    expect(done.size).toBeGreaterThan(100)
    const stored: Awaited<ReturnType<typeof itemsOf>> = []
    for (const till of tills) stored.push(...(await itemsOf(till)))
    const answers = new Map(stored.map((item) => [item.receiptReference, item.response]))
    for (const [reference, text] of done) expect(answers.get(reference)).toBe(text)
    const references = stored
      .map((item) => item.receiptReference)
      .filter((name) => name.includes('-'))
    expect(new Set(references).size).toBe(references.length)
  })
})
