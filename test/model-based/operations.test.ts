// Operations in every order that a till, a terminal and a power cut can bring about: histories that
// nobody thought of, on two server processes, of which one or the other is killed, and a real
// database. A failure prints its seed and its history.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addTerminal } from '../../src/core/payment/terminals.js'
import type { Store } from '../../src/store/client.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { testStore } from '../support/make.js'
import { DeskPair } from '../support/model/desk-pair.js'
import { judge } from '../support/model/judge.js'
import { expectLong, longHistories } from '../support/model/long-histories.js'
import { type Called, ModelShop, SPELLINGS } from '../support/model/shop.js'
import { ModelTerminal, type StopMood } from '../support/model/terminal.js'
import { makeTill, type TestTill } from '../support/payments.js'

const HISTORIES = Number(process.env.MODEL_RUNS ?? 10)
/** Histories that run at the same time, each with a cash box of its own, on the same servers. */
const LANES = Number(process.env.MODEL_LANES ?? 10)
const CONNECTIONS = 4
/** `MODEL_SEED=<seed of a lane> MODEL_LANES=1 MODEL_RUNS=25` repeats one lane. */
const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2_147_483_647)

interface Terminal {
  terminal: ModelTerminal
  address: string
}

let database: TestDatabase
let store: Store
let pair: DeskPair
let terminals: Terminal[]
beforeAll(async () => {
  console.info(`model of operations: MODEL_SEED=${seed}`)
  database = await createTestDatabase()
  store = testStore(database.config, CONNECTIONS)
  terminals = await Promise.all(
    Array.from({ length: LANES }, async () => {
      const terminal = new ModelTerminal()
      return { terminal, address: await terminal.listen() }
    }),
  )
  const { config } = database
  pair = await DeskPair.open({ config, terminals: terminals.map(({ address }) => address) })
}, 60_000)
afterAll(async () => {
  const [end] = await Promise.allSettled([pair.close()])
  for (const { terminal } of terminals) await terminal.close()
  await store.close()
  await database.drop()
  if (end?.status === 'rejected') throw end.reason
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

/** Whatever else there is to do is about a call: a history begins with one. */
const pays = at.map((server) =>
  step(`pay@${server}`, (shop) => shop.begin(server), { begins: true }),
)

const weighed = [
  [5, pays],
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
] as const
const crash = at.map((server) => step(`crash@${server}`, ({ pair }) => pair.crash(server)))

/** A crash ends a server for all lanes, so it is this much rarer in each of them. */
const RARER = 10

const steps = fc.oneof(
  { weight: 1, arbitrary: crash as fc.Arbitrary<Step> },
  ...weighed.map(([weight, arbitrary]) => ({
    weight: weight * RARER,
    arbitrary: arbitrary as fc.Arbitrary<Step>,
  })),
)

async function newTill(address: string): Promise<TestTill> {
  const till = await makeTill(store)
  await addTerminal(
    { store, sandbox: true },
    {
      ...{ cashBoxId: till.cashBoxId, provider: 'hobexecr', terminal: undefined },
      url: `http://${address}`,
    },
  )
  return till
}

const done = { histories: 0, steps: 0, calls: 0 }

/** So many histories one after another, on the same two servers. */
async function lane({ terminal, address }: Terminal, number: number): Promise<void> {
  const shop = new ModelShop({ store, pair, terminal, till: await newTill(address) })
  const history = fc.asyncProperty(longHistories(steps, [pays]), async (commands) => {
    await shop.next(await newTill(address))
    await fc.asyncModelRun(() => ({ model: { begun: 0 }, real: shop }), commands)
    await judge(shop)
    done.histories += 1
    done.calls += shop.calls.length
  })
  // servers in parallel never do the same twice: a smaller history would be another one
  const run = { seed: seed + number, numRuns: Math.ceil(HISTORIES / LANES), endOnFailure: true }
  await fc.assert(history, run)
}

describe('operations', () => {
  it('are executed once and answered alike, and money moves as tills are told', async () => {
    const ended = await Promise.allSettled(
      terminals.map((terminal, number) => lane(terminal, number)),
    )
    console.info(`model of operations: ${JSON.stringify({ ...done, deaths: pair.deaths })}`)
    const failed = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(failed, `MODEL_SEED=${seed}`).toEqual([])
    expect(done.histories).toBe(LANES * Math.ceil(HISTORIES / LANES))
    expectLong(done)
    expect(new Set(pair.pids).size, 'every server has its process').toBe(pair.deaths + 2)
  }, 900_000)
})
