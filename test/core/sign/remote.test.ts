import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  SERVICE_CASH_BOX,
  SERVICE_TOKEN,
  type SigningService,
  signingService,
} from '../../support/remote-signer.js'
import {
  ASK,
  answer,
  createTill,
  job,
  openStand,
  REMOTE_PACKAGE,
  SALE,
  type Stand,
  type Till,
  testKey,
  ZERO,
} from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let service: SigningService
let stand: Stand
const masterKey = testKey()

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

beforeEach(async () => {
  service = await signingService()
  stand = open()
})

afterEach(async () => {
  await stand.close()
  await service.close()
})

function open(options: Parameters<typeof openStand>[1] = {}): Stand {
  return openStand(database.config, { masterKey, allow: [`127.0.0.1:${service.port}`], ...options })
}

function remoteTill(configuration: Record<string, unknown> = {}, shares?: Till): Promise<Till> {
  const scu = {
    package: REMOTE_PACKAGE,
    url: service.url,
    configuration: { cashBoxId: SERVICE_CASH_BOX, accessToken: SERVICE_TOKEN },
  }
  const queue = { configuration: { 'scu-timeout-ms': 400, ...configuration } }
  return createTill(stand, shares === undefined ? { scu, queue } : { shares, queue })
}

/** The service takes calls and answers none, until the returned call. */
function hang(): () => void {
  service.bend = () => true
  return () => {
    service.bend = () => false
  }
}

const isAsked = () => expect.poll(() => service.calls.length > 0)

