// Histories of templates, moves, replacements, publications and receipts over two server processes
// on one database, made up by fast-check: whatever the order, receipts belong to whom they say.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectLong } from '../support/model/long-histories.js'
import { histories, type Model, newModel } from '../support/model/queue-commands.js'
import { at, openStreet, QueueShop, type Street } from '../support/model/queue-shop.js'

const HISTORIES = Number(process.env.MODEL_RUNS ?? 10)
/** So many rows of histories run at the same time, each with a merchant of its own. */
const LANES = Number(process.env.MODEL_LANES ?? 5)
/** So many histories one after the other at the same cash boxes; then they are judged. */
const PER_SHOP = 5
/** `MODEL_SEED=<seed of a lane> MODEL_LANES=1 MODEL_RUNS=50` repeats one lane. */
const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31)

let street: Street
const done = { histories: 0, steps: 0, receipts: 0 }

beforeAll(async () => {
  street = await openStreet()
}, 60_000)
afterAll(async () => {
  await street.close()
})

const itemsOf = (row: Record<string, unknown> | undefined): string[] =>
  (row?.items as string[] | undefined) ?? []

/** Rows 1 to n without a gap, and everything that was answered is there to be exported. */
async function judge(model: Model, shop: QueueShop): Promise<void> {
  const rows = await street.home.rows(
    `select queue_id, array_agg(row::int order by row) as rows, array_agg(id::text) as items
     from queue_item where queue_id = any($1::uuid[]) group by queue_id`,
    [shop.queues],
  )
  for (const [number, queue] of shop.queues.entries()) {
    const found = rows.find(({ queue_id }) => queue_id === queue)
    const wanted = Array.from({ length: at(model.queues, number).rows }, (_, row) => row + 1)
    expect(found?.rows ?? []).toEqual(wanted)
    const own = shop.answered.filter((answer) => answer.queue === queue)
    const items = new Set(itemsOf(found))
    expect(own.every(({ item }) => items.has(item))).toBe(true)
  }
  const member = await street.home.rows(
    `select distinct cash_box_id || ' ' || queue_id as pair from queue_membership
     where queue_id = any($1::uuid[])`,
    [shop.queues],
  )
  const pairs = new Set(member.map(({ pair }) => pair))
  for (const { box, queue } of shop.answered) expect(pairs.has(`${box} ${queue}`)).toBe(true)
}

/** By the dealer, and by each cash box that has ever signed with the queue. */
async function judgeExports(shop: QueueShop): Promise<void> {
  for (const queue of shop.queues) {
    const answered = shop.answered.filter((one) => one.queue === queue)
    if (answered.length === 0) continue
    const reply = await shop.exported(0, queue)
    expect(reply.status, reply.text).toBe(200)
    for (const { item } of answered) expect(reply.text).toContain(item)
    for (const box of new Set(answered.map((answer) => answer.box))) {
      const own = await shop.ownExport(1, queue, box)
      expect([own.status, own.text.length]).toEqual([200, reply.text.length])
    }
  }
}

/** Histories of one lane, one after the other: `PER_SHOP` at the same cash boxes. */
async function lane(laneSeed: number, numRuns: number): Promise<number> {
  const operator = await street.home.operator()
  let [shop, model] = [new QueueShop(street, operator), newModel()]
  let count = 0
  const property = fc.asyncProperty(histories, async (commands) => {
    try {
      await fc.asyncModelRun(() => ({ model, real: shop }), commands)
      count += 1
      if (count % PER_SHOP !== 0 && count !== numRuns) return
      await judge(model, shop)
      await judgeExports(shop)
    } catch (error) {
      console.log(`MODEL_SEED=${laneSeed}\n${shop.told.join('\n')}\n${String(error)}`)
      throw error
    }
    done.steps += model.steps
    done.receipts += shop.answered.length
    ;[shop, model] = [new QueueShop(street, operator), newModel()]
  })
  await fc.assert(property, { numRuns, seed: laneSeed, endOnFailure: true })
  done.histories += count
  return count
}

it(`every receipt is its cash box's and can be reached, whatever happens (${seed})`, async () => {
  console.log(`model of queues: MODEL_SEED=${seed}`)
  expect(new Set([process.pid, ...street.servers.map(({ pid }) => pid)]).size).toBe(3)
  const perLane = Math.ceil(HISTORIES / LANES)
  const lanes = Array.from({ length: LANES }, (_, number) => lane(seed + number, perLane))
  const ended = await Promise.allSettled(lanes)
  console.log(`model of queues: ${JSON.stringify(done)}`)
  expect(ended).toEqual(lanes.map(() => ({ status: 'fulfilled', value: perLane })))
  expectLong(done)
}, 900_000)
