// Operations in every order that a till, a terminal and a power cut can bring about: histories that
// nobody thought of, on two servers and a real database. A failure prints its seed and its history.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addTerminal } from '../../src/core/payment/terminals.js'
import type { Store } from '../../src/store/client.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { testStore } from '../support/make.js'
import { judge } from '../support/model/judge.js'
import { type Called, ModelShop, SPELLINGS } from '../support/model/shop.js'
import type { StopMood } from '../support/model/terminal.js'
import { makeTill, type TestTill } from '../support/payments.js'

const HISTORIES = Number(process.env.HISTORIES ?? 500)
const STEPS = 50
/** Histories that run at the same time, each on two servers of its own, on one database. */
const LANES = 10
const CONNECTIONS = 8
const seed = Number(process.env.FC_SEED ?? Date.now() % 2_147_483_647)

let database: TestDatabase
let store: Store
beforeAll(async () => {
  console.info(`model of operations: FC_SEED=${seed}`)
  database = await createTestDatabase()
  store = testStore(database.config, CONNECTIONS)
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

interface Model {
  begun: number
}

type Step = fc.AsyncCommand<Model, ModelShop>

/** Any of the calls so far. */
const chosen = ({ calls }: ModelShop, at: number): Called => {
  const call = calls[at % calls.length]
  if (call === undefined) throw new Error('nothing was called yet')
  return call
}

function step(
  name: string,
  run: (shop: ModelShop) => void | Promise<void>,
  { begins = false } = {},
): Step {
  return {
    check: ({ begun }) => begins || begun > 0,
    run: async (model, shop) => {
      if (begins) model.begun += 1
      done.steps += 1
      await run(shop)
      // somewhere on its way, not behind it
      await new Promise((done) => setImmediate(done))
    },
    toString: () => name,
  }
}

const at = fc.nat({ max: 1 })
const which = fc.nat({ max: 50 })
const moods: readonly StopMood[] = ['yes', 'no', 'silent']

/** A step at one server about one of the calls. */
const about = (name: string, run: (shop: ModelShop, call: Called, server: number) => void) =>
  fc
    .tuple(at, which)
    .map(([server, call]) =>
      step(`${name} ${call}@${server}`, (shop) => run(shop, chosen(shop, call), server)),
    )

const repeat = fc
  .tuple(at, which, fc.constantFrom(...SPELLINGS))
  .map(([server, call, spelling]) =>
    step(`repeat ${call} ${spelling}@${server}`, (shop) =>
      shop.send(chosen(shop, call), server, spelling),
    ),
  )

const weighed = [
  [5, at.map((server) => step(`pay@${server}`, (shop) => shop.begin(server), { begins: true }))],
  [5, repeat],
  [3, about('change', (shop, call, server) => shop.send(call, server, 'changed'))],
  [4, about('cancel', (shop, call, server) => shop.begin(server, call.id))],
  [3, about('abort', (shop, call, server) => shop.abort(call, server))],
  [3, about('look up', (shop, call, server) => shop.look(call, server))],
  [
    5,
    fc
      .constantFrom('SUCCESS' as const, 'DECLINED' as const)
      .map((result) => step(`terminal ${result}`, (shop) => shop.terminal.finish(result))),
  ],
  [
    3,
    fc.constantFrom(...moods).map((mood) =>
      step(`terminal stops: ${mood}`, (shop) => {
        shop.terminal.mood = mood
      }),
    ),
  ],
  [2, fc.constant(step('cut', (shop) => shop.terminal.cut()))],
  [4, fc.nat({ max: 12 }).map((ms) => step(`wait ${ms}`, (shop) => shop.pass(ms)))],
  [1, at.map((server) => step(`crash@${server}`, (shop) => shop.crash(server)))],
] as const
const steps = [
  fc.oneof(
    ...weighed.map(([weight, arbitrary]) => ({
      weight,
      arbitrary: arbitrary as fc.Arbitrary<Step>,
    })),
  ),
]

async function newTill(): Promise<TestTill> {
  const till = await makeTill(store)
  await addTerminal(
    { store, sandbox: true },
    {
      ...{ cashBoxId: till.cashBoxId, provider: 'hobexecr', terminal: undefined },
      url: 'http://127.0.0.1:9',
    },
  )
  return till
}

const done = { histories: 0, steps: 0, calls: 0, deaths: 0 }

/** So many histories one after another, on the same two servers. */
async function lane(number: number): Promise<void> {
  const shop = new ModelShop(store, await newTill())
  const history = fc.asyncProperty(
    // as many long histories as short ones
    fc.noBias(fc.commands(steps, { maxCommands: STEPS, size: 'max' })),
    async (commands) => {
      shop.next(await newTill())
      await fc.asyncModelRun(() => ({ model: { begun: 0 }, real: shop }), commands)
      await judge(shop)
      done.histories += 1
      done.calls += shop.calls.length
      done.deaths += shop.deaths
    },
  )
  // servers in parallel never do the same twice: a smaller history would be another one
  const run = { seed: seed + number, numRuns: HISTORIES / LANES, endOnFailure: true }
  try {
    await fc.assert(history, run)
  } finally {
    await shop.close()
  }
}

describe('operations', () => {
  it('are executed once and answered alike, and money moves as tills are told', async () => {
    const ended = await Promise.allSettled(
      Array.from({ length: LANES }, (_, number) => lane(number)),
    )
    console.info(`model of operations: ${JSON.stringify(done)}`)
    const failed = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(failed, `FC_SEED=${seed}`).toEqual([])
    expect(done.histories).toBe(HISTORIES)
  }, 400_000)
})
