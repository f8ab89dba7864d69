// Histories of templates, moves, replacements, publications and receipts over two servers of one
// database, made up by fast-check: whatever the order, receipts belong to whom they say.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DealerStand } from '../support/dealer.js'
import {
  type Answered,
  type BoxAccess,
  newId,
  openTwoServers,
  START,
  signAt,
  type TwoServers,
} from '../support/two-servers.js'

let two: TwoServers
beforeAll(async () => {
  two = await openTwoServers()
})
afterAll(() => two.close())

const BOXES = 2
const QUEUES = 3
const HISTORIES = 500
/** Steps of the longest ones. */
const STEPS = 50
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31)

interface Held {
  access: BoxAccess | undefined
  id: string
  units: string[]
  queues: number[]
}

/** What must be true, kept beside the servers. */
interface World {
  boxes: Held[]
  queues: { id: string; started: boolean; rows: number }[]
  answered: Answered[]
}

const newWorld = (): World => ({
  boxes: Array.from({ length: BOXES }, () => ({
    ...{ access: undefined, id: newId(), units: [newId(), newId()], queues: [] },
  })),
  queues: Array.from({ length: QUEUES }, () => ({ id: newId(), started: false, rows: 0 })),
  answered: [],
})

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length]
  if (found === undefined) throw new Error('an empty list')
  return found
}

type Step =
  | { kind: 'template'; box: number; queues: number[]; move: boolean; unit: number; server: number }
  | { kind: 'sign'; box: number; queue: number; named: boolean; server: number }
  | { kind: 'publish'; box: number; server: number }
  | { kind: 'race'; box: number; queues: number[]; queue: number; unit: number }

const index = (count: number) => fc.nat({ max: count - 1 })
const some = fc.uniqueArray(index(QUEUES), { maxLength: QUEUES })
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('template' as const),
      box: index(BOXES),
      queues: some,
      move: fc.boolean(),
      unit: index(2),
      server: index(2),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('sign' as const),
      box: index(BOXES),
      queue: index(QUEUES),
      named: fc.boolean(),
      server: index(2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      box: index(BOXES),
      server: index(2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('race' as const),
      box: index(BOXES),
      queues: some,
      queue: index(QUEUES),
      unit: index(2),
    }),
  },
)

/** Most are short, so that many fit into the run. */
const histories = (): fc.Arbitrary<Step[]> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.array(steps, { minLength: 2, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.array(steps, { minLength: 12, maxLength: STEPS }) },
  )

const serverOf = (server: number): DealerStand => at(two.servers, server)
const holder = (world: World, queue: number) =>
  world.boxes.find(({ queues }) => queues.includes(queue))

/** A template on a machine that is busy with other things may be told to come again. */
async function executed(...call: Parameters<TwoServers['template']>) {
  for (let left = 5; ; left -= 1) {
    const reply = await two.template(...call)
    if (reply.status !== 503 || left === 0) return reply
  }
}

async function template(world: World, step: Extract<Step, { kind: 'template' }>): Promise<void> {
  const box = at(world.boxes, step.box)
  const stolen = step.queues.filter((one) => {
    const held = holder(world, one)
    return held !== undefined && held !== box
  })
  const reply = await executed(
    {
      ...{ box: box.id, unit: at(box.units, step.unit), move: step.move },
      queues: step.queues.map((one) => at(world.queues, one).id),
    },
    serverOf(step.server),
  )
  if (stolen.length > 0 && !step.move) {
    expect(reply.status, reply.text).toBe(400)
    return
  }
  expect(reply.status, reply.text).toBe(200)
  for (const other of world.boxes) {
    other.queues = other.queues.filter((one) => !step.queues.includes(one))
  }
  box.queues = [...step.queues]
  box.access = { cashBoxId: box.id, accessToken: String(reply.json().accessToken) }
}

/** One receipt, a start receipt where that is the first; checks whose it is. */
async function sign(world: World, step: Extract<Step, { kind: 'sign' }>): Promise<void> {
  const box = at(world.boxes, step.box)
  if (box.access === undefined) return
  const queue = at(world.queues, step.queue)
  const isHeld = box.queues.includes(step.queue)
  const named = step.named || box.queues.length !== 1
  const chosen = named ? queue : at(world.queues, box.queues[0] ?? 0)
  const receiptCase = chosen.started ? undefined : START
  const answer = await signAt(serverOf(step.server), {
    ...box.access,
    ...(named ? { queue: queue.id } : {}),
    ...(receiptCase === undefined ? {} : { receiptCase }),
  })
  if (named && !isHeld) {
    expect(answer.status, answer.text).toBe(404)
    return
  }
  expect(answer.status, answer.text).toBe(200)
  expect([answer.box, answer.queue]).toEqual([box.id, chosen.id])
  note(world, answer)
}

