import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  answer,
  createTill,
  createTills,
  job,
  member,
  openStand,
  type Stand,
} from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let stand: Stand

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  stand = openStand(database.config)
})

afterAll(async () => {
  await stand.close()
  await client.end()
  await database.drop()
})

/** Stays constant whatever the order of the answers. */
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

describe('one queue', () => {
  it('gives 50 parallel clients rows without gap or double, and one chain', async () => {
    const till = await createTill(stand)
    const cents = Array.from({ length: 50 }, (_, at) => 101 + 7 * at)
    const answers = await Promise.all(
      cents.map((amount, at) =>
        answer(stand.signing.sign(job(till, { cents: amount, reference: `c${at}` }))),
      ),
    )
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.items).toHaveLength(51)
    expect(ledger.receipts).toHaveLength(51)
    expect(ledger.signatures).toHaveLength(51)
    const rows = answers.map((text) => Number(member(text, 'ftQueueRow'))).sort((a, b) => a - b)
    expect(rows).toEqual(Array.from({ length: 50 }, (_, at) => at + 2))
    const total = (sum(cents) / 100).toFixed(2)
    expect(ledger.head.state.cashTotalizer).toBe(total)
    expect(ledger.head.totalizer).toBe(total)
    const stored = new Set(ledger.items.map((item) => item.response))
    expect(answers.every((text) => stored.has(text))).toBe(true)
  })

  it('answers callers in the order in which they came', async () => {
    const till = await createTill(stand)
    const references = Array.from({ length: 30 }, (_, at) => `n${at}`)
    await Promise.all(references.map((reference) => stand.signing.sign(job(till, { reference }))))
    const { items } = await readLedger(client, till.queueId)
    expect(items.slice(1).map((item) => item.receiptReference)).toEqual(references)
  })

  it('never lets a moment fall when the clock goes back', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const jumping = openStand(database.config, { deps: { now: () => new Date(time) } })
    const till = await createTill(jumping)
    for (const jump of [3_600_000, -7_200_000, 1, 86_400_000, -30 * 86_400_000]) {
      time += jump
      await answer(jumping.signing.sign(job(till)))
    }
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, jumping.store.sealer)
    const stamps = ledger.items.map((item) => item.timeStamp)
    expect([...stamps].sort((a, b) => Number(a - b))).toEqual(stamps)
    await jumping.close()
  })
})

describe('many queues', () => {
  it('share batches, and each keeps its own rows and chain', async () => {
    const tills = await createTills(stand, 40)
    stand.seen.batches.length = 0
    await Promise.all(
      tills.flatMap((till) =>
        [1, 2, 3].map((cents) => answer(stand.signing.sign(job(till, { cents })))),
      ),
    )
    expect(Math.max(...stand.seen.batches.map((batch) => batch.queues))).toBeGreaterThan(10)
    for (const till of tills) {
      const ledger = await readLedger(client, till.queueId)
      verifyLedger(ledger, stand.store.sealer)
      expect(ledger.receipts.map((receipt) => receipt.total)).toEqual([
        '0.00',
        '0.01',
        '0.02',
        '0.03',
      ])
    }
  })

  it('works with far more queues than fit into memory', async () => {
    const small = openStand(database.config, { limits: { queues: 2 } })
    const tills = await createTills(small, 9)
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(tills.map((till) => answer(small.signing.sign(job(till)))))
    }
    for (const till of tills) {
      const ledger = await readLedger(client, till.queueId)
      verifyLedger(ledger, small.store.sealer)
      expect(ledger.receipts).toHaveLength(4)
    }
    await small.close()
  })

  it('writes more receipts than one batch takes', async () => {
    const till = await createTill(stand)
    const count = 300
    stand.seen.batches.length = 0
    await Promise.all(Array.from({ length: count }, () => stand.signing.sign(job(till))))
    expect(Math.max(...stand.seen.batches.map((batch) => batch.receipts))).toBe(256)
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.receipts).toHaveLength(count + 1)
  })
})
