import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  testKey,
} from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let one: Stand
let two: Stand

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  const masterKey = testKey()
  one = openStand(database.config, { masterKey })
  two = openStand(database.config, { masterKey })
})

afterAll(async () => {
  await one.close()
  await two.close()
  await client.end()
  await database.drop()
})

/** So many callers at each of both servers, one receipt after the other. */
async function fight(tills: Awaited<ReturnType<typeof createTills>>, rounds: number) {
  const texts: string[] = []
  const caller = async (stand: Stand, number: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const till = tills[(number + round) % tills.length]
      if (till === undefined) throw new Error('no till')
      texts.push(await answer(stand.signing.sign(job(till, { cents: 1 + number }))))
    }
  }
  await Promise.all([one, two].flatMap((stand) => [0, 1, 2, 3].map((at) => caller(stand, at))))
  return texts
}

describe('two servers on one database', () => {
  it('move one queue in turns: rows 1..n, one chain, every answer stored', async () => {
    const tills = await createTills(one, 1)
    const before = one.seen.conflicts + two.seen.conflicts
    const texts = await fight(tills, 15)
    expect(one.seen.conflicts + two.seen.conflicts).toBeGreaterThan(before)
    const ledger = await readLedger(client, tills[0]?.queueId ?? '')
    verifyLedger(ledger, one.store.sealer)
    expect(ledger.receipts).toHaveLength(1 + 120)
    const stored = new Set(ledger.items.map((item) => item.response))
    expect(texts.every((text) => stored.has(text))).toBe(true)
    expect(new Set(texts).size).toBe(120)
  })

  it('move many queues in turns', async () => {
    const tills = await createTills(two, 6)
    const texts = await fight(tills, 12)
    const stored = new Set<string | null>()
    for (const till of tills) {
      const ledger = await readLedger(client, till.queueId)
      verifyLedger(ledger, one.store.sealer)
      for (const item of ledger.items) stored.add(item.response)
    }
    expect(texts.filter((text) => !stored.has(text))).toEqual([])
    expect(stored.size).toBe(6 + 96)
  })

  it('write no row of a batch for the queue that lost, and all of the others', async () => {
    const tills = await createTills(one, 3)
    const [lost] = tills
    if (lost === undefined) throw new Error('no till')
    await answer(two.signing.sign(job(lost, { reference: 'faster' })))
    const conflicts = one.seen.conflicts
    await Promise.all(tills.map((till) => answer(one.signing.sign(job(till)))))
    expect(one.seen.conflicts).toBe(conflicts + 1)
    for (const till of tills) {
      const ledger = await readLedger(client, till.queueId)
      verifyLedger(ledger, one.store.sealer)
      expect(ledger.items).toHaveLength(till === lost ? 3 : 2)
    }
  })

  it('make one receipt of two equal receipt requests that may become receipts', async () => {
    const till = await createTill(one, { queue: { configuration: { receiptrequestmode: 1 } } })
    const asked = { receiptCase: SALE | ASK, reference: 'once' }
    for (const reference of ['once', 'twice', 'thrice', 'more']) {
      const wanted = { ...asked, reference }
      const [a, b] = await Promise.all([
        answer(one.signing.sign(job(till, wanted))),
        answer(two.signing.sign(job(till, wanted))),
      ])
      expect(member(a, 'ftQueueItemID')).toBe(member(b, 'ftQueueItemID'))
      expect(a).toBe(b)
    }
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, one.store.sealer)
    expect(ledger.receipts).toHaveLength(5)
  })
})
