// Signing units that remember what they did, shared by several queues: their log has no gap and no
// double, whoever writes and whatever breaks.
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createScu } from '../../../src/core/rollout/create.js'
import type { ScuHead } from '../../../src/device/device.js'
import type { Market, ReceiptInput, ReceiptOutcome } from '../../../src/market/contract.js'
import { marketOf, markets } from '../../../src/market/index.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected } from '../../support/ledger.js'
import {
  createTill,
  job,
  openStand,
  SOFTWARE_PACKAGE,
  type Stand,
  type Till,
  testKey,
} from '../../support/stand.js'

const counting = z.looseObject({ counter: z.number().default(0) })

/** Counts its calls, and breaks where a reference asks for it. */
class Counter {
  private readonly scu: ScuHead
  private counter: number

  constructor(scu: ScuHead) {
    this.scu = scu
    this.counter = counting.parse(JSON.parse(scu.state)).counter
  }

  count(): number {
    this.counter += 1
    this.scu.state = JSON.stringify({ counter: this.counter })
    this.scu.changed = true
    return this.counter
  }
}

const emulator = markets.AT.drivers[SOFTWARE_PACKAGE]
if (emulator === undefined) throw new Error('there is no emulator')

const market: Market = {
  ...(markets.AT as Market),
  queue: { ...(markets.AT as Market).queue, state: z.unknown() },
  drivers: {
    [SOFTWARE_PACKAGE]: { ...emulator, stateful: true, open: (scu) => new Counter(scu) },
  },
  process: async (input) => accepted(input as ReceiptInput<unknown, Counter>),
}

function accepted(input: ReceiptInput<unknown, Counter>): ReceiptOutcome<unknown> {
  const { receipt, units, tools, state } = input
  const reference = receipt.request.receiptReference ?? ''
  const journal = units.map(({ scu, device }) => {
    const first = device.count()
    if (reference.startsWith('breaks')) throw new Error('the market broke')
    const second = device.count()
    const content = `${first} ${second}`
    const certificate = null
    // a number that PostgreSQL refuses breaks the statement
    const number = reference.startsWith('poison') ? -1 : first
    return { id: tools.newId(), kind: 'device-log', number, scuId: scu.id, certificate, content }
  })
  return {
    faults: [],
    stateWord: 0x4154_0000_0000_0000n,
    identification: 'ft#',
    signatures: [],
    stateData: null,
    state,
    journal,
    actions: [],
  }
}

let database: TestDatabase
let client: pg.Client
const masterKey = testKey()
const stands: Stand[] = []

function newStand(): Stand {
  const stand = openStand(database.config, { masterKey, deps: { marketOf: () => market } })
  stands.push(stand)
  return stand
}

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
})

afterAll(async () => {
  for (const stand of stands) await stand.close()
  await client.end()
  await database.drop()
})

/** All numbers that the log of a unit holds, in its own order. */
async function logOf(scuId: string | undefined): Promise<number[]> {
  const { rows } = await client.query<{ content: string }>(
    `select content from market_journal where kind = 'device-log' and scu_id = $1 order by number`,
    [scuId],
  )
  return rows.flatMap((row) => row.content.split(' ').map(Number))
}

async function counterOf(scuId: string | undefined): Promise<number> {
  const { rows } = await client.query<{ state: string }>('select state from scu where id = $1', [
    scuId,
  ])
  return counting.parse(JSON.parse(rows[0]?.state ?? '{}')).counter
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

async function sharing(stand: Stand, queues: number): Promise<Till[]> {
  const one = await createTill(stand)
  const others = upTo(queues - 1).map(() => createTill(stand, { shares: one }))
  return [one, ...(await Promise.all(others))]
}

async function signAll(stand: Stand, tills: readonly Till[], each: number, word = 'n') {
  const jobs = tills.flatMap((till) => upTo(each).map((n) => job(till, { reference: word + n })))
  return (await Promise.all(jobs.map((one) => stand.signing.sign(one)))).map(({ kind }) => kind)
}

describe('queues that share a unit', () => {
  it('write one log without gap, in one process', async () => {
    const stand = newStand()
    const tills = await sharing(stand, 6)
    const kinds = await signAll(stand, tills, 20)
    expect(new Set(kinds)).toEqual(new Set(['answered']))
    const scuId = tills[0]?.scuIds[0]
    expect(await logOf(scuId)).toEqual(upTo(2 * (6 + 120)))
    expect(await counterOf(scuId)).toBe(2 * 126)
    expect(stand.seen.conflicts).toBeLessThan(20)
  })

  it('write one log without gap, in three processes', async () => {
    const [first, ...others] = [newStand(), newStand(), newStand()] as const
    const tills = await sharing(first, 4)
    const kinds = await Promise.all([first, ...others].map((stand) => signAll(stand, tills, 8)))
    expect(new Set(kinds.flat())).toEqual(new Set(['answered']))
    expect(await logOf(tills[0]?.scuIds[0])).toEqual(upTo(2 * (4 + 3 * 32)))
  })

  it('leave nothing of a receipt that breaks its market in the unit', async () => {
    const stand = newStand()
    const tills = await sharing(stand, 3)
    const [good, bad] = await Promise.all([
      signAll(stand, tills, 6),
      signAll(stand, tills, 3, 'breaks'),
    ])
    expect(new Set(good)).toEqual(new Set(['answered']))
    expect(new Set(bad)).toEqual(new Set(['failed']))
    expect(await logOf(tills[0]?.scuIds[0])).toEqual(upTo(2 * (3 + 18)))
  })

  it('do again what was computed together with a receipt that cannot be stored', async () => {
    const stand = newStand()
    const tills = await sharing(stand, 3)
    const poison = tills.slice(0, 1).map((till) => job(till, { reference: 'poison' }))
    const [good, bad] = await Promise.all([
      signAll(stand, tills, 5),
      Promise.allSettled(poison.map((one) => stand.signing.sign(one))),
    ])
    expect(new Set(good)).toEqual(new Set(['answered']))
    expect(bad.map(({ status }) => status)).toEqual(['rejected'])
    expect(await logOf(tills[0]?.scuIds[0])).toEqual(upTo(2 * (3 + 15)))
  })

  it('may use two of them at once', async () => {
    const stand = newStand()
    const x = await createTill(stand)
    const y = await createTill(stand, { shares: { ...x, scuIds: [await secondUnit(stand, x)] } })
    const both = await createTill(stand, { shares: { ...x, scuIds: [...x.scuIds, ...y.scuIds] } })
    const kinds = await signAll(stand, [x, y, both], 15)
    expect(new Set(kinds)).toEqual(new Set(['answered']))
    for (const till of [x, y]) {
      expect(await logOf(till.scuIds[0])).toEqual(upTo(2 * (2 + 30)))
      expect(await counterOf(till.scuIds[0])).toBe(64)
    }
  })
})

function secondUnit({ store, deps }: Stand, { accountId, cashBoxId }: Till): Promise<string> {
  const unit = { accountId, cashBoxId, market: 'AT', description: 'second' }
  return createScu({ store, marketOf, now: deps.now }, { ...unit, package: SOFTWARE_PACKAGE })
}
