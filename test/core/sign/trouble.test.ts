import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignJob } from '../../../src/core/sign/job.js'
import { FiscalError } from '../../../src/errors.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  answer,
  createTill,
  createTills,
  job,
  member,
  openStand,
  START,
  type Stand,
  testKey,
  ZERO,
} from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let stand: Stand
const masterKey = testKey()

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  stand = openStand(database.config, { masterKey })
})

afterAll(async () => {
  await stand.close()
  await client.end()
  await database.drop()
})

/** Results in order; an error instead of a result where the promise was rejected. */
async function settled(results: Promise<unknown>[]): Promise<unknown[]> {
  const all = await Promise.allSettled(results)
  return all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason))
}

describe('a receipt that the market refuses', () => {
  it('uses a row and no number, and the chain goes on around it', async () => {
    const till = await createTill(stand)
    const wrong = job(till, { receiptCase: ZERO, cents: 500 })
    const [before, refused, after] = await Promise.all([
      stand.signing.sign(job(till)),
      stand.signing.sign(wrong),
      stand.signing.sign(job(till)),
    ])
    expect([before.kind, refused.kind, after.kind]).toEqual(['answered', 'refused', 'answered'])
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.items).toHaveLength(4)
    expect(ledger.receipts.map((receipt) => receipt.number)).toEqual([1, 2, 3])
    const stored = ledger.items[2]
    const state = BigInt(member(stored?.response ?? '', 'ftState'))
    expect(BigInt.asUintN(64, state)).toBe(0x4154_2000_eeee_eeeen)
    expect(stored?.response).toContain('"caption":"uncaught-exeption"')
    const [error] = ledger.actions.filter((action) => action.itemId === stored?.id)
    expect(error?.message).toContain('ftState = 0xEEEE_EEEE')
  })
})

describe('a queue that is not started', () => {
  it('stores the receipt with a number and without a signature', async () => {
    const till = await createTill(stand, { started: false })
    const texts = await Promise.all(
      [1, 2].map((cents) => answer(stand.signing.sign(job(till, { cents })))),
    )
    for (const text of texts) {
      expect(BigInt(member(text, 'ftState')) & 0xffn).toBe(1n)
      expect(member(text, 'ftReceiptIdentification')).toMatch(/^ft[01]#$/)
    }
    const disabled = await readLedger(client, till.queueId)
    verifyLedger(disabled, stand.store.sealer)
    expect(disabled.receipts).toHaveLength(2)
    expect(disabled.signatures).toHaveLength(0)
    const start = await answer(stand.signing.sign(job(till, { receiptCase: START, cents: null })))
    expect(member(start, 'ftReceiptIdentification')).toBe('ft2#1')
    verifyLedger(await readLedger(client, till.queueId), stand.store.sealer)
  })
})

describe('a queue that cannot be opened', () => {
  it('(sealed with another master key) is refused alone, its neighbours sign', async () => {
    const foreign = openStand(database.config)
    const locked = await createTill(foreign)
    await foreign.close()
    const tills = await createTills(stand, 3)
    const fresh = openStand(database.config, { masterKey })
    const all = [tills[0], locked, tills[1], locked, tills[2]]
    const results = await settled(
      all.map((till) => (till === undefined ? Promise.reject() : fresh.signing.sign(job(till)))),
    )
    expect(results.map((result) => (result instanceof Error ? 'error' : 'fine'))).toEqual([
      'fine',
      'error',
      'fine',
      'error',
      'fine',
    ])
    expect(String(results[1])).toContain('master key')
    expect((await readLedger(client, locked.queueId)).items).toHaveLength(1)
    await fresh.close()
  })

  it('(state of another program) is refused alone, and works when repaired', async () => {
    const [broken, fine] = await createTills(stand, 2)
    if (broken === undefined || fine === undefined) throw new Error('no till')
    const saved = await client.query('select state from queue where id = $1', [broken.queueId])
    const change = 'update queue set state = $2, version = version + 1 where id = $1'
    await client.query(change, [broken.queueId, '{"cashNumerator":-1}'])
    const [first, second] = await settled([
      stand.signing.sign(job(broken)),
      stand.signing.sign(job(fine)),
    ])
    expect(first).toBeInstanceOf(Error)
    expect(second).toMatchObject({ kind: 'answered' })
    await client.query(change, [broken.queueId, saved.rows[0].state])
    await answer(stand.signing.sign(job(broken)))
    verifyLedger(await readLedger(client, broken.queueId), stand.store.sealer)
  })

  it('(unknown) is told so', async () => {
    const till = await createTill(stand)
    const unknown = { ...till, queueId: '00000000-0000-4000-8000-000000000001' }
    const [error] = await settled([stand.signing.sign(job(unknown))])
    expect(error).toBeInstanceOf(FiscalError)
    expect((error as FiscalError).code).toBe('QUEUE_UNKNOWN')
  })
})

describe('a receipt that the database refuses', () => {
  // a reader lets no such text through; the sign path must not trust that
  const poison = (till: Parameters<typeof job>[0]): SignJob & { market: string } => {
    const work = job(till)
    return { ...work, request: { ...work.request, receiptReference: 'a\u0000b' } }
  }

  it('fails alone; the others of its batch, of its queue too, are signed', async () => {
    const [one, two] = await createTills(stand, 2)
    if (one === undefined || two === undefined) throw new Error('no till')
    const results = await settled([
      stand.signing.sign(job(one, { reference: 'before' })),
      stand.signing.sign(poison(one)),
      stand.signing.sign(job(one, { reference: 'after' })),
      stand.signing.sign(job(two)),
    ])
    expect(results.map((result) => (result instanceof Error ? 'error' : 'fine'))).toEqual([
      'fine',
      'error',
      'fine',
      'fine',
    ])
    const ledger = await readLedger(client, one.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.items.slice(1).map((item) => item.receiptReference)).toEqual(['before', 'after'])
    verifyLedger(await readLedger(client, two.queueId), stand.store.sealer)
  })

  it('fails when it comes alone', async () => {
    const till = await createTill(stand)
    const [error] = await settled([stand.signing.sign(poison(till))])
    expect(error).toBeInstanceOf(Error)
    await answer(stand.signing.sign(job(till)))
    expect((await readLedger(client, till.queueId)).items).toHaveLength(2)
  })
})