function note(world: World, answer: Answered): void {
  const queue = world.queues.find(({ id }) => id === answer.queue)
  if (queue === undefined) throw new Error(`a receipt of no queue: ${answer.text}`)
  queue.started = true
  queue.rows += 1
  world.answered.push(answer)
}

/** Receipts on both servers while a template gives the cash box other queues. */
async function race(world: World, step: Extract<Step, { kind: 'race' }>): Promise<void> {
  const box = at(world.boxes, step.box)
  const { access } = box
  const queue = at(world.queues, step.queue)
  if (access === undefined || !queue.started) return
  const calls = two.servers.map((one) => signAt(one, { ...access, queue: queue.id }))
  await template(world, { ...step, kind: 'template', move: true, server: 0 })
  for (const answer of await Promise.all(calls)) {
    if (answer.status !== 200) {
      expect(answer.status, answer.text).toBe(404)
      continue
    }
    expect([answer.box, answer.queue]).toEqual([box.id, queue.id])
    note(world, answer)
  }
}

async function publish(world: World, step: Extract<Step, { kind: 'publish' }>): Promise<void> {
  const { access, queues } = at(world.boxes, step.box)
  if (access === undefined) return
  const answer = await serverOf(step.server).app.inject({
    url: `/api/configuration/${access.cashBoxId}`,
    headers: { accesstoken: access.accessToken },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const published = (JSON.parse(answer.body) as { ftQueues: { Id: string }[] }).ftQueues
  const ids = queues.map((one) => at(world.queues, one).id)
  expect(published.map(({ Id }) => Id).toSorted()).toEqual(ids.toSorted())
}

const itemsOf = (row: Record<string, unknown> | undefined): string[] =>
  (row?.items as string[] | undefined) ?? []

/** Rows 1 to n without a gap, and everything that was answered is there to be exported. */
async function judge(world: World): Promise<void> {
  const ids = world.queues.map(({ id }) => id)
  const [one] = two.servers
  const rows = await one.rows(
    `select queue_id, array_agg(row::int order by row) as rows, array_agg(id::text) as items,
      bool_and(response like '%' || '"ftCashBoxID":"%') as named
     from queue_item where queue_id = any($1::uuid[]) group by queue_id`,
    [ids],
  )
  for (const queue of world.queues) {
    const found = rows.find(({ queue_id }) => queue_id === queue.id)
    const wanted = Array.from({ length: queue.rows }, (_, row) => row + 1)
    expect(found?.rows ?? []).toEqual(wanted)
    const own = world.answered.filter((answer) => answer.queue === queue.id)
    expect(own.every(({ item }) => itemsOf(found).includes(item))).toBe(true)
  }
  const member = await one.rows(
    `select distinct cash_box_id || ' ' || queue_id as pair from queue_membership
     where queue_id = any($1::uuid[])`,
    [ids],
  )
  const pairs = new Set(member.map(({ pair }) => pair))
  for (const { box, queue } of world.answered) expect(pairs.has(`${box} ${queue}`)).toBe(true)
}

/** By the dealer, and by each cash box that has ever signed with the queue. */
async function exported(world: World): Promise<void> {
  const [one, other] = two.servers
  for (const { id, rows } of world.queues) {
    if (rows === 0) continue
    const line = `GET /api/posoperators/${two.operator}/queues/${id}/journal?type=3`
    const reply = await one.call(line)
    expect(reply.status, reply.text).toBe(200)
    const answered = world.answered.filter(({ queue }) => queue === id)
    for (const { item } of answered) expect(reply.text).toContain(item)
    for (const box of new Set(answered.map((answer) => answer.box))) {
      const access = world.boxes.find((held) => held.id === box)?.access
      const own = await other.app.inject({
        ...{ method: 'POST', url: `/${id}/json/v1/journal?type=3` },
        headers: { cashboxid: box, accesstoken: access?.accessToken ?? '' },
      })
      expect([own.statusCode, own.body.length]).toEqual([200, reply.text.length])
    }
  }
}

const act = {
  template,
  sign,
  publish,
  race,
} as { [K in Step['kind']]: (world: World, step: Step) => Promise<void> }

async function run(history: readonly Step[], isWhole: boolean): Promise<void> {
  const world = newWorld()
  for (const step of history) await act[step.kind](world, step)
  await judge(world)
  if (isWhole) await exported(world)
}

it(`every receipt is its cash box's and can be reached, whatever happens (${SEED})`, async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(histories(), async (history) => {
      count += 1
      await run(history, count % 10 === 0)
    }),
    { seed: SEED, numRuns: HISTORIES, endOnFailure: true, verbose: 1 },
  )
  expect(count).toBe(HISTORIES)
}, 600_000)