describe('a remote device', () => {
  it('signs like any other: rows, numbers and chain hold under parallel clients', async () => {
    const till = await remoteTill()
    const cents = Array.from({ length: 12 }, (_, at) => 100 + at)
    await Promise.all(
      cents.map((amount) => answer(stand.signing.sign(job(till, { cents: amount })))),
    )
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.receipts).toHaveLength(13)
    expect(ledger.signatures.every((row) => row.scuId === till.scuIds[0])).toBe(true)
  })

  it('is asked only after the item is stored', async () => {
    const till = await remoteTill()
    service.calls.length = 0
    const free = hang()
    const result = stand.signing.sign(job(till, { reference: 'first stored' }))
    await isAsked().toBe(true)
    const during = await readLedger(client, till.queueId)
    expect(during.items.at(-1)).toMatchObject({ receiptReference: 'first stored', done: false })
    expect(during.items.at(-1)?.response).toBeNull()
    expect(during.head).toMatchObject({ queued: 2, current: 1, numerator: 1 })
    free()
    const text = await answer(result)
    const after = await readLedger(client, till.queueId)
    expect(after.items).toHaveLength(2)
    expect(after.items.at(-1)?.response).toBe(text)
    verifyLedger(after, stand.store.sealer)
  })

  it('of many queues is asked for by few statements, which fail for nobody else', async () => {
    const tills = await Promise.all(
      Array.from({ length: 12 }, () => remoteTill({ 'scu-timeout-ms': 8000 })),
    )
    service.calls.length = 0
    const { pool } = stand.store
    const asked = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>
    let statements = 0
    let broken = 0
    const watched = (...given: unknown[]) => {
      const { name = '' } = given[0] as { name?: string }
      if (!name.startsWith('sign-')) return asked(...given)
      statements += 1
      // of several queues, as the letters say
      if (name[5] === 'h' && broken < 2) {
        broken += 1
        return Promise.reject(Object.assign(new Error('one of them is wrong'), { code: '23514' }))
      }
      return asked(...given)
    }
    Object.assign(pool, { query: watched })
    const sellAll = () =>
      Promise.all(tills.map((till, at) => answer(stand.signing.sign(job(till, { cents: 1 + at })))))
    await sellAll()
    expect(broken).toBe(2)
    statements = 0
    await sellAll()
    // two for each receipt where they go alone
    expect(statements).toBeLessThan(tills.length)
    expect(service.calls.filter((call) => call.includes('/sign'))).toHaveLength(2 * tills.length)
    for (const till of tills) {
      const ledger = await readLedger(client, till.queueId)
      verifyLedger(ledger, stand.store.sealer)
      expect(ledger.receipts).toHaveLength(3)
    }
  })

  it('keeps no other queue back for long while a statement of many waits', async () => {
    const limits = { 'scu-timeout-ms': 8000 }
    const tills = await Promise.all(Array.from({ length: 9 }, () => remoteTill(limits)))
    const other = await remoteTill(limits)
    const { pool } = stand.store
    const asked = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>
    let free = () => {}
    const gate = new Promise<void>((done) => {
      free = done
    })
    let held = 0
    const watched = async (...given: unknown[]) => {
      const { name = '' } = given[0] as { name?: string }
      // the first one of several queues: somebody else holds the row of one of them
      if (name.startsWith('sign-h') && held++ === 0) await gate
      return asked(...given)
    }
    Object.assign(pool, { query: watched })
    const waiting = Promise.all(tills.map((till) => answer(stand.signing.sign(job(till)))))
    await expect.poll(() => held).toBe(1)
    await answer(stand.signing.sign(job(other, { cents: 7 })))
    expect(await Promise.race([waiting.then(() => 'done'), 'still waiting'])).toBe('still waiting')
    free()
    await waiting
    for (const till of [...tills, other]) {
      verifyLedger(await readLedger(client, till.queueId), stand.store.sealer)
    }
  })

  it('is asked once for each of two receipts whose common statement breaks', async () => {
    const till = await remoteTill({ 'scu-timeout-ms': 8000 })
    service.calls.length = 0
    const { pool } = stand.store
    const asked = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>
    const common: string[] = []
    const watched = (...given: unknown[]) => {
      const { name = '' } = given[0] as { name?: string }
      if (!/^sign-.if/.test(name)) return asked(...given)
      common.push(name)
      if (common.length > 1) return asked(...given)
      return Promise.reject(Object.assign(new Error('one of them is wrong'), { code: '23514' }))
    }
    Object.assign(pool, { query: watched })
    const cents = [1, 2, 3, 4, 5]
    await Promise.all(cents.map((one) => answer(stand.signing.sign(job(till, { cents: one })))))
    expect(common.length).toBeGreaterThan(1)
    expect(service.calls.filter((call) => call.includes('/sign'))).toHaveLength(cents.length)
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.receipts).toHaveLength(1 + cents.length)
  })

  it('that never answers delays no other queue', async () => {
    const tills = await Promise.all([1, 2, 3, 4, 5, 6].map(() => remoteTill()))
    const neighbour = await createTill(stand)
    service.calls.length = 0
    hang()
    let answered = 0
    const stuck = tills.map((till) =>
      answer(stand.signing.sign(job(till))).then((text) => {
        answered += 1
        return text
      }),
    )
    await isAsked().toBe(true)
    for (let round = 0; round < 10; round += 1) await answer(stand.signing.sign(job(neighbour)))
    expect(answered).toBe(0)
    // a dead device is not a dead till: accepted, and marked
    for (const text of await Promise.all(stuck)) {
      expect(text).toContain('Sicherheitseinrichtung ausgefallen')
    }
    for (const till of [...tills, neighbour]) {
      verifyLedger(await readLedger(client, till.queueId), stand.store.sealer)
    }
  })

  it('leaves connections to others, however many of its queues come back at once', async () => {
    const small = open({ limits: { connections: 4 } })
    const tills = await Promise.all(
      Array.from({ length: 16 }, () => remoteTill({ 'scu-timeout-ms': 2500 })),
    )
    const neighbour = await createTill(small)
    service.calls.length = 0
    const free = hang()
    const stuck = tills.map((till) => answer(small.signing.sign(job(till))))
    await isAsked().toBe(true)
    expect(small.store.pool.totalCount - small.store.pool.idleCount).toBeLessThanOrEqual(1)
    free()
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, small.store.pool.totalCount - small.store.pool.idleCount)
    }, 1)
    const fast = Array.from({ length: 10 }, () => answer(small.signing.sign(job(neighbour))))
    await Promise.all([...stuck, ...fast])
    clearInterval(watch)
    expect(most).toBeLessThan(4)
    await small.close()
  })

  it('whose answer comes late marks the receipt, and the next zero receipt ends it', async () => {
    const till = await remoteTill()
    const free = hang()
    const failed = await answer(stand.signing.sign(job(till)))
    expect(failed).toContain('Sicherheitseinrichtung ausgefallen')
    free()
    const zero = job(till, { receiptCase: ZERO, cents: null })
    expect(await answer(stand.signing.sign(zero))).toContain('Sammelbeleg')
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.signatures.map((row) => row.scuId === null)).toEqual([false, true, false])
  })

  it('shared by several queues keeps their chains apart', async () => {
    const first = await remoteTill()
    const second = await remoteTill({}, first)
    const third = await remoteTill({}, first)
    const tills = [first, second, third]
    const all = tills.flatMap((till) => [1, 2, 3, 4].map((cents) => job(till, { cents })))
    await Promise.all(all.map((work) => answer(stand.signing.sign(work))))
    for (const till of tills) {
      const ledger = await readLedger(client, till.queueId)
      verifyLedger(ledger, stand.store.sealer)
      expect(ledger.receipts).toHaveLength(5)
    }
  })

  it('of a queue that two servers use gives rows, numbers and chain without gap', async () => {
    const other = open()
    const till = await remoteTill({ 'scu-timeout-ms': 2500 })
    const all = [stand, other, stand, other, stand, other]
    await Promise.all(all.map((at, cents) => answer(at.signing.sign(job(till, { cents })))))
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.receipts).toHaveLength(7)
    expect(ledger.items.every((item) => item.done)).toBe(true)
    await other.close()
  })
})

