import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clearFault, setFault } from '../../../src/core/faults.js'
import type { Market } from '../../../src/market/contract.js'
import { marketOf } from '../../../src/market/index.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  answer,
  createTill,
  job,
  openStand,
  SOFTWARE_PACKAGE,
  type Stand,
  type Till,
  ZERO,
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

const once = { queue: { configuration: { 'scu-max-retries': 0 } } }
const script = (till: Till, steps: unknown) =>
  setFault(stand.deps, { scuId: till.scuIds[0] ?? '', steps })
const zero = (till: Till) => job(till, { receiptCase: ZERO, cents: null })

async function scriptOf(till: Till): Promise<string | null> {
  const found = await client.query('select fault_script from scu where id = $1', [till.scuIds[0]])
  return found.rows[0].fault_script
}

describe('a scripted device', () => {
  it('takes its queue through a lane: a delay holds up no other queue', async () => {
    const slow = await createTill(stand)
    const quick = await createTill(stand)
    await script(slow, [{ do: 'delay', ms: 300, calls: 1 }])
    let done = false
    const delayed = answer(stand.signing.sign(job(slow))).then(() => {
      done = true
    })
    for (let round = 0; round < 5; round += 1) await answer(stand.signing.sign(job(quick)))
    expect(done).toBe(false)
    await delayed
    verifyLedger(await readLedger(client, slow.queueId), stand.store.sealer)
  })

  it('lasts for exactly its calls, and then the queue is as fast as before', async () => {
    const till = await createTill(stand, once)
    await script(till, [{ do: 'error', calls: 2 }])
    for (let round = 0; round < 3; round += 1) await answer(stand.signing.sign(zero(till)))
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.signatures.map((row) => row.scuId === null)).toEqual([false, true, true, false])
    expect(await scriptOf(till)).toBeNull()
    stand.seen.batches.length = 0
    await Promise.all([1, 2, 3, 4].map(() => answer(stand.signing.sign(job(till)))))
    expect(stand.seen.batches.map((batch) => batch.receipts)).toEqual([4])
  })

  it('that is set and cleared while receipts come breaks nothing', async () => {
    const till = await createTill(stand, once)
    const receipts = Array.from({ length: 40 }, (_, at) =>
      answer(stand.signing.sign(at % 4 === 3 ? zero(till) : job(till))),
    )
    for (let round = 0; round < 5; round += 1) {
      await script(till, [{ do: 'error', calls: 1 }])
      await clearFault(stand.deps, { scuId: till.scuIds[0] ?? '' })
    }
    await Promise.all(receipts)
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.receipts).toHaveLength(41)
  })

  it('that is cleared heals what its device remembers, once, with and without steps', async () => {
    const till = await createTill(stand)
    const [scuId = ''] = till.scuIds
    const deps = { ...stand.deps, marketOf: healing }
    const stateOf = async () => {
      const found = await client.query('select state, version from scu where id = $1', [scuId])
      return found.rows[0] as { state: string; version: string }
    }
    const before = await stateOf()
    await clearFault(deps, { scuId })
    const healed = await stateOf()
    expect(JSON.parse(healed.state)).toEqual({ ...JSON.parse(before.state), healed: true })
    await clearFault(deps, { scuId })
    expect(await stateOf()).toEqual(healed)
    await script(till, [{ do: 'error' }])
    await clearFault(deps, { scuId })
    expect([await scriptOf(till), (await stateOf()).state]).toEqual([null, healed.state])
  })
})

/** The markets, with an emulator whose state heals when the faults are cleared. */
function healing(code: string): Market {
  const market = marketOf(code)
  const driver = market.drivers[SOFTWARE_PACKAGE]
  if (driver === undefined) throw new Error('the emulator is in no market')
  const cleared = (state: string) => JSON.stringify({ ...JSON.parse(state), healed: true })
  return { ...market, drivers: { ...market.drivers, [SOFTWARE_PACKAGE]: { ...driver, cleared } } }
}

describe('a signing unit shared by several queues', () => {
  it('signs for all of them, each with its own chain', async () => {
    const first = await createTill(stand)
    const tills = [first, await createTill(stand, { shares: first })]
    const jobs = tills.flatMap((till) => Array.from({ length: 8 }, () => job(till)))
    await Promise.all(jobs.map((work) => answer(stand.signing.sign(work))))
    for (const till of tills) {
      const ledger = await readLedger(client, till.queueId)
      verifyLedger(ledger, stand.store.sealer)
      expect(ledger.receipts).toHaveLength(9)
    }
  })

  it('loses and doubles no call of its script, whoever calls', async () => {
    const first = await createTill(stand, once)
    const tills = [first]
    for (let more = 0; more < 2; more += 1) {
      tills.push(await createTill(stand, { shares: first, ...once }))
    }
    await script(first, [{ do: 'error', calls: 4 }])
    const jobs = tills.flatMap((till) => Array.from({ length: 4 }, () => zero(till)))
    await Promise.all(jobs.map((work) => answer(stand.signing.sign(work))))
    let failed = 0
    for (const till of tills) {
      const ledger = await readLedger(client, till.queueId)
      verifyLedger(ledger, stand.store.sealer)
      expect(ledger.receipts).toHaveLength(5)
      failed += ledger.signatures.filter((row) => row.scuId === null).length
    }
    expect(failed).toBe(4)
    expect(await scriptOf(first)).toBeNull()
  })
})
