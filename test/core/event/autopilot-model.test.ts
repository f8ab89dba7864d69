// Whatever happens to registers and units of two Austrian queues that share a unit: each outage has
// one closing, directly behind the last receipt without signature or one behind that; nothing that
// was asked stands in a DEP; every DEP is accepted. PILOT_HISTORIES=200 makes it longer.
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  journalOf,
  openPilot,
  outagesOf,
  type PilotStand,
  violationsOf,
} from '../../support/autopilot.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected } from '../../support/ledger.js'
import { createTill, type Till, testKey, ZERO } from '../../support/stand.js'

const HISTORIES = Number(process.env.PILOT_HISTORIES ?? 15)
const HOUR_MS = 3_600_000
const ONCE = { queue: { configuration: { 'scu-max-retries': 0 } } }
const MONTHLY = 0x4154_0000_0000_0005n
const LATE = 0x4154_0000_0001_0001n
const masterKey = testKey()

let database: TestDatabase
let client: pg.Client
/** Two servers. */
let servers: PilotStand[]

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  servers = [1, 2].map(() => openPilot(database.config, { masterKey }))
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await client.end()
  await database.drop()
})

const KINDS = ['unreachable', 'error', 'error-after', 'garbage', 'wrong-signature'] as const

const till = fc.nat({ max: 1 })
const server = fc.nat({ max: 1 })
const step = fc.oneof(
  fc.record({ does: fc.constant('sale' as const), till, server }),
  fc.record({ does: fc.constant('zero' as const), till, server }),
  fc.record({ does: fc.constant('late' as const), till, server }),
  fc.record({ does: fc.constant('monthly' as const), till, server }),
  fc.record({
    does: fc.constant('fault' as const),
    kind: fc.constantFrom(...KINDS),
    calls: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  }),
  fc.record({ does: fc.constant('heal' as const) }),
  fc.record({ does: fc.constant('look' as const), server, times: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ does: fc.constant('crowd' as const), till }),
  fc.record({ does: fc.constant('policy' as const), till, act: fc.boolean() }),
  // both clocks go on, and one of them is an hour behind
  fc.record({ does: fc.constant('time' as const), hours: fc.integer({ min: 1, max: 60 }) }),
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

class History {
  private hours = 0
  private readonly settled = new Set<number>()
  constructor(private readonly tills: readonly Till[]) {}

  async run(one: Step): Promise<void> {
    const [first] = this.tills
    switch (one.does) {
      case 'sale':
        return this.sign(one, {})
      case 'zero':
        return this.sign(one, { receiptCase: ZERO, cents: null })
      case 'monthly':
        // two signed ones in an outage break the chain of the law, whoever ends it
        if (this.settled.has(one.till)) return
        this.settled.add(one.till)
        return this.sign(one, { receiptCase: MONTHLY, cents: null })
      case 'late':
        return this.sign(one, { receiptCase: LATE })
      case 'fault': {
        const { kind, calls } = one
        const steps = [calls === undefined ? { do: kind } : { do: kind, calls }]
        return first && servers[0]?.fault(first, steps)
      }
      case 'heal':
        return first && servers[0]?.fault(first)
      case 'look':
        for (let time = 0; time < one.times; time += 1) await servers[one.server]?.look()
        return
      case 'crowd':
        await Promise.all([
          ...servers.map((each) => each.pilot.look()),
          this.sign({ till: one.till, server: 0 }, { receiptCase: ZERO, cents: null }),
          this.sign({ till: one.till, server: 1 }, {}),
        ])
        return
      case 'policy': {
        const values = [this.tills[one.till]?.cashBoxId, one.act ? 'act' : 'advise']
        await client.query('update cash_box set autopilot = $2 where id = $1', values)
        return
      }
      default:
        this.hours += one.hours
        for (const [at, each] of servers.entries()) each.move((this.hours - at) * HOUR_MS)
    }
  }

  private async sign(
    { till: at, server: by }: { till: number; server: number },
    wanted: Parameters<PilotStand['sign']>[1],
  ): Promise<void> {
    const found = this.tills[at]
    if (found !== undefined) await servers[by]?.sign(found, wanted)
  }
}

async function judge(found: Till): Promise<void> {
  const [one] = servers
  if (one === undefined) throw new Error('no server')
  const { course, own, signatures, items } = await journalOf(client, one, found)
  const outages = await outagesOf({ deps: one }, found.queueId)
  const failures = outages.filter(({ cause }) => cause === 'device')
  // the first or second one with a signature behind the last without; a monthly one may be first
  expect(course).toMatch(/^S(S|F(F|SF)*S?C)*$/)
  expect(course.match(/C/g) ?? []).toHaveLength(failures.length)
  expect(new Set(failures.map(({ closingItem }) => closingItem)).size).toBe(failures.length)
  // what the autopilot has signed has closed something, or was tried before it did
  const closed = failures.filter(({ closedBy }) => closedBy === 'autopilot').length
  const tried = failures.reduce((sum, { attempts }) => sum + attempts, 0)
  expect(own).toHaveLength(closed + tried)
  // each row of the DEP is a receipt, and each receipt was asked for by somebody
  const receipts = new Set(items.map(({ id }) => id))
  expect(signatures.every(({ itemId }) => receipts.has(itemId))).toBe(true)
}

it('one closing for each outage, in its place, under any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const [one] = servers
      if (one === undefined) throw new Error('no server')
      for (const each of servers) each.move(0)
      const first = await createTill(one, ONCE)
      const second = await createTill(one, { ...ONCE, shares: first })
      const tills = [first, second]
      const history = new History(tills)
      for (const each of steps) await history.run(each)
      await history.run({ does: 'heal' })
      await client.query('update cash_box set autopilot = null')
      for (const each of tills) {
        // late entries are ended by the register
        await one.look()
        const open = await outagesOf({ deps: one }, each.queueId)
        if (open.some(({ cause, ended }) => cause === 'register' && !ended)) {
          await one.sign(each, { receiptCase: ZERO, cents: null })
        }
        await one.closed(each)
        await judge(each)
      }
    }),
    { numRuns: HISTORIES, interruptAfterTimeLimit: 240_000 },
  )
  for (const each of servers.slice(0, 1)) expect(await violationsOf(each)).toEqual([])
}, 300_000)