describe('a server that stops while the device is asked', () => {
  /** As a crash leaves it: stored, and nobody works on it any more. */
  async function abandoned(till: Till, reference: string): Promise<string> {
    const broken = open({
      deps: {
        failPoints: {
          reach: (name) =>
            name === 'item-stored' ? Promise.reject(new Error('stopped')) : undefined,
        },
      },
    })
    await expect(broken.signing.sign(job(till, { reference }))).rejects.toThrow('stopped')
    await broken.close()
    const { items } = await readLedger(client, till.queueId)
    const left = items.find((item) => item.receiptReference === reference)
    expect(left).toMatchObject({ done: false, response: null })
    return left?.id ?? ''
  }

  const later = (ms: number) => open({ deps: { now: () => new Date(Date.now() + ms) } })
  const notes = async (till: Till) =>
    (await readLedger(client, till.queueId)).actions.filter(
      (action) => action.type === 'QueueItemUnfinished',
    )

  it('leaves an item that stays unfinished and is noted once, with priority 0x10', async () => {
    const till = await remoteTill()
    const id = await abandoned(till, 'left')
    expect(await stand.signing.noteUnfinished()).toBe(0)
    const [one, two, three] = [later(31_000), later(31_000), later(90_000)]
    const noted = await Promise.all([one, two].map((at) => at.signing.noteUnfinished()))
    expect(noted.reduce((sum, count) => sum + count)).toBe(1)
    expect(await three.signing.noteUnfinished()).toBe(0)
    expect(await notes(till)).toEqual([
      expect.objectContaining({
        itemId: id,
        priority: 0x10,
        message: expect.stringContaining('2'),
      }),
    ])
    await answer(stand.signing.sign(job(till)))
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.items.map((item) => item.done)).toEqual([true, false, true])
    for (const each of [one, two, three]) await each.close()
  })

  it('leaves one that no receipt request finds', async () => {
    const till = await remoteTill()
    await abandoned(till, 'lost')
    const asked = job(till, { receiptCase: SALE | ASK, reference: 'lost' })
    expect(await stand.signing.sign(asked)).toEqual({ kind: 'nothing' })
  })

  it('a queue that cannot be opened does not keep others from being noted', async () => {
    const locked = await remoteTill()
    const till = await remoteTill()
    await abandoned(locked, 'a')
    await abandoned(till, 'b')
    await client.query('update queue set state = $2 where id = $1', [locked.queueId, '{}'])
    const at = later(31_000)
    expect(await at.signing.noteUnfinished()).toBeGreaterThan(0)
    expect(await notes(till)).toHaveLength(1)
    expect(await notes(locked)).toHaveLength(0)
    await at.close()
  })
})
